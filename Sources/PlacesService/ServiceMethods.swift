import QueryEngine
import Resilience
import PlacesAPI
import PlacesKit
import Storage

extension MethodTable {
  /// Adds the methods `service.*`, `rpc.discover` and `types.list`.
  mutating func addService(
    _ engine: Engine, _ daemonControl: any DaemonControl, _ cachedAutocomplete: CachedAutocomplete, _ cache: Cache,
    _ budgetReporter: BudgetReporter,
    info: @escaping @Sendable () -> ServiceInfo.Result
  ) {
    on(ServiceInfo.self) { (_, _) throws(APIError) in info() }
    on(Discover.self) { (_, _) throws(APIError) in Catalogue.openRPC(version: info().version) }
    on(TypesList.self) { (_, _) throws(APIError) in
      let manifests = engine.status.compactMap { status in engine.manifest(of: status.id).map { (status.id, $0) } }
      return TypesList.Result { type in
        Dictionary(uniqueKeysWithValues: manifests.compactMap { id, manifest in manifest.typeWords[type.rawValue].map { (id, $0) } })
      }
    }
    on(ServiceReload.self) { (_, _) throws(APIError) in await daemonControl.reload() }
    on(ServiceMetrics.self) { (parameters, _) throws(APIError) in
      let metrics = Metrics(
        load: daemonControl.load, replyCache: cachedAutocomplete.replyCache, isCacheWritable: cache.diskFault == nil,
        providers: engine.status,
        budgets: budgetReporter.rowsIfLoaded, isRunning: { engine.manifest(of: $0) != nil })
      return parameters.format == .json ? metrics.json : .string(metrics.openMetrics)
    }
    on(ServiceLog.self) { (parameters, _) throws(APIError) in
      var daemonControl = daemonControl
      if let level = parameters.level { daemonControl.logLevel = level }
      return ServiceLog.Result(level: daemonControl.logLevel, lines: daemonControl.log(lines: parameters.lines))
    }
  }

  /// Adds the methods `providers.*`.
  mutating func addProviders(_ engine: Engine, _ daemonControl: any DaemonControl, _ cachedAutocomplete: CachedAutocomplete) {
    let configuredProviders = ConfiguredProviders(engine: engine, daemonControl: daemonControl)
    on(ProvidersList.self) { (_, call) throws(APIError) in
      ProvidersList.Result(providers: await configuredProviders.statuses.map { $0.visible(to: call.caller) })
    }
    on(ProvidersGet.self) { (parameters, call) throws(APIError) in
      let status = try await configuredProviders.status(of: parameters.provider).visible(to: call.caller)
      return ProvidersGet.Result(provider: status, manifest: engine.manifest(of: parameters.provider))
    }
    on(ProvidersTest.self) { (parameters, call) throws(APIError) in
      _ = try await configuredProviders.status(of: parameters.provider)
      return try await engine.test(parameters, caller: call.engineCaller)
    }
    on(ProvidersEnable.self) { (parameters, _) throws(APIError) in
      try await configuredProviders.setEnabled(true, parameters.provider, cachedAutocomplete)
    }
    on(ProvidersDisable.self) { (parameters, _) throws(APIError) in
      try await configuredProviders.setEnabled(false, parameters.provider, cachedAutocomplete)
    }
    on(ProvidersReset.self) { (parameters, _) throws(APIError) in
      try await configuredProviders.reset(parameters.provider, cachedAutocomplete)
    }
    on(ProvidersResume.self) { (parameters, _) throws(APIError) in
      _ = try await configuredProviders.status(of: parameters.provider)
      engine.resume(parameters.provider)
      daemonControl.restart(provider: parameters.provider)
      return ProviderChange(provider: try await configuredProviders.status(of: parameters.provider))
    }
    on(ProvidersLog.self) { (parameters, _) throws(APIError) in
      guard let lines = daemonControl.logLines(of: parameters.provider, count: parameters.lines) else {
        throw .unknownProvider(parameters.provider)
      }
      return ProvidersLog.Result(lines: lines)
    }
  }
}

/// The configured providers, even those that do not run.
private struct ConfiguredProviders: Sendable {
  let engine: Engine
  let daemonControl: any DaemonControl

  /// The status of every provider, in the order of the configuration.
  var statuses: [ProviderStatus] {
    get async {
      let engineStatuses = engine.status
      return await withTaskGroup(of: (Int, ProviderStatus).self) { group in
        for (index, status) in engineStatuses.enumerated() {
          group.addTask(name: "probe \(status.id)") { (index, await completed(status)) }
        }
        return await group.reduce(into: engineStatuses) { $0[$1.0] = $1.1 }
      }
    }
  }

  func status(of id: String) async throws(APIError) -> ProviderStatus {
    guard let status = engine.status(of: id) else { throw .unknownProvider(id) }
    return await completed(status)
  }

  func setEnabled(_ isEnabled: Bool, _ id: String, _ cachedAutocomplete: CachedAutocomplete) async throws(APIError) -> ProviderChange {
    _ = try await status(of: id)
    try await daemonControl.setEnabled(isEnabled, provider: id)
    cachedAutocomplete.replyCache.invalidate(.all)
    return ProviderChange(provider: try await status(of: id))
  }

  /// Removes the stored effect of `setEnabled`, so that the configuration decides again whether the provider is enabled. A provider that is
  /// no longer configured is accepted, because its entry could otherwise not be removed.
  func reset(_ id: String, _ cachedAutocomplete: CachedAutocomplete) async throws(APIError) -> ProviderChange {
    guard engine.status(of: id) != nil || daemonControl.hasEnabledOverride(provider: id) else { throw .unknownProvider(id) }
    try await daemonControl.setEnabled(nil, provider: id)
    cachedAutocomplete.replyCache.invalidate(.all)
    guard let status = engine.status(of: id) else { return ProviderChange(provider: .unconfigured(id)) }
    return ProviderChange(provider: await completed(status))
  }

  /// The status completed with the provider's isolation, its origins and, if its probe failed, the reason why it cannot answer.
  private func completed(_ status: ProviderStatus) async -> ProviderStatus {
    var status = status
    if status.state == .ready, let failure = await engine.probeFailure(of: status.id) {
      status.state = .failed
      status.reason = failure
      status.cause = ProviderError.Cause.data.rawValue
    }
    status.isolation = daemonControl.isolation(of: status.id) ?? status.isolation
    status.origins = daemonControl.origins(of: status.id)
    return status
  }
}

extension ProviderStatus {
  /// The status of a provider that is not configured, and that a command had enabled or disabled.
  fileprivate static func unconfigured(_ id: String) -> ProviderStatus {
    ProviderStatus(
      id: id, name: id, plugin: id, version: "", state: .disabled,
      reason: "it is not configured, and the command that enabled or disabled it no longer applies",
      leavesMachine: true, calls: [])
  }

  /// The status as a caller may see it. A provider's message about a failed call, or about the end of its process, may repeat another
  /// user's query. Only administrators receive it. Other users receive a sentence that describes the cause. They also receive only coarse
  /// latencies of a provider on this machine.
  func visible(to caller: Caller) -> ProviderStatus {
    guard !caller.isAdministrator else { return self }
    var status = self
    if state == .suspended {
      status.reason = cause.flatMap(Suspension.Cause.init(rawValue:))?.sentence
    } else if cause == ProviderError.Cause.plugin.rawValue {
      status.reason = ProviderError.Cause.plugin.sentence
    }
    if !leavesMachine {
      status.counters.medianMs = counters.medianMs.map(ProviderReport.coarseLatency(milliseconds:))
      status.counters.p99Ms = counters.p99Ms.map(ProviderReport.coarseLatency(milliseconds:))
    }
    return status
  }
}

extension APIError {
  static func unknownProvider(_ id: String) -> APIError {
    APIError(.notFound, "no provider named \(id) is configured; providers.list names them all")
  }
}
