import PlacesKit

/// What an administrator should be told of a provider, once. It holds nothing of the call by which it came to light: a provider's own
/// words about a failure may repeat what somebody asked.
public enum ProviderEvent: Sendable, Hashable {
  /// The first failure of this cause in ten minutes.
  case failed(ProviderError.Cause)
  /// It is asked no more.
  case suspended(Suspension)
  /// It answers after a suspension.
  case recovered
}

extension ProviderError.Cause {
  /// The cause for everybody, in words that are the daemon's own.
  public var sentence: String {
    switch self {
    case .dns: "the name of its service could not be resolved"
    case .connect: "its service could not be reached"
    case .tls: "no safe connection to its service could be made"
    case .timeout: "it did not answer in time"
    case .http: "its service answered with an error"
    case .decode: "the answer of its service could not be read"
    case .tooLarge: "the answer of its service was too large"
    case .credentials: "its service refused the key"
    case .quota: "its service's quota is used up"
    case .rateLimit: "its service said that it was asked too often"
    case .badRequest: "its service refused the request"
    case .unsupported: "it cannot do what was asked"
    case .notFound: "its service does not know the place"
    case .data: "its data is missing or damaged"
    case .plugin: "its process died, hung or broke the protocol"
    case .cancelled: "nobody waited for the answer"
    }
  }
}
