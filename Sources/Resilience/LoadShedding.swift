/// A bounded line for when the daemon cannot keep up: the newest request is served first, since somebody still looks at it,
/// and the oldest is shed (adaptive LIFO; Facebook, "Fail at Scale", ACM Queue 2015). Users have their turns before their requests: whoever
/// has the fewest inside is next, and whoever has the most in line loses one, so that nobody who asks without end takes another's place.
public struct LoadShedding<Request: Sendable>: Sendable {
  public enum Arrival: Sendable {
    case served
    /// It waits, and others were shed for it, or it was itself.
    case waits(Request, shed: [Request])
  }

  private let capacity: Int
  private let longestLine: Int
  private let longestWait: Double
  private var line: [(request: Request, user: UInt32, since: Double)] = []
  /// Requests inside by their users; whoever has none is left out.
  private var inside: [UInt32: Int] = [:]
  private var total = 0
  /// Mean seconds of service, exponentially weighted over about ten requests.
  private var service = 0.01

  /// `capacity` at once, `longestLine` waiting, each for `longestWait` seconds at most.
  public init(capacity: Int, longestLine: Int, longestWait: Double) {
    self.capacity = max(1, capacity)
    self.longestLine = max(0, longestLine)
    self.longestWait = max(0, longestWait)
  }

  public var load: (inside: Int, waiting: Int) { (total, line.count) }

  /// Seconds after which a shed caller may try again: what the line needs to be served, 0.05…5 s.
  public var retryAfter: Double { min(5, max(0.05, service * Double(line.count + 1) / Double(capacity))) }

  /// A request arrives: it is served at once, or waits, perhaps in the place of older ones, perhaps shed itself where nobody may wait.
  /// It is made only where it has to wait.
  public mutating func arrive(_ request: @autoclosure () -> Request, of user: UInt32, at now: Double) -> Arrival {
    if total < capacity {
      enter(user)
      return .served
    }
    let request = request()
    line.append((request, user, now))
    var shed = overdue(at: now)
    while line.count > longestLine, let index = indexToShed { shed.append(line.remove(at: index).request) }
    return .waits(request, shed: shed)
  }

  /// A user's request that took `seconds` is done: who is served next, and who waited too long.
  public mutating func finish(of user: UInt32, after seconds: Double, at now: Double) -> (next: Request?, shed: [Request]) {
    service += (max(0, seconds) - service) / 10
    leave(user)
    guard !line.isEmpty else { return (nil, []) }
    let shed = overdue(at: now)
    guard let index = indexToServe else { return (nil, shed) }
    let next = line.remove(at: index)
    enter(next.user)
    return (next.request, shed)
  }

  private mutating func enter(_ user: UInt32) {
    inside[user, default: 0] += 1
    total += 1
  }

  private mutating func leave(_ user: UInt32) {
    guard let count = inside[user] else { return }
    inside[user] = count > 1 ? count - 1 : nil
    total -= 1
  }

  /// The newest request of whoever has the fewest inside.
  private var indexToServe: Int? {
    line.indices.reversed().min { inside[line[$0].user, default: 0] < inside[line[$1].user, default: 0] }
  }

  /// The oldest request of whoever has the most in line.
  private var indexToShed: Int? {
    var waiting: [UInt32: Int] = [:]
    for (_, user, _) in line { waiting[user, default: 0] += 1 }
    let most = waiting.values.max()
    return line.firstIndex { waiting[$0.user] == most }
  }

  /// Those who have waited too long by now.
  public mutating func overdue(at now: Double) -> [Request] {
    guard let oldest = line.first, now - oldest.since > longestWait else { return [] }
    let count = line.prefix { now - $0.since > longestWait }.count
    defer { line.removeFirst(count) }
    return line.prefix(count).map(\.request)
  }

  /// Takes those out of the line that went away.
  public mutating func remove(where isGone: (Request) -> Bool) { line.removeAll { isGone($0.request) } }
}
