/// A queue for each user. `next` returns an item of the user whose items have used the least time since the user was last idle. This is
/// start-time fair queueing (Goyal, Vin and Cheng 1996) with equal weights.
struct FairQueue<Item> {
  private struct UserQueue {
    var items: [Item] = []
    /// The index of the first item that was not returned.
    var firstIndex = 0
    /// The seconds used, on a scale that all users share.
    var usedSeconds = 0.0
    /// The number of items that `next` has returned and `charge` has not counted yet.
    var runningCount = 0

    var isEmpty: Bool { firstIndex == items.count }
  }

  private var queuesByUser: [UInt32: UserQueue] = [:]
  /// The virtual time: the used seconds of the user whose item was returned last. A user that was idle starts from here, so that idle time
  /// gives no advantage.
  private var virtualTime = 0.0

  init() {}

  mutating func add(_ item: Item, of user: UInt32) {
    var queue = queuesByUser.removeValue(forKey: user) ?? UserQueue()
    if queue.isEmpty, queue.runningCount == 0 { queue.usedSeconds = max(queue.usedSeconds, virtualTime) }
    queue.items.append(item)
    queuesByUser[user] = queue
  }

  /// True if `next` would return an item.
  func hasNext(maxRunning: Int) -> Bool { queuesByUser.values.contains { !$0.isEmpty && $0.runningCount < maxRunning } }

  /// Removes and returns the next item; nil if no item may run now. The caller must call `charge` after the item has run.
  /// - Parameter maxRunning: the number of items of one user that may run at once.
  mutating func next(maxRunning: Int = .max) -> (user: UInt32, item: Item)? {
    var best: (user: UInt32, usedSeconds: Double)?
    for (user, queue) in queuesByUser where !queue.isEmpty && queue.runningCount < maxRunning {
      if let best, queue.usedSeconds >= best.usedSeconds { continue }
      best = (user, queue.usedSeconds)
    }
    guard let best, var queue = queuesByUser.removeValue(forKey: best.user) else { return nil }
    virtualTime = max(virtualTime, queue.usedSeconds)
    let item = queue.items[queue.firstIndex]
    queue.firstIndex += 1
    queue.runningCount += 1
    if queue.isEmpty {
      // The memory of a queue that was long is released.
      queue.items.removeAll(keepingCapacity: queue.items.capacity <= 64)
      queue.firstIndex = 0
    } else if queue.firstIndex > 64, queue.firstIndex * 2 > queue.items.count {
      // The returned items are removed once they are more than half of the array, so that each removal moves fewer items than it removes.
      queue.items.removeFirst(queue.firstIndex)
      queue.firstIndex = 0
    }
    // Until the real time is known, an estimate counts, so that a user's items do not all start at once.
    queue.usedSeconds += FairQueue.estimatedSeconds
    queuesByUser[best.user] = queue
    return (best.user, item)
  }

  /// Adds the seconds that an item of the user took.
  mutating func charge(_ seconds: Double, to user: UInt32) {
    guard var queue = queuesByUser.removeValue(forKey: user) else { return }
    queue.usedSeconds += max(0, seconds) - FairQueue.estimatedSeconds
    queue.runningCount -= 1
    // An idle user whose used time is not above `virtualTime` would start from `virtualTime`, and therefore needs no entry.
    if queue.isEmpty, queue.runningCount == 0, queue.usedSeconds <= virtualTime { return }
    queuesByUser[user] = queue
  }

  /// The seconds that an item is assumed to take until `charge` reports its real time.
  private static var estimatedSeconds: Double { 0.0001 }
}
