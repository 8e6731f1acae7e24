import QueryEngine
import Configuration
import Resilience
import HTTP
import PluginHost
import Storage
import Linux
import PlacesAPI
import PlacesKit

/// Starts and stops providers as the configuration requires. Changes are applied one at a time. A provider with unchanged settings
/// continues to run.
actor ProviderManager {
  private let runtime: ProviderRuntime
  private let http: HTTPClient
  private let rateLimiters = RequestRateLimiters()
  private let valueStores: ProviderValueStores
  private let log: Log
  private let daemonControl: DaemonController
  private let engine: Engine
  private let budgets: BudgetService
  private let rejectedKeys: RejectedKeys
  /// Invalidates cached replies; called after each change.
  private let invalidateReplies: @Sendable () -> Void
  /// A provider that was started.
  private struct RunningProvider: Sendable {
    var settings: ProviderSettings
    /// The key for the provider's service; nil if there is none.
    var key: Secret?
    /// The text of `license_override`, which is logged when it changes; nil if there is none.
    var licence: String?
    var instance: ProviderInstance
    var hostedProvider: HostedProvider
    var isolation: String

    /// The checksum to record if the service rejects the key.
    func rejectionChecksum(_ network: NetworkSettings) -> Int64 { settings.rejectionChecksum(with: key, network) }
  }

  private var runningProviders: [String: RunningProvider] = [:]
  private var startFailures: [ProviderStartFailure] = []
  /// The warning about `quota.money_per_day` and different currencies that was last logged; nil if the last change had none.
  private var loggedCurrencyProblem: String?
  /// The ids of providers that were started since `logFaults` was last called.
  private var newlyStartedIDs: [String] = []
  private var isEnding = false

  init(
    runtime: ProviderRuntime, http: HTTPClient, engine: Engine, budgets: BudgetService, rejectedKeys: RejectedKeys,
    daemonControl: DaemonController, invalidateReplies: @escaping @Sendable () -> Void, log: Log
  ) {
    self.runtime = runtime
    self.http = http
    valueStores = ProviderValueStores(folder: daemonControl.configuration.daemon.stateDirectory)
    self.engine = engine
    self.budgets = budgets
    self.rejectedKeys = rejectedKeys
    self.daemonControl = daemonControl
    self.invalidateReplies = invalidateReplies
    self.log = log
  }

  /// Starts the providers that run inside the daemon, so that they can answer before the processes run. Only one task at a time may call
  /// the methods that change providers.
  func startInProcess() async {
    await apply(daemonControl.configuration) { $0.isolation(of: $1) == .inProcess }
  }

  /// Starts and stops the providers that were enabled or disabled by command. Returns the problems of enabled providers that could not be
  /// started.
  func applyOverrides() async -> [ConfigurationProblem] {
    await apply(daemonControl.configuration)
    return startFailures.flatMap(\.problems)
  }

  /// Reads the configuration, and starts and stops providers accordingly. Settings that need a restart of the daemon are not applied.
  /// Returns the configuration as it was read, and the problems of enabled providers that could not be started. If the configuration is
  /// invalid, throws and changes nothing.
  func reload(
    _ read: @Sendable () throws(ConfigurationErrors) -> Configuration
  ) async throws(ConfigurationErrors) -> (configuration: Configuration, failures: [ConfigurationProblem]) {
    let (currentConfiguration, newConfiguration) = (daemonControl.configuration, try read())
    let problems = await apply(newConfiguration.withoutRestart(of: currentConfiguration), replacing: currentConfiguration)
    guard problems.isEmpty else { throw ConfigurationErrors(problems) }
    return (newConfiguration, startFailures.flatMap(\.problems))
  }

  /// Records, for later starts of the daemon, that a provider's service rejected the key, or that the key may be tried again. A rejection
  /// that an earlier start of the provider received is ignored, because it may not concern the current key.
  /// - Parameter startID: the id of the start whose key was rejected; nil if the key may be tried again.
  func recordRejection(_ provider: String, startID: Int?) async {
    guard let startID else { return await rejectedKeys.record(provider, rejected: nil) }
    guard let runningProvider = runningProviders[provider], runningProvider.instance.startID == startID else { return }
    await rejectedKeys.record(provider, rejected: runningProvider.rejectionChecksum(daemonControl.configuration.network))
  }

  /// Applies a configuration: starts the providers that are new or must be restarted, passes all running providers to the engine, and stops
  /// the others. Thus a new provider is started before the one that it replaces is stopped. If a new configuration is applied and has a
  /// problem, such as settings that a plugin rejects, stops only the new providers and returns the problems.
  /// - Parameters:
  ///   - old: the current configuration, if `configuration` replaces it; nil if `configuration` is the current one.
  ///   - mayStart: returns whether a provider may be started now.
  @discardableResult private func apply(
    _ configuration: Configuration, replacing old: Configuration? = nil,
    where mayStart: (ProviderStarter, ProviderSettings) -> Bool = { _, _ in true }
  ) async -> [ConfigurationProblem] {
    let starter = ProviderStarter(
      configuration: configuration, runtime: runtime, http: http, rateLimiters: rateLimiters, valueStores: valueStores,
      rejectedKeys: rejectedKeys, log: log
    )
    let enabledSettings = configuration.providers.filter { daemonControl.isEnabled($0) }
    let unchangedProviders = runningProviders.filter { id, provider in
      guard let settings = enabledSettings.first(where: { $0.id == id }) else { return false }
      return old.map { !mustRestart(provider, settings, $0, configuration) } ?? true
    }
    let startResults = await start(enabledSettings.filter { unchangedProviders[$0.id] == nil && mayStart(starter, $0) }, with: starter)
    let priceProblems = enabledSettings.flatMap { settings in
      unchangedProviders[settings.id].map { settings.unknownPrices(in: $0.hostedProvider.service.manifest) } ?? []
    }
    let manifests = manifests(unchangedProviders, startResults)
    let currencyProblem = configuration.mixedCurrencyProblem(manifests)
    // A problem that the current configuration already has does not prevent the change.
    let newCurrencyProblem = old.map { alreadyMixesCurrencies($0, configuration, manifests) } == false ? currencyProblem : nil
    let problems = old == nil ? [] : startResults.flatMap(newProblems) + priceProblems + [newCurrencyProblem].compactMap(\.self)
    if isEnding || !problems.isEmpty {
      await Self.stop(startResults.compactMap(\.running?.hostedProvider))
      return problems
    }
    warn(of: currencyProblem)
    let providersToStop = runningProviders.filter { unchangedProviders[$0.key] == nil }.values.map(\.hostedProvider)
    runningProviders = unchangedProviders
    startFailures = []
    for start in startResults {
      switch start {
      case .running(let provider): runningProviders[provider.settings.id] = provider
      case .failed(let failure): startFailures.append(failure)
      }
    }
    for settings in enabledSettings { applySettings(settings, with: starter) }
    publish(configuration)
    for (id, provider) in runningProviders { await rejectedKeys.forget(id, unless: provider.rejectionChecksum(configuration.network)) }
    newlyStartedIDs += startResults.compactMap(\.running?.settings.id)
    await Self.stop(providersToStop)
    return []
  }

  /// The new problems in the configuration of a provider that could not be started; empty if the configuration is not the cause.
  private func newProblems(_ start: StartOutcome) -> [ConfigurationProblem] {
    guard case .failed(let failure) = start, failure.isConfigurationError,
      !startFailures.contains(where: { ($0.id, $0.reason) == (failure.id, failure.reason) })
    else { return [] }
    return failure.problems
  }

  /// The manifests of the providers that run once the change is applied.
  private func manifests(_ unchangedProviders: [String: RunningProvider], _ startResults: [StartOutcome]) -> [String: Manifest] {
    startResults.compactMap(\.running).reduce(into: unchangedProviders.mapValues(\.hostedProvider.service.manifest)) {
      $0[$1.settings.id] = $1.hostedProvider.service.manifest
    }
  }

  /// True if `quota.money_per_day` already adds amounts in different currencies in the current configuration. If a provider of that
  /// configuration could be started only now, and its program is unchanged, its new manifest is used.
  private func alreadyMixesCurrencies(_ old: Configuration, _ new: Configuration, _ manifests: [String: Manifest]) -> Bool {
    var manifestsBefore = runningProviders.mapValues(\.hostedProvider.service.manifest)
    for settings in old.providers where daemonControl.isEnabled(settings) {
      guard let next = new[provider: settings.id], (next.plugin, next.command) == (settings.plugin, settings.command) else { continue }
      manifestsBefore[settings.id] = manifests[settings.id] ?? manifestsBefore[settings.id]
    }
    return old.mixedCurrencyProblem(manifestsBefore) != nil
  }

  /// Logs a warning if `quota.money_per_day` adds amounts in different currencies, unless the last such warning was the same.
  private func warn(of currencyProblem: ConfigurationProblem?) {
    if let currencyProblem, currencyProblem.description != loggedCurrencyProblem { log(.warning, "budget", currencyProblem.description) }
    loggedCurrencyProblem = currencyProblem?.description
  }

  private enum StartOutcome: Sendable {
    case running(RunningProvider)
    case failed(ProviderStartFailure)

    var running: RunningProvider? { if case .running(let provider) = self { provider } else { nil } }
  }

  /// Starts providers at the same time, and returns the outcome of each.
  private func start(_ newSettings: [ProviderSettings], with starter: ProviderStarter) async -> [StartOutcome] {
    await withTaskGroup(of: StartOutcome.self) { group in
      for settings in newSettings {
        group.addTask(name: "start \(settings.id)") {
          let key = try? settings.secret(locations: starter.configuration.locations)
          switch await starter.start(settings, key: key) {
          case .running(let instance, let hostedProvider, let isolation):
            return .running(
              RunningProvider(settings: settings, key: key, instance: instance, hostedProvider: hostedProvider, isolation: isolation))
          case .failed(let failure): return .failed(failure)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Applies the settings of a running provider that do not concern its process, such as its weight.
  private func applySettings(_ settings: ProviderSettings, with starter: ProviderStarter) {
    guard let provider = runningProviders[settings.id] else { return }
    if let licence = settings.licenseOverride, licence != provider.licence {
      log(.notice, "licence", "provider \(settings.id) follows your licence instead of its terms: \(licence)")
    }
    if (settings.budget, settings.prices) != (provider.settings.budget, provider.settings.prices),
      let note = settings.budgetNote(for: provider.hostedProvider.service.manifest)
    {
      log(.warning, "budget", note)
    }
    runningProviders[settings.id]?.licence = settings.licenseOverride
    runningProviders[settings.id]?.settings = settings
    runningProviders[settings.id]?.instance = starter.instance(
      settings, provider.hostedProvider, key: provider.key, startID: provider.instance.startID)
  }

  /// True if the provider must be restarted: its process does not run now, or its key, or the settings of its process or of its network
  /// access, have changed.
  private func mustRestart(_ provider: RunningProvider, _ settings: ProviderSettings, _ old: Configuration, _ new: Configuration) -> Bool {
    let manifest = provider.hostedProvider.service.manifest
    return [.off, .restarting].contains(provider.hostedProvider.status.state) || settings.needsRestart(from: provider.settings)
      || provider.key != (try? settings.secret(locations: new.locations))
      || (old.network != new.network && manifest.leavesMachine)
  }

  /// Passes the providers and settings to the budgets, the administrative methods and the engine.
  private func publish(_ configuration: Configuration) {
    let instances = configuration.providers.compactMap { runningProviders[$0.id]?.instance }
    let absent = configuration.providers.filter { runningProviders[$0.id] == nil }.map(statusIfNotRunning)
    budgets.configure(
      limits: Dictionary(uniqueKeysWithValues: configuration.providers.map { ($0.id, $0.budgetLimits) }),
      userLimits: UserLimits(paidCallsPerDay: configuration.quota.paidCallsPerDay, microsPerDay: configuration.quota.moneyPerDay))
    daemonControl.update(
      configuration, hostedProviders: runningProviders.mapValues(\.hostedProvider), isolation: runningProviders.mapValues(\.isolation),
      lastLogLines: Dictionary(startFailures.map { ($0.id, $0.logLines) }) { $1 })
    engine.configure(configuration.engineSettings)
    engine.replaceProviders(instances, absent: absent)
    invalidateReplies()
  }

  /// The status of a provider that does not run.
  private func statusIfNotRunning(_ settings: ProviderSettings) -> ProviderStatus {
    if let failure = startFailures.first(where: { $0.id == settings.id }) { return failure.status }
    if daemonControl.isUncertain(settings) { return .uncertain(settings) }
    return .notRunning(settings, isEnabled: daemonControl.isEnabled(settings))
  }

  /// Logs the reasons why providers that were just started cannot answer. This is not a part of `apply`, because probes may take some time.
  func logFaults() async {
    let ids = newlyStartedIDs
    newlyStartedIDs = []
    await withDiscardingTaskGroup { group in
      for id in ids {
        group.addTask(name: "probe \(id)") { [engine, log] in
          if let fault = await engine.probeFailure(of: id) { log(.warning, "provider", "provider \(id) cannot answer: \(fault)") }
        }
      }
    }
  }

  /// Stops all providers. A change in progress stops the providers that it has started.
  func stop() async {
    isEnding = true
    let providersToStop = runningProviders.values.map(\.hostedProvider)
    runningProviders = [:]
    await Self.stop(providersToStop)
  }

  private static func stop(_ providersToStop: [HostedProvider]) async {
    await withDiscardingTaskGroup { group in
      for hostedProvider in providersToStop { group.addTask(name: "stop \(hostedProvider.id)") { await hostedProvider.stop() } }
    }
  }
}

extension ProviderStatus {
  /// The status of a provider that is disabled or still starting.
  fileprivate static func notRunning(_ settings: ProviderSettings, isEnabled: Bool) -> ProviderStatus {
    let reason: String
    if isEnabled {
      reason = "it is being started"
    } else {
      reason = settings.enabled ? "a command disabled it" : "the configuration does not enable it"
    }
    return ProviderStatus(
      id: settings.id, name: settings.id, plugin: settings.plugin ?? settings.command?.first ?? settings.id, version: "",
      state: isEnabled ? .starting : .disabled, reason: reason, leavesMachine: true, calls: [])
  }

  /// The status of a provider that does not run, because the record of the commands that may have disabled it is lost.
  fileprivate static func uncertain(_ settings: ProviderSettings) -> ProviderStatus {
    var status = ProviderStatus.notRunning(settings, isEnabled: false)
    status.state = .failed
    status.reason =
      "the record of disabled providers is lost: run placesctl providers enable \(settings.id), or disable"
    return status
  }
}

extension Configuration {
  var engineSettings: EngineSettings {
    var settings = EngineSettings()
    settings.deadline = Double(daemon.deadlineMs) / 1000
    settings.staleWait = Double(daemon.staleWaitMs) / 1000
    settings.language = daemon.language
    settings.region = daemon.region
    settings.bias = daemon.bias
    settings.prefer = daemon.prefer
    settings.learns = daemon.learning
    settings.requestsPerMinute = quota.requestsPerMinute
    return settings
  }
}
