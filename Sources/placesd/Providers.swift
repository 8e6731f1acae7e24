import QueryEngine
import Configuration
import Resilience
import HTTP
import PluginHost
import Storage
import Linux
import PlacesAPI
import PlacesKit

/// Brings the running providers in line with the configuration, one change at a time. What did not change goes on undisturbed.
actor Providers {
  private let hosting: Hosting
  private let http: HTTPClient
  private let rateLimiters = RequestRateLimiters()
  private let storages: InstanceStorages
  private let log: Log
  private let administration: DaemonAdministration
  private let engine: Engine
  private let budgets: BudgetService
  private let refused: RefusedKeys
  /// What was answered before a change holds no longer, from the moment on that the change is in force.
  private let forgetAnswers: @Sendable () -> Void
  /// A provider that was brought up.
  private struct Running: Sendable {
    var settings: ProviderSettings
    /// What it was given to show to its service.
    var key: Secret?
    /// The licence that the log tells of.
    var licence: String?
    var instance: ProviderInstance
    var hosted: HostedProvider
    var isolation: String

    func check(_ network: NetworkSettings) -> Int64 { settings.check(with: key, network) }
  }

  private var running: [String: Running] = [:]
  private var failed: [FailedStart] = []
  /// The sum over different currencies that the log was told of last.
  private var toldMixture: String?
  /// Providers that were started since somebody looked what they lack.
  private var newcomers: [String] = []
  private var isEnding = false
  /// An actor alone lets the next change in wherever one waits; so they stand in line.
  private var isChanging = false
  private var line: [CheckedContinuation<Void, Never>] = []

  init(
    hosting: Hosting, http: HTTPClient, engine: Engine, budgets: BudgetService, refused: RefusedKeys, administration: DaemonAdministration,
    forgetAnswers: @escaping @Sendable () -> Void, log: Log
  ) {
    self.hosting = hosting
    self.http = http
    storages = InstanceStorages(folder: administration.configuration.daemon.stateDirectory)
    self.engine = engine
    self.budgets = budgets
    self.refused = refused
    self.administration = administration
    self.forgetAnswers = forgetAnswers
    self.log = log
  }

  /// Starts what shall run inside the daemon, so that it can answer before the processes are up.
  func startTrusted() async {
    await begin()
    defer { end() }
    await apply(administration.configuration) { $0.isolation(of: $1) == .inProcess }
  }

  /// Starts and stops providers as the switches say; gives what is wrong with what is on and could not be brought up.
  func applySwitches() async -> [ConfigurationProblem] {
    await begin()
    defer { end() }
    await apply(administration.configuration)
    return failed.flatMap(\.problems)
  }

  /// Starts, keeps and stops providers as a configuration says that is read when the changes before are made, and gives it as it was read,
  /// with what is wrong with what is on and could not be brought up; where it cannot be read, nothing changes. What in it needs another
  /// start of the daemon does not come into force.
  func reload(
    _ read: @Sendable () throws(ConfigurationErrors) -> Configuration
  ) async throws(ConfigurationErrors) -> (written: Configuration, failures: [ConfigurationProblem]) {
    await begin()
    defer { end() }
    let (running, written) = (administration.configuration, try read())
    let problems = await apply(written.withoutRestart(of: running), replacing: running)
    guard problems.isEmpty else { throw ConfigurationErrors(problems) }
    // Before the next change, which would put others in their place.
    return (written, failed.flatMap(\.problems))
  }

  /// Keeps for later starts that a provider's service refused the key, or that it is to be asked again. What was refused to a start that
  /// another one has replaced, or none, says nothing of the key that is in force.
  /// - Parameter start: the one that was refused; nil where the service is to be asked again.
  func note(_ provider: String, refused start: Int?) async {
    guard let start else { return await refused.note(provider, refused: nil) }
    guard let known = running[provider], known.instance.start == start else { return }
    await refused.note(provider, refused: known.check(administration.configuration.network))
  }

  private func begin() async {
    if isChanging { return await withCheckedContinuation { line.append($0) } }
    isChanging = true
  }

  private func end() {
    if line.isEmpty { isChanging = false } else { line.removeFirst().resume() }
  }

  /// What replaces a running provider is started, and asked, before the old one is stopped. Where another configuration is to take the
  /// place of the one in force and a plugin refuses its settings, nothing changes and the problems are given.
  /// - Parameter old: the configuration in force, where another one takes its place.
  @discardableResult private func apply(
    _ configuration: Configuration, replacing old: Configuration? = nil,
    where chosen: (ProviderStarter, ProviderSettings) -> Bool = { _, _ in true }
  ) async -> [ConfigurationProblem] {
    let starter = ProviderStarter(
      configuration: configuration, hosting: hosting, http: http, rateLimiters: rateLimiters, storages: storages, refused: refused, log: log
    )
    let wanted = configuration.providers.filter { administration.isOn($0) }
    let kept = running.filter { id, provider in
      guard let settings = wanted.first(where: { $0.id == id }) else { return false }
      return old.map { !mustRestart(provider, settings, $0, configuration) } ?? true
    }
    let started = await start(wanted.filter { kept[$0.id] == nil && chosen(starter, $0) }, with: starter)
    let unpriced = wanted.flatMap { settings in kept[settings.id].map { settings.unknownPrices(in: $0.hosted.service.manifest) } ?? [] }
    let manifests = manifests(kept, started)
    let mixture = configuration.mixedCurrencies(manifests)
    let brought = old.map { mixesBefore($0, configuration, manifests) } == false ? mixture : nil
    let problems = old == nil ? [] : started.flatMap(newProblems) + unpriced + [brought].compactMap(\.self)
    if isEnding || !problems.isEmpty {
      await Self.stop(started.compactMap(\.running?.hosted))
      return problems
    }
    warn(of: mixture)
    let leaving = running.filter { kept[$0.key] == nil }.values.map(\.hosted)
    running = kept
    failed = []
    for start in started {
      switch start {
      case .running(let provider): running[provider.settings.id] = provider
      case .failed(let failure): failed.append(failure)
      }
    }
    for settings in wanted { renew(settings, with: starter) }
    publish(configuration)
    for (id, provider) in running { await refused.forget(id, unless: provider.check(configuration.network)) }
    newcomers += started.compactMap(\.running?.settings.id)
    await Self.stop(leaving)
    return []
  }

  /// What is wrong in what is written of a provider that could not be brought up; nothing for what was so before, and for bad luck.
  private func newProblems(_ start: Start) -> [ConfigurationProblem] {
    guard case .failed(let failure) = start, failure.isMistaken,
      !failed.contains(where: { ($0.id, $0.reason) == (failure.id, failure.reason) })
    else { return [] }
    return failure.problems
  }

  /// What the providers tell of themselves that would run.
  private func manifests(_ kept: [String: Running], _ started: [Start]) -> [String: Manifest] {
    started.compactMap(\.running).reduce(into: kept.mapValues(\.hosted.service.manifest)) {
      $0[$1.settings.id] = $1.hosted.service.manifest
    }
  }

  /// Whether what is written in the configuration in force has a sum over different currencies already, also where a provider of it could
  /// not be brought up until now.
  private func mixesBefore(_ old: Configuration, _ new: Configuration, _ manifests: [String: Manifest]) -> Bool {
    var before = running.mapValues(\.hosted.service.manifest)
    for settings in old.providers where administration.isOn(settings) {
      guard let next = new[provider: settings.id], (next.plugin, next.command) == (settings.plugin, settings.command) else { continue }
      before[settings.id] = manifests[settings.id] ?? before[settings.id]
    }
    return old.mixedCurrencies(before) != nil
  }

  /// Says once in the log that a sum is over amounts of different currencies.
  private func warn(of mixture: ConfigurationProblem?) {
    if let mixture, mixture.description != toldMixture { log(.warning, "budget", mixture.description) }
    toldMixture = mixture?.description
  }

  private enum Start: Sendable {
    case running(Running)
    case failed(FailedStart)

    var running: Running? { if case .running(let provider) = self { provider } else { nil } }
  }

  private func start(_ missing: [ProviderSettings], with starter: ProviderStarter) async -> [Start] {
    await withTaskGroup(of: Start.self) { group in
      for settings in missing {
        group.addTask(name: "start \(settings.id)") {
          let key = try? settings.secret(locations: starter.configuration.locations)
          switch await starter.start(settings, key: key) {
          case .running(let instance, let hosted, let isolation):
            return .running(Running(settings: settings, key: key, instance: instance, hosted: hosted, isolation: isolation))
          case .failed(let failure): return .failed(failure)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Gives a running provider what its settings say and its process does not know, such as its weight.
  private func renew(_ settings: ProviderSettings, with starter: ProviderStarter) {
    guard let provider = running[settings.id] else { return }
    if let licence = settings.licenseOverride, licence != provider.licence {
      log(.notice, "licence", "provider \(settings.id) follows a licence of yours instead of its terms: \(licence)")
    }
    if (settings.budget, settings.prices) != (provider.settings.budget, provider.settings.prices),
      let note = settings.budgetNote(for: provider.hosted.service.manifest)
    {
      log(.warning, "budget", note)
    }
    running[settings.id]?.licence = settings.licenseOverride
    running[settings.id]?.settings = settings
    running[settings.id]?.instance = starter.instance(settings, provider.hosted, key: provider.key, start: provider.instance.start)
  }

  /// Whether the provider must be started anew: for settings that it was made from, for another key, for another way out, or because it
  /// does not run.
  private func mustRestart(_ running: Running, _ settings: ProviderSettings, _ old: Configuration, _ new: Configuration) -> Bool {
    let manifest = running.hosted.service.manifest
    return [.off, .restarting].contains(running.hosted.status.state) || settings.needsRestart(from: running.settings, manifest)
      || running.key != (try? settings.secret(locations: new.locations))
      || (old.network != new.network && manifest.leavesMachine)
  }

  private func publish(_ configuration: Configuration) {
    let instances = configuration.providers.compactMap { running[$0.id]?.instance }
    let absent = configuration.providers.filter { running[$0.id] == nil }.map { settings in
      failed.first { $0.id == settings.id }?.status
        ?? (administration.isDoubtful(settings) ? .doubtful(settings) : .off(settings, isOn: administration.isOn(settings)))
    }
    budgets.configure(
      limits: Dictionary(uniqueKeysWithValues: configuration.providers.map { ($0.id, $0.budgetLimits) }),
      userLimits: UserLimits(paidCallsPerDay: configuration.quota.paidCallsPerDay, microsPerDay: configuration.quota.moneyPerDay))
    administration.adopt(
      configuration, hosted: running.mapValues(\.hosted), isolation: running.mapValues(\.isolation),
      lastLines: Dictionary(failed.map { ($0.id, $0.lines) }) { $1 })
    engine.configure(configuration.engineSettings)
    engine.replaceProviders(instances, absent: absent)
    forgetAnswers()
  }

  /// Says in the log what providers lack that were just started. No change waits for it, since a provider may take its time to tell.
  func tellAilments() async {
    let ids = newcomers
    newcomers = []
    await withDiscardingTaskGroup { group in
      for id in ids {
        group.addTask(name: "look what \(id) lacks") { [engine, log] in
          if let ailment = await engine.ailment(of: id) { log(.warning, "provider", "provider \(id) cannot answer: \(ailment)") }
        }
      }
    }
  }

  /// Ends every provider's process. What a change under way has started ends with that change.
  func stop() async {
    isEnding = true
    let leaving = running.values.map(\.hosted)
    running = [:]
    await Self.stop(leaving)
  }

  private static func stop(_ leaving: [HostedProvider]) async {
    await withDiscardingTaskGroup { group in
      for hosted in leaving { group.addTask(name: "stop \(hosted.id)") { await hosted.stop() } }
    }
  }
}

extension ProviderStatus {
  /// A provider that is switched off, or still being started.
  fileprivate static func off(_ settings: ProviderSettings, isOn: Bool) -> ProviderStatus {
    ProviderStatus(
      id: settings.id, name: settings.id, plugin: settings.plugin ?? settings.command?.first ?? settings.id, version: "",
      state: isOn ? .starting : .disabled,
      reason: isOn ? "it is being started" : settings.enabled ? "switched off by command" : "off in the configuration", leavesMachine: true,
      calls: [])
  }

  /// A provider that stays off, since it may have been switched off and nobody can tell.
  fileprivate static func doubtful(_ settings: ProviderSettings) -> ProviderStatus {
    var status = ProviderStatus.off(settings, isOn: false)
    status.state = .failed
    status.reason =
      "what was switched off is lost, so that it stays off until somebody says: placesctl providers enable \(settings.id), or disable"
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
