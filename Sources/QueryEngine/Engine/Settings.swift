import PlacesKit

/// The configuration's settings for requests.
public struct EngineSettings: Sendable {
  /// Seconds after which a reply is sent if the request has no deadline.
  public var deadline = 1.0
  /// Seconds to wait for a fresh answer if there is a stale one.
  public var staleWait = 0.15
  /// BCP 47; for requests without a language.
  public var language: String?
  /// Two-letter CLDR code; for requests without a region.
  public var region: String?
  /// For requests with neither bias nor restriction.
  public var bias: Area?
  /// The providers that lead a row of several sources, after those that the request prefers.
  public var prefer: [String] = []
  /// True if places that a user chooses rank higher for that user.
  public var learns = true
  /// Requests that run at once; further ones are served from the cache alone.
  public var requestsAtOnce = 2_048
  /// Requests a minute for one user; nil for no limit.
  public var requestsPerMinute: Int?

  public init() {}
}
