import PlacesKit

/// The outcome of a request at one provider.
public struct ProviderReport: Sendable, Hashable, Codable, JSONWritable {
  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    case ok, empty, timeout, error
    case rateLimited = "rate_limited"
    case suspended
    case overBudget = "over_budget"
    case skipped, cancelled

    /// True if the provider answered.
    public var isAnswer: Bool { self == .ok || self == .empty }
  }

  /// The origin of the answer: the service (`live`), or the cache, with a fresh answer (`cache`) or an expired one (`stale`).
  public enum Served: String, Sendable, Hashable, Codable, CaseIterable { case live, cache, stale }

  public var provider: String
  public var outcome: Outcome
  /// The number of rows that the provider returned.
  public var count: Int
  /// The duration in milliseconds.
  public var latencyMs: Double
  /// Nil if there is no answer.
  public var served: Served?
  /// The reason for a missing answer, as a code such as `dns`, `quota` or `letters`; nil if the outcome is ok or empty.
  public var cause: String?
  /// The reason as a sentence; if the outcome is empty, a hint for a better request.
  public var message: String?
  /// The service's own error code, such as Google's `keyInvalid` or `rateLimitExceeded` (GMSPlacesErrorCode).
  public var detail: String?
  public var retryAfterMs: Int?

  public init(
    provider: String, outcome: Outcome, count: Int = 0, latencyMs: Double = 0, served: Served? = nil, cause: String? = nil,
    message: String? = nil, detail: String? = nil, retryAfterMs: Int? = nil
  ) {
    self.provider = provider
    self.outcome = outcome
    self.count = count
    self.latencyMs = latencyMs
    self.served = served
    self.cause = cause
    self.message = message
    self.detail = detail
    self.retryAfterMs = retryAfterMs
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("provider", provider)
      writer.member("outcome", outcome.rawValue)
      writer.member("count", count)
      writer.member("latencyMs", latencyMs)
      writer.optional("served", served?.rawValue)
      writer.optional("cause", cause)
      writer.optional("message", message)
      writer.optional("detail", detail)
      writer.optional("retryAfterMs", retryAfterMs)
    }
  }
}

extension ProviderReport {
  /// The latency of a provider on this machine as other users may see it: rounded up to a power of ten milliseconds, at least 10. The
  /// exact time would reveal whether another user had sent the same query before.
  public static func coarseLatency(milliseconds: Double) -> Double {
    guard milliseconds > 0 else { return 0 }
    var coarse = 10.0
    while coarse < milliseconds, coarse < 1e6 { coarse *= 10 }
    return coarse
  }
}
