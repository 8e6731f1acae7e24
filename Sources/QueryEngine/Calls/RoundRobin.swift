/// Waiting items, each user's in their order. Users take turns, so that one with many items does not keep the others waiting.
struct RoundRobin<Item> {
  /// In the order of their turns: the user that has waited longest for one is the first. A user without items is left out.
  private var queues: [(user: UInt32, items: [Item])] = []
  /// How many wait.
  private(set) var count = 0

  /// Adds a user's newest item.
  mutating func append(_ item: Item, of user: UInt32) {
    count += 1
    if let index = index(of: user) { queues[index].items.append(item) } else { queues.append((user, [item])) }
  }

  /// Takes the oldest item of the user who has least already; of several, the one whose turn it is.
  /// - Parameter having: how much each user has; nothing if a user is left out.
  mutating func next(having: [UInt32: Int] = [:]) -> (item: Item, user: UInt32)? {
    guard let index = queues.indices.min(by: { having[queues[$0].user, default: 0] < having[queues[$1].user, default: 0] }) else {
      return nil
    }
    var queue = queues.remove(at: index)
    let item = queue.items.removeFirst()
    count -= 1
    if !queue.items.isEmpty { queues.append(queue) }
    return (item, queue.user)
  }

  /// Takes out the newest item of the user who has most, if these are more than this user would have with one more.
  mutating func drop(for user: UInt32) -> Item? {
    guard let longest = queues.indices.max(by: { queues[$0].items.count < queues[$1].items.count }),
      queues[longest].items.count > waiting(user) + 1
    else { return nil }
    count -= 1
    return queues[longest].items.popLast()
  }

  /// How many items have their turn before one more of this user.
  func before(_ user: UInt32) -> Int {
    let own = waiting(user)
    return queues.reduce(0) { $0 + ($1.user == user ? own : min($1.items.count, own + 1)) }
  }

  /// Takes one of a user's items out.
  mutating func remove(of user: UInt32, where isGone: (Item) -> Bool) {
    guard let index = index(of: user), let place = queues[index].items.firstIndex(where: isGone) else { return }
    count -= 1
    queues[index].items.remove(at: place)
    if queues[index].items.isEmpty { queues.remove(at: index) }
  }

  private func index(of user: UInt32) -> Int? { queues.firstIndex { $0.user == user } }

  private func waiting(_ user: UInt32) -> Int { index(of: user).map { queues[$0].items.count } ?? 0 }
}
