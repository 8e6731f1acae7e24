import Asking
import Configuration
import Guarding
import HTTP
import Hosting
import Linux
import PlacesAPI
import PlacesKit

/// Brings the running providers in line with the configuration, one change at a time. What did not change goes on undisturbed.
actor Providers {
  private let hosting: Hosting
  private let http: HTTPClient
  private let paces = Paces()
  private let log: Log
  private let household: Household
  private let engine: Engine
  private let treasury: Treasury
  /// A provider that was brought up.
  private struct Running {
    var settings: ProviderSettings
    /// What it was given to show to its service.
    var key: Secret?
    /// The licence that the log tells of.
    var licence: String?
    var instance: ProviderInstance
    var hosted: HostedProvider
    var isolation: String
  }

  private var running: [String: Running] = [:]
  private var failed: [ProviderStatus] = []

  init(hosting: Hosting, http: HTTPClient, engine: Engine, treasury: Treasury, household: Household, log: Log) {
    self.hosting = hosting
    self.http = http
    self.engine = engine
    self.treasury = treasury
    self.household = household
    self.log = log
  }

  /// Starts what shall run inside the daemon, so that it can answer before the processes are up.
  func startTrusted(_ configuration: Configuration) async { await apply(configuration) { $0.isolation(of: $1) == .inProcess } }

  /// Starts, keeps and stops providers as the configuration and the switches say.
  func apply(_ configuration: Configuration) async { await apply(configuration) { _, _ in true } }

  private func apply(_ configuration: Configuration, where chosen: (ProviderStarter, ProviderSettings) -> Bool) async {
    let starter = ProviderStarter(configuration: configuration, hosting: hosting, http: http, paces: paces, log: log)
    let wanted = configuration.providers.filter { household.isOn($0) }
    for (id, old) in running where wanted.first(where: { $0.id == id }).map({ mustRestart(old, $0, configuration) }) ?? true {
      running[id] = nil
      await old.hosted.stop()
    }
    failed = []
    let missing = wanted.filter { running[$0.id] == nil && chosen(starter, $0) }
    let started = await withTaskGroup(of: (ProviderSettings, Secret?, ProviderStarter.Started).self) { group in
      for settings in missing {
        group.addTask(name: "start \(settings.id)") {
          (settings, try? settings.secret(locations: configuration.locations), await starter.start(settings))
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for (settings, key, started) in started {
      switch started {
      case .running(let instance, let hosted, let isolation):
        running[settings.id] = Running(settings: settings, key: key, instance: instance, hosted: hosted, isolation: isolation)
      case .failed(let status): failed.append(status)
      }
    }
    for settings in wanted {
      guard let old = running[settings.id] else { continue }
      if let licence = settings.licenseOverride, licence != old.licence {
        log(.notice, "licence", "provider \(settings.id) follows a licence of yours instead of its terms: \(licence)")
      }
      running[settings.id]?.licence = settings.licenseOverride
      running[settings.id]?.settings = settings
      running[settings.id]?.instance = starter.instance(settings, old.hosted, start: old.instance.start)
    }
    publish(configuration)
  }

  /// Whether the provider's process must be started anew: for settings that it was made from, or for another key.
  private func mustRestart(_ old: Running, _ settings: ProviderSettings, _ configuration: Configuration) -> Bool {
    settings.needsRestart(from: old.settings) || old.key != (try? settings.secret(locations: configuration.locations))
  }

  private func publish(_ configuration: Configuration) {
    let instances = configuration.providers.compactMap { settings -> ProviderInstance? in
      var instance = running[settings.id]?.instance
      instance?.enabled = true
      return instance
    }
    let absent = configuration.providers.filter { running[$0.id] == nil }.map { settings in
      failed.first { $0.id == settings.id } ?? .off(settings, isOn: household.isOn(settings))
    }
    treasury.configure(
      limits: Dictionary(uniqueKeysWithValues: configuration.providers.map { ($0.id, $0.budgetLimits) }),
      userLimits: UserLimits(paidCallsPerDay: configuration.quota.paidCallsPerDay, microsPerDay: configuration.quota.moneyPerDay))
    household.adopt(
      configuration, hosted: running.mapValues(\.hosted), isolation: running.mapValues(\.isolation), absent: absent)
    engine.configure(configuration.engineSettings)
    engine.replaceProviders(instances)
  }

  /// Ends every provider's process.
  func stop() async {
    for (_, provider) in running { await provider.hosted.stop() }
    running = [:]
  }
}

extension ProviderStatus {
  /// A provider that is switched off, or still being started.
  fileprivate static func off(_ settings: ProviderSettings, isOn: Bool) -> ProviderStatus {
    ProviderStatus(
      id: settings.id, name: settings.id, plugin: settings.plugin ?? settings.command?.first ?? settings.id, version: "",
      state: isOn ? .failed : .disabled, reason: isOn ? "it is being started" : "switched off", leavesMachine: true, calls: [])
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
    settings.learns = daemon.learning
    settings.requestsPerMinute = quota.requestsPerMinute
    return settings
  }
}
