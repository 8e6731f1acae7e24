import PlacesKit

/// A suspension of calls to a provider: its reason, beginning and end. Times are in seconds of the monotonic clock.
public struct Suspension: Sendable, Hashable {
  public enum Cause: String, Sendable, Hashable {
    /// Too many calls failed.
    case failures
    /// The service received too many requests.
    case rateLimit = "rate_limit"
    /// The service failed, and requested a pause.
    case pause
    /// The service refuses the key. The suspension lasts until the configuration changes or an administrator ends it.
    case credentials
    /// The quota at the service is used up. The suspension lasts until the quota's window ends.
    case quota

    /// The cause as the daemon describes it to every user.
    public var sentence: String {
      switch self {
      case .failures: "it is not called for a while since too many of its calls failed"
      case .rateLimit: "it is not called for a while since its service received too many requests"
      case .pause: "it is not called for a while since its service asked for a pause"
      case .credentials: "it is not called since its service refuses the key"
      case .quota: "it is not called until the quota of its service is reset"
      }
    }

    init(_ error: ProviderError) {
      switch error.cause {
      case .credentials: self = .credentials
      case .quota: self = .quota
      case .rateLimit: self = .rateLimit
      case .http where error.retryAfterSeconds != nil: self = .pause
      default: self = .failures
      }
    }
  }

  public var cause: Cause
  /// The provider's message about the failure that caused the suspension. It is for administrators only, because it may repeat a query.
  public var message: String
  public var since: Double
  /// Nil if only a new configuration or an administrator ends the suspension.
  public var until: Double?

  public init(cause: Cause, message: String, since: Double, until: Double?) {
    self.cause = cause
    self.message = message
    self.since = since
    self.until = until
  }

  public func isOver(at now: Double) -> Bool { until.map { now >= $0 } ?? false }

  /// The same suspension, except that it ends now.
  func ending(at now: Double) -> Suspension { Suspension(cause: cause, message: message, since: since, until: now) }

  /// True if this suspension ends no earlier than the other one.
  func outlasts(_ other: Suspension) -> Bool {
    guard let until else { return true }
    return other.until.map { until >= $0 } ?? false
  }
}
