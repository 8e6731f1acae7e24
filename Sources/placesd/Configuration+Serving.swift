import Configuration
import PlacesAPI
import RPC

extension Configuration {
  /// What clients are told of this daemon.
  /// - Parameter started: has the limits in force, which hold from start to end.
  func info(startedWith started: Configuration, isOn: (ProviderSettings) -> Bool) -> ServiceInfo.Result {
    ServiceInfo.Result(
      version: Version.text, capabilities: ["stream", "sessions", "batches", "explain", "learning"],
      limits: ServiceInfo.Limits(
        requestBytes: started.limits.requestBytes, replyBytes: started.limits.replyBytes, depth: started.limits.depth,
        batch: started.limits.batch,
        inFlight: started.limits.inFlight, unreadBytes: started.limits.unreadBytes),
      defaults: ServiceInfo.Defaults(
        deadlineMs: daemon.deadlineMs, language: daemon.language, region: daemon.region, bias: daemon.bias),
      suggestedDebounceMs: providers.contains { isOn($0) && $0.plugin != Configuration.gazetteer } ? 150 : 0, minimumLetters: 1)
  }

  var serverOptions: ServerOptions {
    var options = ServerOptions()
    options.limits.requestBytes = limits.requestBytes
    options.limits.replyBytes = limits.replyBytes
    options.limits.depth = limits.depth
    options.limits.batch = limits.batch
    options.limits.inFlight = limits.inFlight
    options.limits.unreadBytes = limits.unreadBytes
    options.connections = limits.connections
    options.connectionsPerUser = limits.connectionsPerUser
    return options
  }

  /// What a running daemon does not change: by name, whether it differs.
  func needingRestart(from old: Configuration) -> [(String, Bool)] {
    [
      ("daemon.socket", daemon.socket != old.daemon.socket), ("daemon.state_dir", daemon.stateDirectory != old.daemon.stateDirectory),
      ("daemon.cache_dir", daemon.cacheDirectory != old.daemon.cacheDirectory),
      ("daemon.plugin_dirs", daemon.pluginDirectories != old.daemon.pluginDirectories),
      ("daemon.admin_group", daemon.adminGroup != old.daemon.adminGroup),
      ("daemon.log_queries", daemon.logQueries != old.daemon.logQueries), ("limits", limits != old.limits), ("cache", cache != old.cache),
    ]
  }
}

extension CacheLimits {
  /// Bytes of memory for whole replies, which are given again without asking anybody: a part of what is allowed.
  var replyBytes: Int { min(8 << 20, memoryMegabytes << 20 / 2) }

  /// Bytes of memory for providers' answers: the rest.
  var answerBytes: Int { memoryMegabytes << 20 - replyBytes }
}
