import PlacesKit

/// The state of a configured provider.
public struct ProviderStatus: Sendable, Hashable, Codable {
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// The provider is queried if it supports the request.
    case ready
    /// The provider's plugin is being loaded, or its process is being started.
    case starting
    /// The provider is not queried until the time `until`, because calls failed.
    case suspended
    /// The provider is not queried, because its budget is used up.
    case overBudget = "over_budget"
    /// The configuration or `providers.disable` switched the provider off.
    case disabled
    /// The provider cannot work as it is configured or installed; `reason` states why.
    case failed
  }

  public var id: String
  /// The display name from the manifest.
  public var name: String
  public var plugin: String
  /// The plugin's version.
  public var version: String
  public var state: State
  /// A sentence; nil if the state is ready.
  public var reason: String?
  /// The reason as a code, as in `ProviderReport.cause`.
  public var cause: String?
  /// The time at which the state ends by itself; RFC 3339, UTC. Nil if it does not end by itself.
  public var until: String?
  /// How the plugin runs: `process` or `in-process`; nil if it does not run.
  public var isolation: String?
  /// The origins that its requests may go to, as configured, such as `https://photon.komoot.io`; nil if its manifest is not known.
  public var origins: [String]?
  /// True if queries leave this machine.
  public var leavesMachine: Bool
  /// True if none of its calls costs money; nil if its manifest is not known yet.
  public var isFree: Bool?
  /// The kinds of calls that the provider offers.
  public var calls: [Call]
  public var counters: Counters

  /// Numbers of calls since the daemon's start. `sent` is the sum of `succeeded`, `failed`, `timedOut` and `abandoned`.
  public struct Counters: Sendable, Hashable, Codable {
    /// Calls that were attempted and have ended, including those whose connection failed. A retry counts as a further call. A
    /// call that sends several requests counts once; budgets count the requests.
    public var sent = 0
    /// Calls that were answered, with or without rows.
    public var succeeded = 0
    /// Calls that ended with an error of the provider or of its service.
    public var failed = 0
    /// Calls that were not answered in time.
    public var timedOut = 0
    /// Calls that ended without an answer, because no client waited for it or the budget allowed no further request; nil if there were
    /// none.
    public var abandoned: Int?
    /// Calls that were not needed, because the cache or another call had the answer.
    public var saved = 0
    /// Rows that were dropped because they had no id; nil if there were none.
    public var dropped: Int?
    /// The median latency of the latest calls, in milliseconds; nil if there were none.
    public var medianMs: Double?
    /// The 99th percentile of these latencies.
    public var p99Ms: Double?

    public init() {}
  }

  public init(
    id: String, name: String, plugin: String, version: String, state: State, reason: String? = nil, cause: String? = nil,
    until: String? = nil, isolation: String? = nil, leavesMachine: Bool, isFree: Bool? = nil, calls: [Call],
    counters: Counters = Counters()
  ) {
    self.id = id
    self.name = name
    self.plugin = plugin
    self.version = version
    self.state = state
    self.reason = reason
    self.cause = cause
    self.until = until
    self.isolation = isolation
    self.leavesMachine = leavesMachine
    self.isFree = isFree
    self.calls = calls
    self.counters = counters
  }
}
