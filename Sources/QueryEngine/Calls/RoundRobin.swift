/// Queues of items by user. Users take turns, so that a user with many items does not delay the others.
struct RoundRobin<Item> {
  /// The users with items, in the order of their turns: the one that has waited longest is first.
  private var queues: [(user: UInt32, items: [Item])] = []
  /// The number of items.
  private(set) var count = 0

  /// Adds a user's newest item.
  mutating func append(_ item: Item, of user: UInt32) {
    count += 1
    if let index = index(of: user) { queues[index].items.append(item) } else { queues.append((user, [item])) }
  }

  /// Removes and returns the oldest item of the user with the fewest items in progress; of several such users, the one whose turn is next.
  /// - Parameter having: the number in progress for each user; 0 if absent.
  mutating func next(having: [UInt32: Int] = [:]) -> (item: Item, user: UInt32)? {
    guard let index = nextQueue(having: having) else { return nil }
    return takeItem(fromQueueAt: index, newest: false)
  }

  /// Removes the items for which it is too late, then removes and returns the next item as `next(having:)` does. If the user had late
  /// items, the user's queue is too long, and the user's newest item is returned, which has the most time left.
  mutating func next(having: [UInt32: Int], isLate: (Item) -> Bool) -> (next: (item: Item, user: UInt32)?, late: [Item]) {
    var late: [Item] = []
    var usersWithLateItems: Set<UInt32> = []
    for index in queues.indices {
      let before = late.count
      queues[index].items.removeAll { item in
        guard isLate(item) else { return false }
        late.append(item)
        return true
      }
      if late.count > before { usersWithLateItems.insert(queues[index].user) }
    }
    count -= late.count
    queues.removeAll { $0.items.isEmpty }
    guard let index = nextQueue(having: having) else { return (nil, late) }
    return (takeItem(fromQueueAt: index, newest: usersWithLateItems.contains(queues[index].user)), late)
  }

  /// The queue of the user with the fewest items in progress; of several, the one whose turn is next.
  private func nextQueue(having: [UInt32: Int]) -> Int? {
    queues.indices.min { having[queues[$0].user, default: 0] < having[queues[$1].user, default: 0] }
  }

  private mutating func takeItem(fromQueueAt index: Int, newest: Bool) -> (item: Item, user: UInt32) {
    var queue = queues.remove(at: index)
    let item = queue.items.remove(at: newest ? queue.items.count - 1 : 0)
    count -= 1
    if !queue.items.isEmpty { queues.append(queue) }
    return (item, queue.user)
  }

  /// Removes and returns the newest item of the user with the most items, if that user has more items than `user` would have after adding
  /// one.
  mutating func drop(for user: UInt32) -> Item? {
    guard let longest = queues.indices.max(by: { queues[$0].items.count < queues[$1].items.count }),
      queues[longest].items.count > waiting(user) + 1
    else { return nil }
    count -= 1
    return queues[longest].items.popLast()
  }

  /// The number of items before the turn of a new item of this user.
  func before(_ user: UInt32) -> Int {
    let own = waiting(user)
    return queues.reduce(0) { $0 + ($1.user == user ? own : min($1.items.count, own + 1)) }
  }

  /// Removes one of a user's items.
  mutating func remove(of user: UInt32, where isGone: (Item) -> Bool) {
    guard let index = index(of: user), let place = queues[index].items.firstIndex(where: isGone) else { return }
    count -= 1
    queues[index].items.remove(at: place)
    if queues[index].items.isEmpty { queues.remove(at: index) }
  }

  private func index(of user: UInt32) -> Int? { queues.firstIndex { $0.user == user } }

  private func waiting(_ user: UInt32) -> Int { index(of: user).map { queues[$0].items.count } ?? 0 }
}
