import PlacesKit

/// `[daemon]`: where the daemon lives and how it behaves by default.
public struct DaemonSettings: Sendable, Hashable {
  /// Absolute path of the Unix socket.
  public var socket: String
  /// What must survive: the spending ledger, learned choices, switches set at run time.
  public var stateDirectory: String
  /// What may be lost: the cache.
  public var cacheDirectory: String
  /// Folders that plugins are looked for in, in this order.
  public var pluginDirectories: [String]
  /// Members of this group are administrators, beside root and the daemon's own user.
  public var adminGroup: String?
  /// Milliseconds, for requests that name no deadline.
  public var deadlineMs = 1000
  /// BCP 47, for requests that name no language.
  public var language: String?
  /// Two letters, upper case.
  public var region: String?
  public var bias: Area?
  public var logLevel = LogLevel.notice
  public var logQueries = false
  /// Milliseconds after which an expired answer is given while the fresh one is on its way.
  public var staleWaitMs = 150
  /// The providers that lead a row of several sources, the most preferred first.
  public var prefer: [String] = []
  /// True if chosen places rise for the user who chose them.
  public var learning = true

  init(locations: Locations) {
    socket = locations.socket
    stateDirectory = locations.stateDirectory
    cacheDirectory = locations.cacheDirectory
    pluginDirectories = locations.pluginDirectories
  }

  static var keys: [Key<DaemonSettings>] {
    [
      Key("socket", \.socket, .socketPath, "Path of the Unix socket that the daemon listens on."),
      Key("state_dir", \.stateDirectory, .path, "Folder of what must survive: the spending ledger, learned choices, switches."),
      Key("cache_dir", \.cacheDirectory, .path, "Folder of what may be lost: the cache of answers."),
      Key("plugin_dirs", \.pluginDirectories, .paths, "Folders that plugins are looked for in, first to last."),
      Key(optional: "admin_group", \.adminGroup, .word, "Members of this group may administer the daemon, as root and its own user may."),
      Key("deadline_ms", \.deadlineMs, .integer(10...30_000), "When an answer leaves, for requests that name no deadline."),
      Key(optional: "language", \.language, .language, "Language of answers, for requests that name none."),
      Key(optional: "region", \.region, .region, "Region of the user, for requests that name none."),
      Key(optional: "bias", \.bias, .area, "Area that answers lean towards, for requests that name none."),
      Key("prefer", \.prefer, .providers, "Providers that lead a row of several sources, the most preferred first."),
      Key("log_level", \.logLevel, .choice, "The least important lines that are logged."),
      Key("log_queries", \.logQueries, .boolean, "Whether log lines may hold what users type."),
      Key("stale_wait_ms", \.staleWaitMs, .integer(0...30_000), "How long a fresh answer is waited for before an expired one is given."),
      Key("learning", \.learning, .boolean, "Whether places that a user chose before rise for that user."),
    ]
  }
}
