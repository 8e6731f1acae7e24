/// A bounded queue for an overloaded daemon. The newest request is served first, because its client still waits, and the oldest is shed
/// (adaptive LIFO; Facebook, "Fail at Scale", ACM Queue 2015). It is fair between users: the user with the fewest admitted requests is
/// served next, and the user with the most waiting requests loses one.
public struct SheddingQueue<Request: Sendable>: Sendable {
  /// The result of `arrive`.
  public enum Arrival: Sendable {
    /// The request was admitted.
    case admitted
    /// The request was added to the queue. `shed` contains the requests that were removed to make room, perhaps the new request itself.
    case queued(Request, shed: [Request])
  }

  private let capacity: Int
  private let maxWaiting: Int
  private let maxWait: Double
  private var queue: [(request: Request, user: UInt32, since: Double)] = []
  /// The number of admitted requests by user. A user without admitted requests has no entry.
  private var admittedByUser: [UInt32: Int] = [:]
  /// The number of admitted requests of all users.
  private var admittedCount = 0
  /// The mean duration of a request in seconds, exponentially weighted over about ten requests.
  private var meanDuration = 0.01

  /// - Parameters:
  ///   - capacity: the maximum number of admitted requests.
  ///   - maxWaiting: the maximum number of waiting requests.
  ///   - maxWait: the seconds after which a waiting request is shed.
  public init(capacity: Int, maxWaiting: Int, maxWait: Double) {
    self.capacity = max(1, capacity)
    self.maxWaiting = max(0, maxWaiting)
    self.maxWait = max(0, maxWait)
  }

  public var load: (admitted: Int, waiting: Int) { (admittedCount, queue.count) }

  /// Seconds after which the client of a shed request may try again: the expected time to serve the queue, 0.05…5 s.
  public var retryAfter: Double { min(5, max(0.05, meanDuration * Double(queue.count + 1) / Double(capacity))) }

  /// Admits a request if there is capacity. Otherwise adds it to the queue, and sheds requests that have waited too long or exceed the
  /// maximum number. `request` is evaluated only if it must wait.
  public mutating func arrive(_ request: @autoclosure () -> Request, of user: UInt32, at now: Double) -> Arrival {
    if admittedCount < capacity {
      enter(user)
      return .admitted
    }
    let request = request()
    queue.append((request, user, now))
    var shedRequests = removeOverdue(at: now)
    while queue.count > maxWaiting, let index = indexToShed { shedRequests.append(queue.remove(at: index).request) }
    return .queued(request, shed: shedRequests)
  }

  /// Ends an admitted request. Returns the waiting request that is admitted now, and the requests that have waited too long.
  /// - Parameter seconds: the duration of the request; nil if it was admitted too late to run.
  public mutating func finish(of user: UInt32, after seconds: Double?, at now: Double) -> (next: Request?, shed: [Request]) {
    if let seconds { meanDuration += (max(0, seconds) - meanDuration) / 10 }
    leave(user)
    guard !queue.isEmpty else { return (nil, []) }
    let shedRequests = removeOverdue(at: now)
    guard let index = indexToServe else { return (nil, shedRequests) }
    let next = queue.remove(at: index)
    enter(next.user)
    return (next.request, shedRequests)
  }

  private mutating func enter(_ user: UInt32) {
    admittedByUser[user, default: 0] += 1
    admittedCount += 1
  }

  private mutating func leave(_ user: UInt32) {
    guard let count = admittedByUser[user] else { return }
    admittedByUser[user] = count > 1 ? count - 1 : nil
    admittedCount -= 1
  }

  /// The index of the newest request of the user with the fewest admitted requests; nil if no request waits.
  private var indexToServe: Int? {
    queue.indices.reversed().min { admittedByUser[queue[$0].user, default: 0] < admittedByUser[queue[$1].user, default: 0] }
  }

  /// The index of the oldest request of the user with the most requests in the queue; nil if no request waits.
  private var indexToShed: Int? {
    var waitingCounts: [UInt32: Int] = [:]
    for (_, user, _) in queue { waitingCounts[user, default: 0] += 1 }
    let maxCount = waitingCounts.values.max()
    return queue.firstIndex { waitingCounts[$0.user] == maxCount }
  }

  /// Removes and returns the requests that have waited too long.
  public mutating func removeOverdue(at now: Double) -> [Request] {
    guard let oldest = queue.first, now - oldest.since > maxWait else { return [] }
    let count = queue.prefix { now - $0.since > maxWait }.count
    defer { queue.removeFirst(count) }
    return queue.prefix(count).map(\.request)
  }

  /// Removes the waiting requests for which `hasLeft` returns true.
  public mutating func remove(where hasLeft: (Request) -> Bool) { queue.removeAll { hasLeft($0.request) } }
}
