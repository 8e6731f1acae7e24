/// Why a provider could not answer. The message is for people and holds neither a key nor the query.
public struct ProviderError: Error, Sendable, Hashable, Codable {
  /// The word that clients see as `cause`.
  public enum Cause: String, Sendable, Hashable, Codable, CaseIterable {
    /// Names could not be resolved, the host not reached, TLS not agreed on.
    case dns, connect, tls
    /// No answer in time.
    case timeout
    /// The service answered with an error of its own.
    case http
    /// The body is not what the reference says.
    case decode
    /// The body or its headers are larger than allowed.
    case tooLarge = "too_large"
    /// The key is missing, wrong, blocked or lacks a permission: off until the configuration changes.
    case credentials
    /// The contract's allowance is used up: off until its window ends.
    case quota
    /// Too many requests in a short time: wait for `retryAfter`.
    case rateLimit = "rate_limit"
    /// The service refused this request; another one may pass.
    case badRequest = "bad_request"
    /// The service cannot do what the request asks.
    case unsupported
    /// The place does not exist (any more).
    case notFound = "not_found"
    /// The provider's data is missing or damaged.
    case data
    /// The provider's process died, hung or broke the protocol.
    case plugin
    /// The caller does not want the answer any more.
    case cancelled
  }

  public var cause: Cause
  public var message: String
  /// How long to wait before trying again, where the service said so.
  public var retryAfterSeconds: Double?
  /// The service's own word for the error, such as `RATE_LIMIT_EXCEEDED` or the SDK's `usageLimitExceeded`.
  public var detail: String?

  public init(_ cause: Cause, _ message: String, retryAfterSeconds: Double? = nil, detail: String? = nil) {
    self.cause = cause
    self.message = message
    self.retryAfterSeconds = retryAfterSeconds
    self.detail = detail
  }

  /// Whether asking again at once may help: the service or the way to it failed, not the request.
  public var isTransient: Bool {
    switch cause {
    case .dns, .connect, .timeout, .http, .plugin: true
    default: false
    }
  }
}
