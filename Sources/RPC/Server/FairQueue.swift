/// Items by user. The next item is of the user who has used the least time, counted from when it last had nothing to do: start-time fair queueing
/// (Goyal, Vin and Cheng 1996) with equal weights.
struct FairQueue<Item> {
  private struct Line {
    var items: [Item] = []
    var first = 0
    /// Seconds used, on a scale that all users share.
    var used = 0.0
    /// Items that were taken and not charged yet.
    var running = 0

    var isEmpty: Bool { first == items.count }
  }

  private var lines: [UInt32: Line] = [:]
  /// The time used by the user whose item was taken last: users that had nothing to do are not owed time from before.
  private var now = 0.0

  init() {}

  mutating func add(_ item: Item, of user: UInt32) {
    var line = lines.removeValue(forKey: user) ?? Line()
    if line.isEmpty, line.running == 0 { line.used = max(line.used, now) }
    line.items.append(item)
    lines[user] = line
  }

  /// Takes the next item. `charge` must follow.
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
    // Until its real time is known, so that a user's items do not all begin at once.
    line.used += FairQueue.estimate
    lines[best.user] = line
    return (best.user, item)
  }

  /// Adds the seconds that an item of the user took.
  mutating func charge(_ seconds: Double, to user: UInt32) {
    guard var line = lines.removeValue(forKey: user) else { return }
    line.used += max(0, seconds) - FairQueue.estimate
    line.running -= 1
    // A user who is behind the others anyway need not be remembered.
    if line.isEmpty, line.running == 0, line.used <= now { return }
    lines[user] = line
  }

  private static var estimate: Double { 0.0001 }
}
