import QueryEngine
import Configuration
import PluginHost
import Resilience
import Storage
import Linux
import PlacesAPI
import PlacesKit
import PlacesService
import RPC
import Synchronization

/// Gives the RPC methods access to the daemon: to its configuration, its running providers, its log, and the record of the providers that
/// commands have enabled or disabled (`overrideStore`). A method that changes the configuration or this record adds a
/// change to a queue. A task of the daemon applies the changes one by one.
final class DaemonController: DaemonControl {
  private struct State {
    var configuration: Configuration
    /// The running providers, by id.
    var hostedProviders: [String: HostedProvider] = [:]
    /// Where each running provider runs (`InstanceDescription.Isolation`), by the provider's id.
    var isolation: [String: String] = [:]
    /// The latest lines of each provider that could not be started.
    var lastLogLines: [String: [String]] = [:]
  }

  private let state: Mutex<State>
  private let overrideStore: StateStore
  private let daemonLog: Log
  private let serverGauges: ServerGauges
  /// A change to apply.
  struct Change: Sendable {
    enum Source: Sendable {
      /// The configuration files are read again.
      case files
      /// Providers were enabled or disabled by command.
      case overrides
    }
    let source: Source
    /// Fulfilled when the change was applied.
    let result = Promise<ServiceReload.Result>()
  }

  /// The changes to apply, in their order. The stream ends with the daemon.
  let changes: AsyncStream<Change>
  private let changeInput: AsyncStream<Change>.Continuation
  /// The maximum number of changes that wait to be applied.
  private static let maxPendingChanges = 64

  init(_ configuration: Configuration, overrideStore: StateStore, serverGauges: ServerGauges, log: Log) {
    state = Mutex(State(configuration: configuration))
    self.overrideStore = overrideStore
    self.serverGauges = serverGauges
    daemonLog = log
    (changes, changeInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maxPendingChanges))
  }

  var configuration: Configuration { state.withLock { $0.configuration } }
  var hostedProviders: [String: HostedProvider] { state.withLock { $0.hostedProviders } }

  /// True if a provider is enabled: by the last command that enabled or disabled it or, if there was no such command, by the configuration.
  /// If the record of commands was lost, a provider that may have been disabled counts as disabled.
  func isEnabled(_ settings: ProviderSettings) -> Bool {
    overrideStore.overrides[settings.id] ?? (settings.enabled && !isUncertain(settings))
  }

  /// True if a provider is enabled in the configuration, and may have been disabled by a command whose record is lost.
  func isUncertain(_ settings: ProviderSettings) -> Bool { settings.enabled && overrideStore.isUncertain(settings.id) }

  /// Updates the state after a change.
  func update(
    _ configuration: Configuration, hostedProviders: [String: HostedProvider], isolation: [String: String], lastLogLines: [String: [String]]
  ) {
    state.withLock {
      $0 = State(configuration: configuration, hostedProviders: hostedProviders, isolation: isolation, lastLogLines: lastLogLines)
    }
  }

  func reload() async -> ServiceReload.Result { await apply(.files) }

  func setEnabled(_ isEnabled: Bool?, provider: String) async throws(APIError) {
    do { try await overrideStore.override(provider, enabled: isEnabled) } catch { throw APIError(.internalError, error.message) }
    _ = await apply(.overrides)
    let change = isEnabled.map { $0 ? "was enabled" : "was disabled" } ?? "is enabled or disabled as configured"
    daemonLog(.notice, "switch", "provider \(provider) \(change)")
  }

  func hasEnabledOverride(provider: String) -> Bool { overrideStore.overrides[provider] != nil || overrideStore.isUncertain(provider) }

  private func apply(_ source: Change.Source) async -> ServiceReload.Result {
    let newChange = Change(source: source)
    guard case .enqueued = changeInput.yield(newChange) else {
      return ServiceReload.Result(reloaded: false, errors: ["too many changes are waiting; try again"])
    }
    return await newChange.result.value() ?? ServiceReload.Result(reloaded: false, errors: ["the request was cancelled"])
  }

  var load: ServerLoad {
    ServerLoad(
      connections: serverGauges.connections.load(ordering: .relaxed), inFlight: serverGauges.inFlight.load(ordering: .relaxed))
  }

  func isolation(of provider: String) -> String? { state.withLock { $0.isolation[provider] } }

  func origins(of provider: String) -> [String]? {
    state.withLock { state in
      guard let manifest = state.hostedProviders[provider]?.service.manifest else { return nil }
      return state.configuration[provider: provider]?.origins(manifest)
    }
  }

  func currency(of provider: String) -> String? { configuration[provider: provider]?.prices.currency }

  func logLines(of provider: String, count: Int) -> [String]? {
    state.withLock { state in
      guard state.configuration[provider: provider] != nil else { return nil }
      return Array((state.hostedProviders[provider]?.logLines ?? state.lastLogLines[provider] ?? []).suffix(count))
    }
  }

  var dataFiles: [String] { configuration.indexes }

  var providersUsingDataFiles: [String] { configuration.providers.filter { $0.plugin == Configuration.gazetteer }.map(\.id) }

  func restart(provider: String) { state.withLock { $0.hostedProviders[provider] }?.resume() }

  var logLevel: LogLevel {
    get { LogLevel(daemonLog.level) }
    set { daemonLog.level = Log.Level(newValue) }
  }

  func log(lines: Int) -> [String] { daemonLog.recent(lines) }
}

extension Log.Level {
  init(_ level: LogLevel) {
    switch level {
    case .error: self = .error
    case .warning: self = .warning
    case .notice: self = .notice
    case .info: self = .info
    case .debug: self = .debug
    }
  }
}

extension LogLevel {
  init(_ level: Log.Level) {
    switch level {
    case .error: self = .error
    case .warning: self = .warning
    case .notice: self = .notice
    case .info: self = .info
    case .debug: self = .debug
    }
  }
}
