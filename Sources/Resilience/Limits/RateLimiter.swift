import PlacesKit

/// A token bucket that all users of the machine share. A call takes its token when it starts, and not when it begins to wait. Therefore
/// calls whose waits end late cannot start in a larger burst than the rate allows.
public struct RateLimiter: Sendable {
  /// The seconds in which the bucket gains one token; 0 for no limit.
  private let interval: Double
  /// The number of tokens in a full bucket.
  private let burst: Double
  /// When the bucket will be full again: the theoretical arrival time of the generic cell rate algorithm (ITU-T I.371).
  private var fullAt = -Double.infinity
  /// When the latest call started, and the value of `fullAt` before that call.
  private var latestCall: (start: Double, fullAt: Double)?

  /// A rate that is not a positive number means no limit.
  public init(_ rate: Rate) {
    if let perSecond = rate.perSecond, perSecond > 0, perSecond.isFinite {
      interval = 1 / perSecond
    } else {
      interval = 0
    }
    burst = Double(max(1, rate.burst))
  }

  /// The earliest start of a new call that `waitingCount` others precede; `now` if it may start at once.
  public func nextStart(at now: Double, behind waitingCount: Int = 0) -> Double {
    guard interval > 0 else { return now }
    return max(now, max(fullAt, now) + interval * Double(max(0, waitingCount)) - interval * (burst - 1))
  }

  /// Takes a token for a call that starts now. Returns false if there is no token. Then the caller must wait until `nextStart`.
  public mutating func takeToken(at now: Double) -> Bool {
    guard interval > 0 else { return true }
    guard nextStart(at: now) <= now else { return false }
    latestCall = (now, fullAt)
    fullAt = max(fullAt, now) + interval
    return true
  }

  /// Returns the token of a call that started at `start` and was not sent. If another call has started since, the token is lost, because
  /// the bucket may have been full before that call.
  public mutating func returnToken(takenAt start: Double) {
    guard let latestCall, latestCall.start == start else { return }
    fullAt = latestCall.fullAt
    self.latestCall = nil
  }
}
