/// Queues of items by user. Users take turns, so that a user with many items does not delay the others.
struct RoundRobin<Item> {
  /// The users that have items, in the order of their turns: the user that has waited longest is first.
  private var queues: [(user: UInt32, items: [Item])] = []
  var count: Int { queues.reduce(0) { $0 + $1.items.count } }

  /// Adds a user's newest item.
  mutating func append(_ item: Item, of user: UInt32) {
    if let index = index(of: user) { queues[index].items.append(item) } else { queues.append((user, [item])) }
  }

  /// Removes late items, and then the oldest item of the user with the fewest items in progress; nil if no item remains. If several users
  /// have equally few, the user whose turn is next is chosen. If that user had late items, the user's queue is too long. Then the user's
  /// newest item is taken instead of the oldest one, because the newest has the most time left.
  /// - Parameter inProgress: the number of items in progress for each user. Absent users have none.
  mutating func next(
    inProgress: [UInt32: Int] = [:], isLate: (Item) -> Bool = { _ in false }
  ) -> (next: (item: Item, user: UInt32)?, lateItems: [Item]) {
    var lateItems: [Item] = []
    var usersWithLateItems: Set<UInt32> = []
    for index in queues.indices {
      let user = queues[index].user
      queues[index].items.removeAll { item in
        guard isLate(item) else { return false }
        lateItems.append(item)
        usersWithLateItems.insert(user)
        return true
      }
    }
    queues.removeAll { $0.items.isEmpty }
    func inProgressCount(_ index: Int) -> Int { inProgress[queues[index].user, default: 0] }
    guard let index = queues.indices.min(by: { inProgressCount($0) < inProgressCount($1) }) else { return (nil, lateItems) }
    var queue = queues.remove(at: index)
    let item = queue.items.remove(at: usersWithLateItems.contains(queue.user) ? queue.items.count - 1 : 0)
    if !queue.items.isEmpty { queues.append(queue) }
    return ((item, queue.user), lateItems)
  }

  /// Makes room for an item of `user`: removes and returns the newest item of the user with the most items. Returns nil if that user does
  /// not have more items than `user` would have with the new one.
  mutating func drop(for user: UInt32) -> Item? {
    guard let longest = queues.indices.max(by: { queues[$0].items.count < queues[$1].items.count }),
      queues[longest].items.count > itemCount(user) + 1
    else { return nil }
    return queues[longest].items.popLast()
  }

  /// The number of items that are taken before the next item that this user adds.
  func countBeforeNextItem(of user: UInt32) -> Int {
    let countOfUser = itemCount(user)
    return queues.reduce(0) { $0 + ($1.user == user ? countOfUser : min($1.items.count, countOfUser + 1)) }
  }

  /// Removes the first of a user's items that matches.
  mutating func remove(of user: UInt32, where matches: (Item) -> Bool) {
    guard let index = index(of: user), let itemIndex = queues[index].items.firstIndex(where: matches) else { return }
    queues[index].items.remove(at: itemIndex)
    if queues[index].items.isEmpty { queues.remove(at: index) }
  }

  private func index(of user: UInt32) -> Int? { queues.firstIndex { $0.user == user } }

  private func itemCount(_ user: UInt32) -> Int { index(of: user).map { queues[$0].items.count } ?? 0 }
}
