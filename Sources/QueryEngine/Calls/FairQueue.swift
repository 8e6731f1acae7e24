/// Which calls of a lane run, and which wait for their turn: as many at once as the service allows, never more waiting than a bound. Whoever
/// has the fewest under way is next, and for lack of room whoever has the most in line loses his newest.
struct FairQueue<Item> {
  enum Admission {
    case start
    /// It waits, perhaps in the place of another one.
    case wait(shed: Item?)
    case refuse
  }

  private var running = 0
  /// Calls under way by their users; whoever has none is left out.
  private var underWay: [UInt32: Int] = [:]
  private var waiting = RoundRobin<Item>()
  private var concurrent: Int
  private let capacity: Int

  /// - Parameters:
  ///   - concurrent: calls at once, at least 1.
  ///   - capacity: calls that may wait.
  init(concurrent: Int, capacity: Int) {
    self.concurrent = max(1, concurrent)
    self.capacity = max(0, capacity)
  }

  /// Whether one more call of a user finds a place.
  func hasRoom(for user: UInt32) -> Bool { running < concurrent || waiting.count < capacity || waiting.canYield(to: user) }

  /// Takes a user's call in.
  mutating func submit(_ item: Item, of user: UInt32) -> Admission {
    if running < concurrent {
      begin(user)
      return .start
    }
    var shed: Item?
    if waiting.count >= capacity {
      shed = waiting.yield(to: user)
      if shed == nil { return .refuse }
    }
    waiting.append(item, of: user)
    return .wait(shed: shed)
  }

  /// A user's running call has ended; gives the one whose turn it is.
  mutating func finish(of user: UInt32) -> Item? {
    running -= 1
    if let count = underWay[user] { underWay[user] = count > 1 ? count - 1 : nil }
    return next()
  }

  /// Lets more or fewer calls run at once, at least 1; gives those whose turn it is. Where more run already, they run to their end.
  mutating func allow(_ concurrent: Int) -> [Item] {
    self.concurrent = max(1, concurrent)
    var started: [Item] = []
    while let item = next() { started.append(item) }
    return started
  }

  private mutating func next() -> Item? {
    guard running < concurrent, let next = waiting.next(having: underWay) else { return nil }
    begin(next.user)
    return next.item
  }

  private mutating func begin(_ user: UInt32) {
    running += 1
    underWay[user, default: 0] += 1
  }
}
