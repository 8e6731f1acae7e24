import QueryEngine
import Configuration
import Resilience
import HTTP
import PluginHost
import Storage
import Linux
import PlacesAPI
import PlacesKit
import Synchronization

/// Starts configured providers, each with its own hosts, key, storage and log.
struct ProviderStarter: Sendable {
  let configuration: Configuration
  let hosting: ProviderRuntime
  let http: HTTPClient
  let rateLimiters: RequestRateLimiters
  let storages: InstanceStorages
  /// Nil if providers are not called, as in a check of the configuration.
  let refused: RejectedKeys?
  let log: Log

  /// The result of starting a provider.
  enum Started: Sendable {
    case running(ProviderInstance, HostedProvider, isolation: String)
    case failed(ProviderStartFailure)
  }

  /// Plugins that may run inside the daemon, because they parse only their own files.
  static let trusted: Set<String> = ["gazetteer"]

  func isolation(of settings: ProviderSettings) -> InstanceDescription.Isolation {
    switch settings.isolation {
    case .process: .process
    case .inProcess: .inProcess
    // A plugin that parses bytes from the network runs in a separate process.
    case nil: settings.plugin.map(Self.trusted.contains) == true ? .inProcess : .process
    }
  }

  /// - Parameter key: the key that the settings name.
  func start(_ settings: ProviderSettings, key: Secret?) async -> Started {
    let written = Mutex<[ConfigurationProblem]>([])
    do throws(ProviderStartError) {
      let isolation = isolation(of: settings)
      let context = context(settings) { problems in written.withLock { $0 = problems } }
      let hosted = try await hosting.start(try description(of: settings, isolation), context: context)
      if let note = settings.budgetNote(for: hosted.service.manifest) { log(.warning, "budget", note) }
      if let note = settings.rateNote(for: hosted.service.manifest) { log(.warning, "rate", note) }
      return .running(instance(settings, hosted, key: key), hosted, isolation: isolation.rawValue)
    } catch { return .failed(failed(settings, error, written.withLock { $0 })) }
  }

  /// A running provider with settings that do not concern its process, such as its weight.
  func instance(_ settings: ProviderSettings, _ hosted: HostedProvider, key: Secret?, startID: Int? = nil) -> ProviderInstance {
    let manifest = hosted.service.manifest
    let rate = settings.rate(from: manifest)
    rateLimiters[settings.id].set(rate)
    return ProviderInstance(
      id: settings.id, service: hosted.service, weight: settings.weight,
      timeout: settings.timeoutMs.map { Double($0) / 1000 } ?? 5,
      answersImmediately: !manifest.leavesMachine && isolation(of: settings) == .inProcess, sharesAnswers: settings.shareBetweenUsers,
      budget: settings.budgetLimits, failureShare: settings.failureShare, rate: rate,
      prices: settings.prices.applied(to: manifest.prices), terms: settings.terms(from: manifest),
      isRefused: refused?.isRejected(settings.id, checksum: settings.refusalFingerprint(with: key, configuration.network)) ?? false,
      lacksKey: key == nil, startID: startID,
      fault: { hosted.fault })
  }

  private func description(
    of settings: ProviderSettings, _ isolation: InstanceDescription.Isolation
  ) throws(ProviderStartError) -> InstanceDescription {
    let source: InstanceDescription.Source
    if let command = settings.command { source = .command(command) } else { source = .plugin(settings.plugin ?? settings.id) }
    return InstanceDescription(
      id: settings.id, source: source,
      service: settings.serviceFile.map { .init(manifest: $0.manifest, settings: settings.serviceSettings) }, isolation: isolation,
      settings: settings.settings.mapValues(\.value),
      // Only the gazetteer reads files that the daemon has.
      readable: settings.plugin == Configuration.gazetteer ? configuration.dataDirectories : [], allowUnconfined: settings.allowUnconfined)
  }

  /// - Parameter report: receives the configuration's problems one by one; the error that the factory throws has them in one text.
  private func context(
    _ settings: ProviderSettings, report: @escaping @Sendable ([ConfigurationProblem]) -> Void
  ) -> ContextFactory {
    { [configuration, http, rateLimiters, storages, log, isCalled = refused != nil] (manifest) throws(ProviderStartError) in
      // Checked first, so that the error names file and line.
      do throws(ConfigurationErrors) { _ = try settings.checked(against: manifest) } catch {
        report(error.problems)
        throw ProviderStartError(.settings, settings.id, error.description)
      }
      // A check of the configuration does not get the credentials that systemd passes to the daemon, and may run as another user.
      if isCalled {
        if let problem = settings.credentialProblem(locations: configuration.locations) {
          report([problem])
          throw ProviderStartError(.settings, settings.id, problem.description)
        }
        if let problem = settings.authorityFileProblem() { throw ProviderStartError(.settings, settings.id, problem) }
      }
      let access = try ProviderStarter.access(settings, manifest, configuration, report)
      let milliseconds = settings.timeoutMs ?? 5_000
      let rateLimiter = rateLimiters[settings.id]
      // Applies until the provider is configured, which may change its rate. A restarted process keeps its rate.
      rateLimiter.setIfUnset(settings.rate(from: manifest))
      let shared = settings.sharedHost(manifest).map { rateLimiters.shared(host: $0, rate: manifest.rate) }
      let sender = ProviderHTTP(
        http, access: access, rates: [rateLimiter, shared].compactMap(\.self), timeout: Double(milliseconds) / 1_000,
        isFree: settings.prices.applied(to: manifest.prices).isFree)
      return ProviderContext(
        id: settings.id, baseURL: settings.baseURL,
        send: { (request, meter) throws(ProviderError) in try await sender.send(request, meter: meter) },
        storage: storages[settings.id],
        log: { level, message in log(Log.Level(level), "provider", "provider \(settings.id): \(message)") },
        dataDirectories: configuration.dataDirectories, now: { SystemTime().wall() })
    }
  }

  private static func access(
    _ settings: ProviderSettings, _ manifest: Manifest, _ configuration: Configuration, _ report: ([ConfigurationProblem]) -> Void
  ) throws(ProviderStartError) -> HTTPAccess {
    let secret: Secret?
    do { secret = try settings.secret(locations: configuration.locations) } catch {
      report([error])
      throw ProviderStartError(.settings, settings.id, error.description)
    }
    let contact = settings.settings["contact"]?.value.string
    do {
      var access = try HTTPAccess(
        id: settings.id, manifest: manifest, baseURL: settings.baseURL, settings: settings.settings.mapValues(\.value),
        key: { () throws(ProviderError) in secret?.reveal { $0 } }, authorityFile: settings.caFile, proxy: configuration.network.proxy,
        directHosts: configuration.network.noProxy, allowsPrivateAddresses: settings.allowPrivateAddresses,
        userAgent: HTTPAccess.userAgent(version: Version.text, contact: contact))
      // The provider's client limits concurrent calls, and a call that it starts must not wait for a connection. The limit may change while
      // the provider runs.
      access.connections = Rate.maxConcurrent
      return access
    } catch { throw ProviderStartError(.settings, settings.id, "provider \(settings.id): \(error.message)") }
  }

  private func failed(_ settings: ProviderSettings, _ error: ProviderStartError, _ written: [ConfigurationProblem]) -> ProviderStartFailure
  {
    for reason in written.isEmpty ? [error.message] : written.map(\.description) {
      log(.error, "provider", "provider \(settings.id) could not be started: \(reason)")
    }
    let more = written.count > 1 ? "; and \(written.count - 1) more: see placesctl config check" : ""
    var reason = (written.first?.description ?? error.message) + more
    // Unless the configuration is wrong, the output of the process explains more than its exit status.
    let isExplained = !written.isEmpty
    let logDisclosure: ProviderStartFailure.LogDisclosure =
      isExplained || error.lines.isEmpty ? .none : error.isConfidential ? .withheld : .shown
    if logDisclosure != .none { reason += "; what it wrote: placesctl providers log \(settings.id)" }
    let status = ProviderStatus(
      id: settings.id, name: settings.id, plugin: settings.plugin ?? settings.command?.first ?? settings.id, version: "", state: .failed,
      reason: reason, isolation: isolation(of: settings).rawValue, leavesMachine: true, calls: [])
    return ProviderStartFailure(
      status: status, problems: isExplained ? written : [settings.cannotStart(error.message)],
      isConfigurationError: error.kind != .start && error.kind != .system, reason: error.message, lines: error.lines,
      logDisclosure: logDisclosure)
  }
}

extension InstanceStorages {
  /// - Parameter folder: the daemon's `state_dir`.
  convenience init(folder: String) { self.init(parent: folder + "/providers") }
}

extension HostedProvider {
  /// The reason if a process ended too often and is not restarted; nil otherwise.
  fileprivate var fault: String? {
    let status = status
    guard status.state == .off else { return nil }
    let moment = status.lastEndAt.map { ", last at \(Timestamp.rfc3339($0))" } ?? ""
    return """
      its process ended too often\(moment), when it \(status.lastEnd ?? "ended"); it is off for ten minutes, or until it is resumed or the configuration is reloaded
      """
  }
}

extension ProviderSettings {
  var budgetLimits: BudgetLimits {
    BudgetLimits(
      callsPerDay: budget.callsPerDay, callsPerMonth: budget.callsPerMonth, microsPerDay: budget.moneyPerDay,
      microsPerMonth: budget.moneyPerMonth, userShare: budget.userShare ?? 1)
  }

  /// A checksum of everything that affects how the service is called: the key, the network settings, since a service may refuse a key
  /// because of the client's address, and the version of the program.
  func refusalFingerprint(with key: Secret?, _ network: NetworkSettings) -> Int64 {
    var parts = [plugin, baseURL, caFile, apiKeyFile, credential, isolation?.rawValue, timeoutMs.map { "\($0)" }].map { $0 ?? "" }
    parts += command ?? []
    parts += ["\(allowUnconfined)", "\(allowPrivateAddresses)", key?.reveal { $0 } ?? ""]
    parts += [Version.text, network.proxy ?? ""] + network.noProxy
    parts += [service ?? "", serviceFile?.text ?? ""]
    for (name, setting) in settings.sorted(by: { $0.key < $1.key }) { parts += [name, setting.value.text] }
    return RejectedKeys.checksum(of: parts)
  }

  /// True if settings differ that the process or its network access depends on, except the key.
  func needsRestart(from old: ProviderSettings) -> Bool {
    var own = self
    own.enabled = old.enabled
    own.weight = old.weight
    own.rate = old.rate
    own.failureShare = old.failureShare
    own.budget = old.budget
    own.prices = old.prices
    own.keep = old.keep
    own.merge = old.merge
    own.shareBetweenUsers = old.shareBetweenUsers
    own.licenseOverride = old.licenseOverride
    own.origin = old.origin
    own.keyOrigin = old.keyOrigin
    return own != old
  }
}
