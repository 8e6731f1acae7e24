/// Limits the requests per minute of each user: a token bucket per user, full at first.
public struct UserQuota: Sendable {
  private let perMinute: Double
  private let burst: Double
  private let maxUsers: Int
  /// When each user's bucket will be full again.
  private var fullAt: [UInt32: Double] = [:]

  /// `requestsPerMinute` is the limit, nil for none; an idle user may make `burst` requests at once. Users with a full bucket are removed.
  public init(requestsPerMinute: Int?, burst: Int? = nil, maxUsers: Int = 4_096) {
    perMinute = requestsPerMinute.map { Double(max(0, $0)) } ?? .infinity
    self.burst = Double(max(1, burst ?? requestsPerMinute ?? 1))
    self.maxUsers = max(1, maxUsers)
  }

  /// Admits one request and returns nil; otherwise returns the seconds until the next one would be admitted.
  public mutating func admit(_ user: UInt32, at now: Double) -> Double? {
    guard perMinute < .infinity else { return nil }
    guard perMinute > 0 else { return 60 }
    let interval = 60 / perMinute
    let full = max(now, fullAt[user] ?? now)
    let start = full - interval * (burst - 1)
    guard start <= now else { return start - now }
    if fullAt[user] == nil, fullAt.count >= maxUsers { fullAt = fullAt.filter { $0.value > now } }
    // Without a bound, users could fill the memory.
    guard fullAt[user] != nil || fullAt.count < maxUsers else { return interval }
    fullAt[user] = full + interval
    return nil
  }

  /// Returns the token of the user's last admitted request, which is counted elsewhere.
  public mutating func takeBack(_ user: UInt32) { fullAt[user]? -= 60 / perMinute }
}
