/// A bounded queue for an overloaded daemon: the newest request is served first, since its client still waits, and the oldest is shed
/// (adaptive LIFO; Facebook, "Fail at Scale", ACM Queue 2015). It is fair between users: the user with the fewest requests inside is served
/// next, and the user with the most waiting requests loses one.
public struct LoadShedding<Request: Sendable>: Sendable {
  public enum Arrival: Sendable {
    case served
    /// The request waits, and others were shed to make room; or it was shed itself.
    case waits(Request, shed: [Request])
  }

  private let capacity: Int
  private let maxWaiting: Int
  private let maxWait: Double
  private var queue: [(request: Request, user: UInt32, since: Double)] = []
  /// The numbers of admitted requests by user, for users with at least one.
  private var inside: [UInt32: Int] = [:]
  private var total = 0
  /// Mean seconds of service, exponentially weighted over about ten requests.
  private var service = 0.01

  /// At most `capacity` requests run at once and `maxWaiting` wait, each for at most `maxWait` seconds.
  public init(capacity: Int, maxWaiting: Int, maxWait: Double) {
    self.capacity = max(1, capacity)
    self.maxWaiting = max(0, maxWaiting)
    self.maxWait = max(0, maxWait)
  }

  public var load: (inside: Int, waiting: Int) { (total, queue.count) }

  /// Seconds after which the client of a shed request may try again: the expected time to serve the queue, 0.05…5 s.
  public var retryAfter: Double { min(5, max(0.05, service * Double(queue.count + 1) / Double(capacity))) }

  /// Admits a request if there is capacity. Otherwise it waits, possibly in place of older requests, or is shed if no request may wait.
  /// `request` is evaluated only if it has to wait.
  public mutating func arrive(_ request: @autoclosure () -> Request, of user: UInt32, at now: Double) -> Arrival {
    if total < capacity {
      enter(user)
      return .served
    }
    let request = request()
    queue.append((request, user, now))
    var shed = overdue(at: now)
    while queue.count > maxWaiting, let index = indexToShed { shed.append(queue.remove(at: index).request) }
    return .waits(request, shed: shed)
  }

  /// Ends a request that took `seconds`. Returns the request that is served next, and those that waited too long.
  public mutating func finish(of user: UInt32, after seconds: Double, at now: Double) -> (next: Request?, shed: [Request]) {
    service += (max(0, seconds) - service) / 10
    leave(user)
    guard !queue.isEmpty else { return (nil, []) }
    let shed = overdue(at: now)
    guard let index = indexToServe else { return (nil, shed) }
    let next = queue.remove(at: index)
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

  /// The newest request of the user with the fewest admitted requests.
  private var indexToServe: Int? {
    queue.indices.reversed().min { inside[queue[$0].user, default: 0] < inside[queue[$1].user, default: 0] }
  }

  /// The oldest request of the user with the most requests in the queue.
  private var indexToShed: Int? {
    var waiting: [UInt32: Int] = [:]
    for (_, user, _) in queue { waiting[user, default: 0] += 1 }
    let most = waiting.values.max()
    return queue.firstIndex { waiting[$0.user] == most }
  }

  /// Removes and returns the requests that have waited too long.
  public mutating func overdue(at now: Double) -> [Request] {
    guard let oldest = queue.first, now - oldest.since > maxWait else { return [] }
    let count = queue.prefix { now - $0.since > maxWait }.count
    defer { queue.removeFirst(count) }
    return queue.prefix(count).map(\.request)
  }

  /// Removes the requests that were cancelled.
  public mutating func remove(where isGone: (Request) -> Bool) { queue.removeAll { isGone($0.request) } }
}
