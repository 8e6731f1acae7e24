/// Which calls of a lane run, and which wait for their turn: as many at once as the service allows, the others in the
/// order they came, never more than a bound.
struct LaneQueue<Item> {
  enum Admission { case start, wait, refuse }

  private var running = 0
  private var waiting: [Item] = []
  private var concurrent: Int
  private let capacity: Int

  /// - Parameters:
  ///   - concurrent: calls at once, at least 1.
  ///   - capacity: calls that may wait.
  init(concurrent: Int, capacity: Int) {
    self.concurrent = max(1, concurrent)
    self.capacity = max(0, capacity)
  }

  /// Whether one more call finds a place.
  var hasRoom: Bool { running < concurrent || waiting.count < capacity }

  /// Takes a call in; the newest is the one that finds no room.
  mutating func submit(_ item: Item) -> Admission {
    if running < concurrent {
      running += 1
      return .start
    }
    guard waiting.count < capacity else { return .refuse }
    waiting.append(item)
    return .wait
  }

  /// A running call has ended; gives the one whose turn it is.
  mutating func finish() -> Item? {
    running -= 1
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
    guard running < concurrent, !waiting.isEmpty else { return nil }
    running += 1
    return waiting.removeFirst()
  }
}
