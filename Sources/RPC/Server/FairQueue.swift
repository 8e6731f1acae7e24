/// A queue for each user, for a number of threads. `next` returns an item of the user whose items have used the least time since that user was
/// last idle. This is start-time fair queueing (Goyal, Vin and Cheng 1996) with equal weights.
///
/// If several users have added items within the last second, no user's items occupy all threads. A thread remains for the others, so that
/// their items need not wait for a processor.
///
/// All times are in seconds of the monotonic clock.
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
  /// The user who added the last item.
  private var lastUser: UInt32?
  /// The time when a user added an item after another user had added one; nil if no two users have added items.
  private var lastChange: Double?
  private let threads: Int

  /// - Parameter threads: the number of threads that run the items.
  init(threads: Int) { self.threads = threads }

  mutating func add(_ item: Item, of user: UInt32, at time: Double) {
    if lastUser != user {
      if lastUser != nil { lastChange = time }
      lastUser = user
    }
    var queue = queues.removeValue(forKey: user) ?? UserQueue()
    if queue.isEmpty, queue.running == 0 { queue.used = max(queue.used, now) }
    queue.items.append(item)
    queues[user] = queue
  }

  /// Removes the next item; nil if no item may run now. The caller must call `charge` afterwards.
  mutating func next(at time: Double) -> (user: UInt32, item: Item)? {
    let isShared = lastChange.map { time - $0 < 1 } ?? false
    let threadsPerUser = isShared ? max(1, threads - 1) : threads
    var best: (user: UInt32, used: Double)?
    for (user, queue) in queues where !queue.isEmpty && queue.running < threadsPerUser && (best.map { queue.used < $0.used } ?? true) {
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
