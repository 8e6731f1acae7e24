import PlacesKit

/// The configuration's settings for requests.
public struct EngineSettings: Sendable {
  /// Seconds after which a reply is sent if the request has no deadline.
  public var deadline = 1.0
  /// Seconds to wait for a fresh answer if there is a stale one.
  public var staleWait = 0.15
  /// The BCP 47 tag for requests without a language; nil for none.
  public var language: String?
  /// The two-letter CLDR code for requests without a region; nil for none.
  public var region: String?
  /// The bias of requests with neither bias nor restriction; nil for none.
  public var bias: Area?
  /// The providers that are preferred as the leading source of a row with several sources, after those that the request prefers.
  public var prefer: [String] = []
  /// True if places that a user chooses rank higher for that user.
  public var learns = true
  /// The maximum number of requests that run at once. Further requests wait briefly, and are then served from the cache only.
  public var maxConcurrentRequests = 2_048
  /// The maximum number of requests a minute for one user; nil for no limit.
  public var requestsPerMinute: Int?

  public init() {}
}
