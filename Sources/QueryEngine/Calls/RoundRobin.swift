/// Those who wait for something that there is too little of, each user's in the order they came. Users have their turns before what they
/// wait for, so that nobody who asks without end keeps the others waiting.
struct RoundRobin<Item> {
  /// In the order of their turns: whoever waited longest for his is the first. Nobody is here who has nothing to wait for.
  private var lines: [(user: UInt32, items: [Item])] = []
  /// How many wait.
  private(set) var count = 0

  /// The user's newest item joins the end of his line.
  mutating func append(_ item: Item, of user: UInt32) {
    count += 1
    if let index = index(of: user) { lines[index].items.append(item) } else { lines.append((user, [item])) }
  }

  /// The oldest item of the user who has least already, and among those who have as little, of the one whose turn it is.
  /// - Parameter having: how much each user has; nothing whoever is left out.
  mutating func next(having: [UInt32: Int] = [:]) -> (item: Item, user: UInt32)? {
    guard let index = lines.indices.min(by: { having[lines[$0].user, default: 0] < having[lines[$1].user, default: 0] }) else { return nil }
    var line = lines.remove(at: index)
    let item = line.items.removeFirst()
    count -= 1
    if !line.items.isEmpty { lines.append(line) }
    return (item, line.user)
  }

  /// Whether somebody has more than this user would have with one more.
  func canYield(to user: UInt32) -> Bool { longest(for: user) != nil }

  /// Takes out the newest item of whoever has most, where that is more than this user would have with one more: for that one.
  mutating func yield(to user: UInt32) -> Item? {
    guard let index = longest(for: user) else { return nil }
    count -= 1
    return lines[index].items.popLast()
  }

  private func longest(for user: UInt32) -> Int? {
    let index = lines.indices.max { lines[$0].items.count < lines[$1].items.count }
    return index.flatMap { lines[$0].items.count > waiting(user) + 1 ? $0 : nil }
  }

  /// How many have their turn before one more of this user.
  func before(_ user: UInt32) -> Int {
    let own = waiting(user)
    return lines.reduce(0) { $0 + ($1.user == user ? own : min($1.items.count, own + 1)) }
  }

  /// Takes one out that went away.
  mutating func remove(of user: UInt32, where isGone: (Item) -> Bool) {
    guard let index = index(of: user), let place = lines[index].items.firstIndex(where: isGone) else { return }
    count -= 1
    lines[index].items.remove(at: place)
    if lines[index].items.isEmpty { lines.remove(at: index) }
  }

  private func index(of user: UInt32) -> Int? { lines.firstIndex { $0.user == user } }

  private func waiting(_ user: UInt32) -> Int { index(of: user).map { lines[$0].items.count } ?? 0 }
}
