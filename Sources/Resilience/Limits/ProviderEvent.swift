import PlacesKit

/// An event of a provider that is logged. It is logged without the provider's message, which may repeat a query.
public enum ProviderEvent: Sendable, Hashable {
  /// A call failed, for the first time with this cause in ten minutes.
  case failed(ProviderError.Cause)
  /// Calls to the provider are suspended.
  case suspended(Suspension)
  /// The provider answers again after a suspension.
  case recovered
}

extension ProviderError.Cause {
  /// A clause about the provider ("it") for messages to any user. The clause contains no part of a request.
  public var sentence: String {
    switch self {
    case .dns: "the name of its service could not be resolved"
    case .connect: "its service could not be reached"
    case .tls: "a secure connection to its service could not be established"
    case .timeout: "it did not answer in time"
    case .http: "its service answered with an error"
    case .decode: "the answer of its service could not be read"
    case .tooLarge: "the answer of its service was too large"
    case .credentials: "its service refused the key"
    case .quota: "its service's quota is used up"
    case .rateLimit: "its service received too many requests"
    case .badRequest: "its service refused the request"
    case .unsupported: "it does not support the request"
    case .notFound: "its service does not know the place"
    case .data: "its data is missing or damaged"
    case .plugin: "its process died, hung or broke the protocol"
    case .cancelled: "every caller left before it answered"
    }
  }
}
