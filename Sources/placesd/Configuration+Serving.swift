import Configuration
import PlacesAPI
import RPC

extension Configuration {
  /// The description of this daemon for clients.
  /// - Parameters:
  ///   - warnings: the conditions that limit the daemon now.
  ///   - isEnabled: returns whether a provider is enabled, by a command or by the configuration.
  func info(warnings: [String], isEnabled: (ProviderSettings) -> Bool) -> ServiceInfo.Result {
    // A call of a service may cost money, so clients should not send a request for every keystroke. Calls of the gazetteer are free.
    let suggestedDebounceMs = providers.contains { isEnabled($0) && $0.plugin != Configuration.gazetteer } ? 150 : 0
    return ServiceInfo.Result(
      version: Version.text, capabilities: ["stream", "sessions", "batches", "explain", "learning"],
      limits: ServiceInfo.Limits(
        requestBytes: limits.requestBytes, replyBytes: limits.replyBytes, depth: limits.depth, batch: limits.batch,
        inFlight: limits.inFlight, unreadBytes: limits.unreadBytes),
      defaults: ServiceInfo.Defaults(
        deadlineMs: daemon.deadlineMs, language: daemon.language, region: daemon.region, bias: daemon.bias),
      suggestedDebounceMs: suggestedDebounceMs, minimumLetters: 1, warnings: warnings.isEmpty ? nil : warnings)
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

  /// The keys and sections that differ from the running configuration and take effect only at a restart.
  func keysNeedingRestart(comparedWith running: Configuration) -> [String] {
    let keys = [
      ("daemon.socket", daemon.socket != running.daemon.socket),
      ("daemon.state_dir", daemon.stateDirectory != running.daemon.stateDirectory),
      ("daemon.cache_dir", daemon.cacheDirectory != running.daemon.cacheDirectory),
      ("daemon.plugin_dirs", daemon.pluginDirectories != running.daemon.pluginDirectories),
      ("daemon.admin_group", daemon.adminGroup != running.daemon.adminGroup),
      ("daemon.gateway_user", daemon.gatewayUser != running.daemon.gatewayUser),
      ("daemon.log_queries", daemon.logQueries != running.daemon.logQueries), ("limits", limits != running.limits),
      ("cache", cache != running.cache),
    ]
    return keys.filter(\.1).map(\.0)
  }

  /// This configuration, but with the running values of the keys that take effect only at a restart.
  func withoutRestart(of running: Configuration) -> Configuration {
    var configuration = self
    configuration.daemon.socket = running.daemon.socket
    configuration.daemon.stateDirectory = running.daemon.stateDirectory
    configuration.daemon.cacheDirectory = running.daemon.cacheDirectory
    configuration.daemon.pluginDirectories = running.daemon.pluginDirectories
    configuration.daemon.adminGroup = running.daemon.adminGroup
    configuration.daemon.gatewayUser = running.daemon.gatewayUser
    configuration.daemon.logQueries = running.daemon.logQueries
    configuration.limits = running.limits
    configuration.cache = running.cache
    return configuration
  }
}

extension CacheLimits {
  /// The memory for the cache of whole replies, in bytes: half of `memoryMegabytes`, but at most 8 MiB.
  var replyBytes: Int { min(8 << 20, memoryMegabytes << 20 / 2) }

  /// The memory for the cache of providers' answers, in bytes: the remainder of `memoryMegabytes`.
  var answerBytes: Int { memoryMegabytes << 20 - replyBytes }
}
