/// Items by user. `next` returns an item of the user who has used the least time since the user was last idle: start-time fair queueing
/// (Goyal, Vin and Cheng 1996) with equal weights.
struct FairQueue<Item> {
  private struct Line {
    var items: [Item] = []
    var first = 0
    /// Seconds used, on a scale that all users share.
    var used = 0.0
    /// Items that were returned by `next` and not charged yet.
    var running = 0

    var isEmpty: Bool { first == items.count }
  }

  private var lines: [UInt32: Line] = [:]
  /// The used time of the user whose item was returned last. A user that was idle starts from here and is not owed earlier time.
  private var now = 0.0

  init() {}

  mutating func add(_ item: Item, of user: UInt32) {
    var line = lines.removeValue(forKey: user) ?? Line()
    if line.isEmpty, line.running == 0 { line.used = max(line.used, now) }
    line.items.append(item)
    lines[user] = line
  }

  /// Removes the next item. The caller must call `charge` afterwards.
  mutating func next() -> (user: UInt32, item: Item)? {
    var best: (user: UInt32, used: Double)?
    for (user, line) in lines where !line.isEmpty && (best.map { line.used < $0.used } ?? true) { best = (user, line.used) }
    guard let best, var line = lines.removeValue(forKey: best.user) else { return nil }
    now = max(now, line.used)
    let item = line.items[line.first]
    line.first += 1
    line.running += 1
    if line.isEmpty {
      line.items.removeAll(keepingCapacity: line.items.capacity <= 64)
      line.first = 0
    } else if line.first > 64, line.first * 2 > line.items.count {
      line.items.removeFirst(line.first)
      line.first = 0
    }
    // An estimate, until the real time is known, so that a user's items do not all start at once.
    line.used += FairQueue.estimate
    lines[best.user] = line
    return (best.user, item)
  }

  /// Adds the seconds that an item of the user took.
  mutating func charge(_ seconds: Double, to user: UInt32) {
    guard var line = lines.removeValue(forKey: user) else { return }
    line.used += max(0, seconds) - FairQueue.estimate
    line.running -= 1
    // A user with less used time than the others would start from `now` anyway, so it is removed.
    if line.isEmpty, line.running == 0, line.used <= now { return }
    lines[user] = line
  }

  private static var estimate: Double { 0.0001 }
}
