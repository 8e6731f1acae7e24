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
  let runtime: ProviderRuntime
  let http: HTTPClient
  let rateLimiters: RequestRateLimiters
  let valueStores: ProviderValueStores
  /// The keys that services rejected; nil in a check of the configuration, which does not call services.
  let rejectedKeys: RejectedKeys?
  let log: Log

  /// The result of starting a provider.
  enum StartResult: Sendable {
    case running(instance: ProviderInstance, hostedProvider: HostedProvider, isolation: String)
    case failed(ProviderStartFailure)
  }

  /// The plugins that run inside the daemon by default, because they parse only their own files and no bytes from the network.
  static let trustedPlugins: Set<String> = ["gazetteer"]

  private var isCheckOnly: Bool { rejectedKeys == nil }

  /// Where the provider runs: as the setting `isolation` states or, without it, in a separate process unless its plugin is trusted.
  func isolation(of settings: ProviderSettings) -> InstanceDescription.Isolation {
    switch settings.isolation {
    case .process: .process
    case .inProcess: .inProcess
    case nil: settings.plugin.map(Self.trustedPlugins.contains) == true ? .inProcess : .process
    }
  }

  /// Starts a provider.
  /// - Parameter key: the key that the settings name; nil if they name none.
  func start(_ settings: ProviderSettings, key: Secret?) async -> StartResult {
    let reportedProblems = Mutex<[ConfigurationProblem]>([])
    do throws(ProviderStartError) {
      let isolation = isolation(of: settings)
      let context = context(settings) { problems in reportedProblems.withLock { $0 = problems } }
      let hostedProvider = try await runtime.start(try description(of: settings, isolation), context: context)
      if let note = settings.budgetNote(for: hostedProvider.service.manifest) { log(.warning, "budget", note) }
      if let note = settings.rateNote(for: hostedProvider.service.manifest) { log(.warning, "rate", note) }
      return .running(
        instance: instance(settings, hostedProvider, key: key), hostedProvider: hostedProvider, isolation: isolation.rawValue)
    } catch { return .failed(reportFailure(settings, error, reportedProblems.withLock { $0 })) }
  }

  /// The engine's description of a running provider, with the settings that do not concern its process, such as its weight.
  /// - Parameter startID: the number of the provider's start; nil for a new number, if the provider was just started.
  func instance(_ settings: ProviderSettings, _ hostedProvider: HostedProvider, key: Secret?, startID: Int? = nil) -> ProviderInstance {
    let manifest = hostedProvider.service.manifest
    let rate = settings.rate(from: manifest)
    rateLimiters[settings.id].set(rate)
    return ProviderInstance(
      id: settings.id, service: hostedProvider.service, weight: settings.weight,
      timeout: settings.timeoutMs.map { Double($0) / 1000 } ?? 5,
      answersImmediately: !manifest.leavesMachine && isolation(of: settings) == .inProcess, sharesAnswers: settings.shareBetweenUsers,
      budget: settings.budgetLimits, failureShare: settings.failureShare, rate: rate,
      prices: settings.prices.applied(to: manifest.prices), terms: settings.terms(from: manifest),
      isKeyRejected: rejectedKeys?.isRejected(settings.id, checksum: settings.rejectionChecksum(with: key, configuration.network))
        ?? false,
      lacksKey: key == nil, startID: startID,
      fault: { hostedProvider.fault })
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
      // Every provider gets the paths of the data directories, but only the gazetteer may read the files in them.
      readablePaths: settings.plugin == Configuration.gazetteer ? configuration.dataDirectories : [],
      allowUnconfined: settings.allowUnconfined)
  }

  /// Returns the function that creates the provider's context when its manifest is known.
  /// - Parameter report: receives the problems of the configuration. The error that the function throws contains them as one text.
  private func context(
    _ settings: ProviderSettings, report: @escaping @Sendable ([ConfigurationProblem]) -> Void
  ) -> ContextFactory {
    { [configuration, http, rateLimiters, valueStores, log, isCheckOnly] (manifest) throws(ProviderStartError) in
      // The settings are checked first, because these errors contain the file and the line.
      do throws(ConfigurationErrors) { _ = try settings.checked(against: manifest) } catch {
        report(error.problems)
        throw ProviderStartError(.settings, settings.id, error.description)
      }
      // A check of the configuration does not test the credentials. The check does not get the credentials that systemd passes to the
      // daemon, and may run as another user.
      if !isCheckOnly {
        if let problem = settings.credentialProblem(locations: configuration.locations) {
          report([problem])
          throw ProviderStartError(.settings, settings.id, problem.description)
        }
        if let problem = settings.caFileProblem() { throw ProviderStartError(.settings, settings.id, problem) }
      }
      let access = try ProviderStarter.access(settings, manifest, configuration, report)
      let milliseconds = settings.timeoutMs ?? 5_000
      let rateLimiter = rateLimiters[settings.id]
      // A provider may send requests while it starts, before `instance` sets its rate. A restarted process has a rate already, which may
      // come from newer settings than these.
      rateLimiter.setIfUnset(settings.rate(from: manifest))
      let hostRateLimiter = settings.sharedHost(manifest).map { rateLimiters.shared(host: $0, rate: manifest.rate) }
      let sender = ProviderHTTP(
        http, access: access, rates: [rateLimiter, hostRateLimiter].compactMap(\.self), timeout: Double(milliseconds) / 1_000,
        isFree: settings.prices.applied(to: manifest.prices).isFree)
      return ProviderContext(
        id: settings.id, baseURL: settings.baseURL,
        send: { (request, meter) throws(ProviderError) in try await sender.send(request, meter: meter) },
        storage: valueStores[settings.id],
        log: { level, message in log(Log.Level(level), "provider", "provider \(settings.id): \(message)") },
        dataDirectories: configuration.dataDirectories, now: { SystemTime().wall() })
    }
  }

  /// The network access of a provider, with its key. Throws if the key or an address in the settings cannot be used.
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
      // The provider's client limits concurrent calls, and that limit may change while the provider runs. The maximum is used here, because
      // a call that the client starts must not wait for a connection.
      access.maxConnectionsPerHost = Rate.maxConcurrent
      return access
    } catch { throw ProviderStartError(.settings, settings.id, "provider \(settings.id): \(error.message)") }
  }

  /// Logs and describes the failure of a start.
  /// - Parameter reportedProblems: the problems of the configuration; empty if the configuration is not the cause.
  private func reportFailure(
    _ settings: ProviderSettings, _ error: ProviderStartError, _ reportedProblems: [ConfigurationProblem]
  ) -> ProviderStartFailure {
    for reason in reportedProblems.isEmpty ? [error.message] : reportedProblems.map(\.description) {
      log(.error, "provider", "provider \(settings.id) could not be started: \(reason)")
    }
    let moreNote = reportedProblems.count > 1 ? "; and \(reportedProblems.count - 1) more: see placesctl config check" : ""
    var reason = (reportedProblems.first?.description ?? error.message) + moreNote
    let isExplained = !reportedProblems.isEmpty
    let checkOutput: ProviderStartFailure.CheckOutput
    if isExplained || error.logLines.isEmpty {
      checkOutput = .nothing
    } else {
      // The output of the process explains more than its exit status.
      checkOutput = error.isConfidential ? .noteOnSecrets : .logLines
    }
    if checkOutput != .nothing { reason += "; what it wrote: placesctl providers log \(settings.id)" }
    let status = ProviderStatus(
      id: settings.id, name: settings.id, plugin: settings.plugin ?? settings.command?.first ?? settings.id, version: "", state: .failed,
      reason: reason, isolation: isolation(of: settings).rawValue, leavesMachine: true, calls: [])
    return ProviderStartFailure(
      status: status, problems: isExplained ? reportedProblems : [settings.startProblem(error.message)],
      isConfigurationError: error.kind != .start && error.kind != .system, reason: error.message, logLines: error.logLines,
      checkOutput: checkOutput)
  }
}

extension ProviderValueStores {
  /// - Parameter folder: the daemon's `state_dir`.
  convenience init(folder: String) { self.init(parent: folder + "/providers") }
}

extension HostedProvider {
  /// The reason why the provider is off: its process ended too often, and is not restarted for some minutes. Nil if it is not off.
  fileprivate var fault: String? {
    let status = status
    guard let offNote = status.offNote else { return nil }
    let moment = status.lastEndAt.map { ", last at \(Timestamp.rfc3339($0))" } ?? ""
    return "its process ended too often\(moment), when it \(status.lastEnd ?? "ended"); \(offNote)"
  }
}

extension ProviderSettings {
  var budgetLimits: BudgetLimits {
    BudgetLimits(
      callsPerDay: budget.callsPerDay, callsPerMonth: budget.callsPerMonth, microsPerDay: budget.moneyPerDay,
      microsPerMonth: budget.moneyPerMonth, userShare: budget.userShare ?? 1)
  }

  /// A checksum of everything that affects how the service is called, including the key and the version of the program. The network
  /// settings are included because a service may reject a key because of the client's address.
  func rejectionChecksum(with key: Secret?, _ network: NetworkSettings) -> Int64 {
    var parts = [plugin, baseURL, caFile, apiKeyFile, credential, isolation?.rawValue, timeoutMs.map { "\($0)" }].map { $0 ?? "" }
    parts += command ?? []
    parts += ["\(allowUnconfined)", "\(allowPrivateAddresses)", key?.reveal { $0 } ?? ""]
    parts += [Version.text, network.proxy ?? ""] + network.noProxy
    parts += [service ?? "", serviceFile?.text ?? ""]
    for (name, setting) in settings.sorted(by: { $0.key < $1.key }) { parts += [name, setting.value.text] }
    return RejectedKeys.checksum(of: parts)
  }

  /// True if the settings of the process or of its network access differ. The key is not compared.
  func needsRestart(from old: ProviderSettings) -> Bool {
    // Settings that the running provider can adopt are ignored.
    var new = self
    new.enabled = old.enabled
    new.weight = old.weight
    new.rate = old.rate
    new.failureShare = old.failureShare
    new.budget = old.budget
    new.prices = old.prices
    new.keep = old.keep
    new.merge = old.merge
    new.shareBetweenUsers = old.shareBetweenUsers
    new.licenseOverride = old.licenseOverride
    new.origin = old.origin
    new.apiKeyOrigin = old.apiKeyOrigin
    return new != old
  }
}
