import PlacesKit

/// What the configuration says about requests.
public struct EngineSettings: Sendable {
  /// Seconds after which a reply leaves where the request does not say.
  public var deadline = 1.0
  /// Seconds to wait for a fresh answer where there is a stale one.
  public var staleWait = 0.15
  /// BCP 47, for requests that name none.
  public var language: String?
  /// Two-letter CLDR code, for requests that name none.
  public var region: String?
  /// For requests that have neither bias nor restriction.
  public var bias: Area?
  /// The providers that lead a row of several sources, after those that the request prefers.
  public var prefer: [String] = []
  /// True if the places that a user chooses rise for that user.
  public var learns = true
  /// Requests at work at once; beyond that only what is in the cache is served.
  public var requestsAtOnce = 2_048
  /// Requests a minute for one user; nil for no limit.
  public var requestsPerMinute: Int?

  public init() {}
}
