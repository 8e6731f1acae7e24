import Configuration
import PlacesAPI
import RPC

extension Configuration {
  /// What clients are told of this daemon.
  var info: ServiceInfo.Result {
    ServiceInfo.Result(
      version: Version.text, capabilities: ["stream", "sessions", "batches", "explain", "learning"],
      limits: ServiceInfo.Limits(
        requestBytes: limits.requestBytes, replyBytes: limits.replyBytes, depth: limits.depth, batch: limits.batch,
        inFlight: limits.inFlight, unreadBytes: limits.unreadBytes),
      defaults: ServiceInfo.Defaults(
        deadlineMs: daemon.deadlineMs, language: daemon.language, region: daemon.region, bias: daemon.bias),
      suggestedDebounceMs: providers.contains { $0.enabled && $0.id != Configuration.gazetteer } ? 150 : 0, minimumLetters: 1)
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
