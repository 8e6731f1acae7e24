import QueryEngine
import Configuration
import PluginHost
import Storage
import Linux
import PlacesAPI
import PlacesKit
import PlacesService
import Synchronization

/// What the daemon has beside the engine: the configuration in force, the providers that it brought up, its log and its switches.
final class DaemonAdministration: Administration {
  private struct State {
    var configuration: Configuration
    var hosted: [String: HostedProvider] = [:]
    var isolation: [String: String] = [:]
    /// What providers wrote that could not be brought up.
    var lastLines: [String: [String]] = [:]
  }

  private let state: Mutex<State>
  private let switches: StateStore
  private let daemonLog: Log
  /// What the providers are brought in line with.
  enum Change: Sendable {
    case files, switches
  }
  private let applying = Mutex<(@Sendable (Change) async -> ServiceReload.Result)?>(nil)

  init(_ configuration: Configuration, switches: StateStore, log: Log) {
    state = Mutex(State(configuration: configuration))
    self.switches = switches
    daemonLog = log
  }

  var configuration: Configuration { state.withLock { $0.configuration } }
  var hosted: [String: HostedProvider] { state.withLock { $0.hosted } }

  /// Whether a provider is on: what was last switched by command, else what the configuration says. One that may have been switched off
  /// is not.
  func isOn(_ settings: ProviderSettings) -> Bool { switches.overrides[settings.id] ?? (settings.enabled && !isDoubtful(settings)) }

  /// Whether a provider is on by the configuration, and may have been switched off by a command that is lost.
  func isDoubtful(_ settings: ProviderSettings) -> Bool { settings.enabled && switches.isDoubtful(settings.id) }

  func onApply(_ body: @escaping @Sendable (Change) async -> ServiceReload.Result) { applying.withLock { $0 = body } }

  /// Takes note of a new state of things.
  func adopt(
    _ configuration: Configuration, hosted: [String: HostedProvider], isolation: [String: String], lastLines: [String: [String]]
  ) {
    state.withLock { $0 = State(configuration: configuration, hosted: hosted, isolation: isolation, lastLines: lastLines) }
  }

  func reload() async -> ServiceReload.Result { await apply(.files) }

  func turn(provider: String, on: Bool?) async throws(APIError) {
    do { try await switches.override(provider, enabled: on) } catch { throw APIError(.internalError, error.message) }
    _ = await apply(.switches)
    let what = on.map { $0 ? "was switched on" : "was switched off" } ?? "is on or off as the configuration says again"
    daemonLog(.notice, "switch", "provider \(provider) \(what)")
  }

  func isSwitched(provider: String) -> Bool { switches.overrides[provider] != nil || switches.isDoubtful(provider) }

  private func apply(_ change: Change) async -> ServiceReload.Result {
    guard let body = applying.withLock({ $0 }) else { return ServiceReload.Result(reloaded: false, errors: ["the daemon is starting"]) }
    return await body(change)
  }

  /// What the socket's server tells of itself; set once the daemon is assembled.
  private let measuring = Mutex<(@Sendable () -> ServerLoad)?>(nil)

  func onMeasure(_ body: @escaping @Sendable () -> ServerLoad) { measuring.withLock { $0 = body } }

  var load: ServerLoad { measuring.withLock { $0 }?() ?? ServerLoad() }

  func isolation(of provider: String) -> String? { state.withLock { $0.isolation[provider] } }

  func origins(of provider: String) -> [String]? {
    state.withLock { state in
      guard let manifest = state.hosted[provider]?.service.manifest else { return nil }
      return state.configuration[provider: provider]?.origins(manifest)
    }
  }

  func currency(of provider: String) -> String? { configuration[provider: provider]?.prices.currency }

  func lines(of provider: String, count: Int) -> [String]? {
    state.withLock { state in
      guard state.configuration[provider: provider] != nil else { return nil }
      return Array((state.hosted[provider]?.lines ?? state.lastLines[provider] ?? []).suffix(count))
    }
  }

  private let indexes = IndexWatch()

  func dataRevision() -> UInt64 { indexes.revision(of: configuration.indexes) }

  var dataProviders: [String] { configuration.providers.filter { $0.plugin == Configuration.gazetteer }.map(\.id) }

  func restart(provider: String) { state.withLock { $0.hosted[provider] }?.resume() }

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
