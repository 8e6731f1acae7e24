import PlacesKit

/// A token bucket over all users of the machine. A call takes its token when it actually starts, so that no second has more starts than
/// allowed, however late a waiting task wakes.
public struct RateLimiter: Sendable {
  /// Seconds between calls; 0 for no limit.
  private let interval: Double
  private let burst: Double
  /// When the bucket will be full again (the generic cell rate algorithm's theoretical arrival time, ITU-T I.371).
  private var fullAt = -Double.infinity
  /// When the latest call started, and what `fullAt` was before it.
  private var latest: (start: Double, fullAt: Double)?

  /// A rate that is not a positive number means no limit.
  public init(_ rate: Rate) {
    interval = rate.perSecond.flatMap { $0 > 0 && $0.isFinite ? 1 / $0 : nil } ?? 0
    burst = Double(max(1, rate.burst))
  }

  /// The earliest start of the next call behind `waiting` others; `now` if it may start at once.
  public func nextStart(at now: Double, behind waiting: Int = 0) -> Double {
    guard interval > 0 else { return now }
    return max(now, max(fullAt, now) + interval * Double(max(0, waiting)) - interval * (burst - 1))
  }

  /// Takes a token for a call that starts now; false if the caller has to wait until `nextStart`.
  public mutating func start(at now: Double) -> Bool {
    guard interval > 0 else { return true }
    guard nextStart(at: now) <= now else { return false }
    latest = (now, fullAt)
    fullAt = max(fullAt, now) + interval
    return true
  }

  /// Returns the token of a call that started at `start` and was not sent. The token is lost if another call has started since, because the
  /// bucket may have been full in between.
  public mutating func takeBack(_ start: Double) {
    guard let latest, latest.start == start else { return }
    fullAt = latest.fullAt
    self.latest = nil
  }
}
