/// Limits the requests per minute of each user, with a token bucket for each user. A bucket is full at first.
public struct UserQuota: Sendable {
  private let perMinute: Double
  private let burst: Double
  private let maxUsers: Int
  /// When each user's bucket will be full again, in monotonic seconds. A user whose bucket is full needs no entry.
  private var fullTimesByUser: [UInt32: Double] = [:]

  /// - Parameters:
  ///   - requestsPerMinute: nil for no limit.
  ///   - burst: the number of requests that an idle user may make at once; nil for `requestsPerMinute`.
  ///   - maxUsers: the maximum number of users whose bucket is not full.
  public init(requestsPerMinute: Int?, burst: Int? = nil, maxUsers: Int = 4_096) {
    perMinute = requestsPerMinute.map { Double(max(0, $0)) } ?? .infinity
    self.burst = Double(max(1, burst ?? requestsPerMinute ?? 1))
    self.maxUsers = max(1, maxUsers)
  }

  /// Admits a request and returns nil, or returns the seconds until the user's next request would be admitted.
  public mutating func admit(_ user: UInt32, at now: Double) -> Double? {
    guard perMinute < .infinity else { return nil }
    // A quota of 0 admits no request. The client is told to wait for a minute, because the quota may change.
    guard perMinute > 0 else { return 60 }
    let interval = 60 / perMinute
    let fullTime = max(now, fullTimesByUser[user] ?? now)
    let start = fullTime - interval * (burst - 1)
    guard start <= now else { return start - now }
    if fullTimesByUser[user] == nil, fullTimesByUser.count >= maxUsers { fullTimesByUser = fullTimesByUser.filter { $0.value > now } }
    // A further user is rejected, because the number of entries must be bounded.
    guard fullTimesByUser[user] != nil || fullTimesByUser.count < maxUsers else { return interval }
    fullTimesByUser[user] = fullTime + interval
    return nil
  }

  /// Returns the token of the user's last admitted request, for a request that will be admitted a second time.
  public mutating func returnToken(of user: UInt32) { fullTimesByUser[user]? -= 60 / perMinute }
}
