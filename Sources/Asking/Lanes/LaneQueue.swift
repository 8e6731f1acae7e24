/// Which calls of a lane run, and which wait for their turn: as many at once as the service allows, the others in the
/// order they came, never more than a bound.
struct LaneQueue<Item> {
  enum Admission { case start, wait, refuse }

  private(set) var running = 0
  private var waiting: [Item] = []
  private let concurrent: Int
  private let capacity: Int

  /// - Parameters:
  ///   - concurrent: calls at once, at least 1.
  ///   - capacity: calls that may wait.
  init(concurrent: Int, capacity: Int) {
    self.concurrent = max(1, concurrent)
    self.capacity = max(0, capacity)
  }

  var isIdle: Bool { running == 0 && waiting.isEmpty }

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
    guard !waiting.isEmpty else {
      running -= 1
      return nil
    }
    return waiting.removeFirst()
  }
}
