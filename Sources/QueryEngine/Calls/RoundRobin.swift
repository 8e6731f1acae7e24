/// A queue in which users take turns, so that a user with many items does not delay the others. Each round contains at most one item of
/// each user. A user's first item belongs to the round of the first item in the queue. Each further item belongs to the round after that of
/// the user's previous item.
struct RoundRobin<Item> {
  /// The items in the order of their rounds and, within a round, of their arrival.
  private var entries: [(user: UInt32, round: Int, item: Item)] = []
  var count: Int { entries.count }

  /// Adds a user's newest item.
  mutating func append(_ item: Item, of user: UInt32) {
    entries.insert((user, round(ofNextItemOf: user), item), at: countBeforeNextItem(of: user))
  }

  /// The number of items that are taken before the next item that this user adds.
  func countBeforeNextItem(of user: UInt32) -> Int {
    let round = round(ofNextItemOf: user)
    return entries.firstIndex { $0.round > round } ?? entries.count
  }

  private func round(ofNextItemOf user: UInt32) -> Int {
    entries.last { $0.user == user }.map { $0.round + 1 } ?? entries.first?.round ?? 0
  }

  /// Removes and returns the late items and the next item. The next item is nil if only late items were in the queue.
  ///
  /// The user with the fewest items in progress is served; if several users have equally few, the user whose turn is next. The next item is
  /// this user's first item or, if some items of this user were late, this user's newest item, which has the most time left.
  /// - Parameters:
  ///   - inProgress: the number of items in progress for each user. Absent users have none.
  ///   - isLate: returns true for an item that can no longer be used.
  mutating func next(
    inProgress: [UInt32: Int] = [:], isLate: (Item) -> Bool = { _ in false }
  ) -> (next: Item?, lateItems: [Item]) {
    var lateItems: [Item] = []
    var usersWithLateItems: Set<UInt32> = []
    entries.removeAll { entry in
      guard isLate(entry.item) else { return false }
      lateItems.append(entry.item)
      usersWithLateItems.insert(entry.user)
      return true
    }
    func inProgressCount(_ index: Int) -> Int { inProgress[entries[index].user, default: 0] }
    guard let firstIndex = entries.indices.min(by: { inProgressCount($0) < inProgressCount($1) }) else { return (nil, lateItems) }
    let user = entries[firstIndex].user
    let newestIndex = usersWithLateItems.contains(user) ? entries.lastIndex { $0.user == user } : nil
    return (entries.remove(at: newestIndex ?? firstIndex).item, lateItems)
  }

  /// Makes room for a new item of `user`: removes and returns the last item. Returns nil, and removes nothing, if the new item would itself
  /// be the last.
  mutating func drop(for user: UInt32) -> Item? { countBeforeNextItem(of: user) < count ? entries.removeLast().item : nil }

  /// Removes the first item that matches.
  mutating func remove(where matches: (Item) -> Bool) {
    if let index = entries.firstIndex(where: { matches($0.item) }) { entries.remove(at: index) }
  }
}
