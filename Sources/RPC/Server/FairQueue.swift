/// A queue for each user. `next` returns an item of the user whose items have used the least time since that user was last idle. This is
/// start-time fair queueing (Goyal, Vin and Cheng 1996) with equal weights.
struct FairQueue<Item> {
  private struct UserQueue {
    var items: [Item] = []
    /// The index of the first item that was not returned.
    var first = 0
    /// The seconds used, on a scale that all users share.
    var used = 0.0
    /// The number of items that `next` has returned and that were not charged yet.
    var running = 0

    var isEmpty: Bool { first == items.count }
  }

  private var queues: [UInt32: UserQueue] = [:]
  /// The virtual time: the used time of the user whose item was returned last. A user that was idle starts from here, so that idle time
  /// gives no advantage.
  private var now = 0.0

  init() {}

  mutating func add(_ item: Item, of user: UInt32) {
    var queue = queues.removeValue(forKey: user) ?? UserQueue()
    if queue.isEmpty, queue.running == 0 { queue.used = max(queue.used, now) }
    queue.items.append(item)
    queues[user] = queue
  }

  /// Removes the next item; nil if no item may run now. The caller must call `charge` afterwards.
  /// - Parameter limit: the number of items of one user that may run at once.
  mutating func next(limit: Int = .max) -> (user: UInt32, item: Item)? {
    var best: (user: UInt32, used: Double)?
    for (user, queue) in queues where !queue.isEmpty && queue.running < limit && (best.map { queue.used < $0.used } ?? true) {
      best = (user, queue.used)
    }
    guard let best, var queue = queues.removeValue(forKey: best.user) else { return nil }
    now = max(now, queue.used)
    let item = queue.items[queue.first]
    queue.first += 1
    queue.running += 1
    if queue.isEmpty {
      queue.items.removeAll(keepingCapacity: queue.items.capacity <= 64)
      queue.first = 0
    } else if queue.first > 64, queue.first * 2 > queue.items.count {
      queue.items.removeFirst(queue.first)
      queue.first = 0
    }
    // Until the real time is known, an estimate counts, so that a user's items do not all start at once.
    queue.used += FairQueue.estimate
    queues[best.user] = queue
    return (best.user, item)
  }

  /// Adds the seconds that an item of the user took.
  mutating func charge(_ seconds: Double, to user: UInt32) {
    guard var queue = queues.removeValue(forKey: user) else { return }
    queue.used += max(0, seconds) - FairQueue.estimate
    queue.running -= 1
    // An idle user whose used time is not above `now` would start from `now`, and therefore needs no entry.
    if queue.isEmpty, queue.running == 0, queue.used <= now { return }
    queues[user] = queue
  }

  /// The estimated seconds that an item takes.
  private static var estimate: Double { 0.0001 }
}
