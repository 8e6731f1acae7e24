import PlacesKit

/// `[daemon]`: paths and defaults of the daemon.
public struct DaemonSettings: Sendable, Hashable {
  /// Absolute path of the Unix socket.
  public var socket: String
  /// Data that must not be lost: the spending ledger, the providers that were enabled or disabled at run time, and data of providers.
  public var stateDirectory: String
  /// Data that may be lost: the cache and the users' learned choices.
  public var cacheDirectory: String
  /// The folders that contain plugins, searched in this order.
  public var pluginDirectories: [String]
  /// Members of this group are administrators, as root and the daemon's own user are.
  public var adminGroup: String?
  /// The user that the system's `places-gateway` runs as; it may send requests on behalf of other users.
  public var gatewayUser: String?
  /// The deadline of requests that do not set one, in milliseconds.
  public var deadlineMs = 1000
  /// The language of requests that do not set one (BCP 47).
  public var language: String?
  /// The region of requests that do not set one: two letters, upper case.
  public var region: String?
  /// The area whose places rank higher for requests that do not set one.
  public var bias: Area?
  public var logLevel = LogLevel.notice
  /// True if log lines may contain the texts that users type.
  public var logQueries = false
  /// The milliseconds that a request waits for a fresh answer before it gets the expired one from the cache.
  public var staleWaitMs = 150
  /// The preferred providers, the most preferred first. The source of such a provider leads a row of several sources (`LeadingRule`).
  public var prefer: [String] = []
  /// True if a user's choices raise the rank of the chosen places for that user.
  public var learning = true

  init(locations: Locations) {
    socket = locations.socket
    stateDirectory = locations.stateDirectory
    cacheDirectory = locations.cacheDirectory
    pluginDirectories = locations.pluginDirectories
  }

  static var keys: [KeyDefinition<DaemonSettings>] {
    [
      KeyDefinition("socket", \.socket, .socketPath, "The path of the Unix socket that the daemon listens on."),
      KeyDefinition(
        "state_dir", \.stateDirectory, .path,
        "The directory of persistent data: the spending ledger, the gazetteer's index, which providers were enabled or disabled, data of providers."
      ),
      KeyDefinition(
        "cache_dir", \.cacheDirectory, .path,
        "The directory of data that may be lost: the cache of answers and the users' choices, which are learned again."),
      KeyDefinition("plugin_dirs", \.pluginDirectories, .paths, "The directories that are searched for plugins, in this order."),
      KeyDefinition(
        optional: "admin_group", \.adminGroup, .name,
        "The group whose members may administer the daemon, in addition to root and the daemon's own user."),
      KeyDefinition(
        optional: "gateway_user", \.gatewayUser, .name,
        "The user of a places-gateway that serves all local users; this user may send requests on behalf of others."),
      KeyDefinition("deadline_ms", \.deadlineMs, .integer(10...30_000), "The deadline of requests that name none, in milliseconds."),
      KeyDefinition(optional: "language", \.language, .language, "The language of answers to requests that name none."),
      KeyDefinition(optional: "region", \.region, .region, "The user's region for requests that name none."),
      KeyDefinition(optional: "bias", \.bias, .area, "The area whose places are ranked higher, for requests that name none."),
      KeyDefinition("prefer", \.prefer, .providers, "The providers that lead a row with several sources, most preferred first."),
      KeyDefinition("log_level", \.logLevel, .choice, "The log level; less important lines are not logged."),
      KeyDefinition("log_queries", \.logQueries, .boolean, "True if log lines may contain the texts that users type."),
      KeyDefinition(
        "stale_wait_ms", \.staleWaitMs, .integer(0...30_000),
        "How long the daemon waits for a fresh answer before it serves an expired one, in milliseconds."),
      KeyDefinition("learning", \.learning, .boolean, "True if places that a user chose before are ranked higher for that user."),
    ]
  }
}
