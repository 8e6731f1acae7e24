/// A bounded line for when the daemon cannot keep up: the newest request is served first, since somebody still looks at it,
/// and the oldest is shed (adaptive LIFO; Facebook, "Fail at Scale", ACM Queue 2015).
public struct Shedding<Request: Sendable>: Sendable {
  public enum Arrival: Sendable {
    case served
    /// It waits, and these were shed for it.
    case waits(shed: [Request])
  }

  private let capacity: Int
  private let longestLine: Int
  private let longestWait: Double
  private var line: [(request: Request, since: Double)] = []
  private var inside = 0
  /// Mean seconds of service, exponentially weighted over about ten requests.
  private var service = 0.01

  /// `capacity` at once, `longestLine` waiting, each for `longestWait` seconds at most.
  public init(capacity: Int, longestLine: Int, longestWait: Double) {
    self.capacity = max(1, capacity)
    self.longestLine = max(0, longestLine)
    self.longestWait = max(0, longestWait)
  }

  public var load: (inside: Int, waiting: Int) { (inside, line.count) }

  /// Seconds after which a shed caller may try again: what the line needs to be served, 0.05…5 s.
  public var retryAfter: Double { min(5, max(0.05, service * Double(line.count + 1) / Double(capacity))) }

  /// A request arrives: it is served at once, or waits, perhaps in the place of older ones, perhaps shed itself where nobody may wait.
  public mutating func arrive(_ request: Request, at now: Double) -> Arrival {
    if inside < capacity {
      inside += 1
      return .served
    }
    line.append((request, now))
    var shed = overdue(at: now)
    while line.count > longestLine { shed.append(line.removeFirst().request) }
    return .waits(shed: shed)
  }

  /// A request that took `seconds` is done: who is served next, and who waited too long.
  public mutating func finish(after seconds: Double, at now: Double) -> (next: Request?, shed: [Request]) {
    service += (max(0, seconds) - service) / 10
    let shed = overdue(at: now)
    guard let next = line.popLast() else {
      inside = max(0, inside - 1)
      return (nil, shed)
    }
    return (next.request, shed)
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
