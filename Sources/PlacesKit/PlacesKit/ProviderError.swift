/// The reason why a provider could not answer. The message contains neither a key nor the query.
public struct ProviderError: Error, Sendable, Hashable, Codable {
  /// The code that clients receive as `cause`.
  public enum Cause: String, Sendable, Hashable, Codable, CaseIterable {
    /// The host's name could not be resolved, the host could not be reached, or TLS failed.
    case dns, connect, tls
    /// There was no answer in time.
    case timeout
    /// The service answered with an error.
    case http
    /// The body does not have the documented format.
    case decode
    /// The body or its headers are larger than allowed.
    case tooLarge = "too_large"
    /// The key is missing, wrong, blocked or lacks a permission. The provider is suspended until the configuration changes.
    case credentials
    /// The quota of the contract is used up. The provider is suspended until the quota is reset.
    case quota
    /// There were too many requests in a short time; `retryAfterSeconds` is the time to wait.
    case rateLimit = "rate_limit"
    /// The service rejected this request; a different request can succeed.
    case badRequest = "bad_request"
    /// The service cannot do what the request asks.
    case unsupported
    /// The place does not exist, or no longer exists.
    case notFound = "not_found"
    /// The provider's data is missing or damaged.
    case data
    /// The provider's process died, hung or broke the protocol.
    case plugin
    /// The caller cancelled the request.
    case cancelled
  }

  public var cause: Cause
  public var message: String
  /// The seconds after which a retry can succeed; nil if the service named no time.
  public var retryAfterSeconds: Double?
  /// The service's own code of the error, such as `RATE_LIMIT_EXCEEDED`, or `usageLimitExceeded` of Google's SDK.
  public var detail: String?

  public init(_ cause: Cause, _ message: String, retryAfterSeconds: Double? = nil, detail: String? = nil) {
    self.cause = cause
    self.message = message
    self.retryAfterSeconds = retryAfterSeconds
    self.detail = detail
  }

  /// True if an immediate retry can succeed: the service or the connection failed, not the request.
  public var isTransient: Bool {
    switch cause {
    case .dns, .connect, .timeout, .http, .plugin: true
    default: false
    }
  }
}
