import QueryEngine
import Configuration
import Glibc
import Resilience
import HTTP
import PluginHost
import Storage
import Linux
import PlacesAPI
import PlacesKit
import RPC
import PlacesService

/// The daemon. It creates its parts in order, runs their tasks as children of one task, and waits for a signal.
struct Daemon {
  static let signals = [SIGTERM, SIGINT, SIGHUP]

  /// Exit codes: 75 is EX_TEMPFAIL of sysexits(3), and 6 is the code of placesctl(1) for an invalid configuration.
  enum ExitCode {
    static let failure: Int32 = 1
    static let configuration: Int32 = 6
    static let alreadyRunning: Int32 = 75
  }

  let configuration: Configuration
  let log: Log
  let runtime: ProviderRuntime
  let http: HTTPClient
  let stores: Stores
  let daemonControl: DaemonController
  let engine: Engine
  let providerManager: ProviderManager
  let rejectedKeyJournal: RejectedKeyJournal
  let service: Service
  let server: Server
  let options: Options

  /// Runs the daemon, or checks the configuration if the options say so. Returns the exit code.
  /// - Parameter sockets: the descriptors of the sockets that the service manager passed; empty if it passed none.
  static func main(_ options: Options, _ sockets: [Int32]) async -> Int32 {
    let configuration: Configuration
    do throws(ConfigurationErrors) { configuration = try load(options) } catch {
      StandardError.print(error.description)
      return ExitCode.configuration
    }
    if options.checksOnly {
      Signals.unblock(Self.signals)
      return await ConfigurationCheck(configuration).run()
    }
    let log = Log(level: Log.Level(configuration.daemon.logLevel))
    do {
      let socket = try listen(configuration, sockets)
      let daemon = try Daemon(configuration, options, log: log)
      return await daemon.run(on: socket)
    } catch ListeningSocket.Failure.alreadyRunning(let path) {
      log(.error, "start", "\(ListeningSocket.Failure.alreadyRunning(path)); stop it first, or give --socket another path")
      return ExitCode.alreadyRunning
    } catch {
      log(.error, "start", "placesd cannot start: \(error)\(advice(configuration, options))")
      return ExitCode.failure
    }
  }

  /// Advice if the directory for a user's sockets is missing, as in a session that `su` or `cron` started; otherwise empty.
  private static func advice(_ configuration: Configuration, _ options: Options) -> String {
    let folder = "/run/user/\(geteuid())"
    guard options.socket == nil, getenv("XDG_RUNTIME_DIR") == nil, configuration.daemon.socket.hasPrefix(folder + "/"),
      access(folder, F_OK) != 0
    else { return "" }
    return "; XDG_RUNTIME_DIR is not set: set it to a directory of yours, or name a socket with --socket"
  }

  static func load(_ options: Options) throws(ConfigurationErrors) -> Configuration {
    var configuration = try Configuration.load(path: options.configuration)
    if let socket = options.socket { configuration.daemon.socket = absolutePath(socket) }
    return configuration
  }

  private static func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// The service manager's socket; if there is none, a new one. Every user may connect to the system's daemon. Only the
  /// owner may connect to a user's daemon.
  private static func listen(_ configuration: Configuration, _ sockets: [Int32]) throws -> ListeningSocket {
    guard sockets.count <= 1 else {
      // Clients of a socket that is not served would wait forever.
      throw ListeningSocket.Failure.untrusted(
        "\(sockets.count) sockets were passed, but only the first is served: the unit may have only one ListenStream=")
    }
    if let inherited = sockets.first {
      guard inherited >= 0 else {
        throw ListeningSocket.Failure.untrusted("LISTEN_FDS is set, but descriptor 3 is not open: unset LISTEN_FDS")
      }
      return try ListeningSocket(inherited: FileDescriptor(owning: inherited))
    }
    return try ListeningSocket(path: configuration.daemon.socket, mode: configuration.locations.isSystem ? 0o666 : 0o600)
  }

  private init(_ configuration: Configuration, _ options: Options, log: Log) throws {
    self.configuration = configuration
    self.options = options
    self.log = log
    let daemon = configuration.daemon
    for note in [daemon.adminGroupNote, daemon.gatewayUserNote].compactMap(\.self) { log(.warning, "start", note) }
    try DaemonDirectories.make(daemon.stateDirectory)
    do throws(DaemonDirectories.Failure) { try DaemonDirectories.make(daemon.cacheDirectory) } catch {
      if case .untrusted = error { throw error }
      log(.warning, "start", "answers are not stored on disk: \(error)")
    }
    let write: @Sendable (LogLevel, String) -> Void = { log(Log.Level($0), "daemon", $1) }
    http = HTTPClient()
    runtime = try ProviderRuntime(folders: daemon.pluginDirectories) { instance, level, line in
      log(Log.Level(level), "plugin", "provider \(instance): \(line)")
    }
    let time = SystemTime()
    let cache = Cache(
      path: daemon.cacheDirectory + "/cache.db", diskBytes: configuration.cache.diskMegabytes << 20,
      memoryBytes: configuration.cache.answerBytes, time: time, log: write)
    let ledger = Ledger(path: daemon.stateDirectory + "/ledger.db", time: time, log: write)
    let budgets = BudgetService(ledger: ledger, time: time, log: write)
    stores = Stores(cache: cache, budgets: budgets, ledger: ledger)
    let rejectedKeyJournal = RejectedKeyJournal(time: time)
    self.rejectedKeyJournal = rejectedKeyJournal
    engine = Engine(
      providers: [], settings: configuration.engineSettings, budgets: budgets, cache: cache, time: time, log: write,
      onKeyStatusChange: { rejectedKeyJournal.report($0, startID: $1) })
    // If the record of disabled providers is lost, all providers that may send queries to other machines stay disabled, because commands
    // may have disabled them. The gazetteer sends no queries.
    let sendingProviders = configuration.providers.filter { $0.plugin != Configuration.gazetteer }.map(\.id)
    let overrideStore = StateStore(path: daemon.stateDirectory + "/switches.json", uncertain: Set(sendingProviders), log: write)
    let serverGauges = ServerGauges()
    daemonControl = DaemonController(configuration, overrideStore: overrideStore, serverGauges: serverGauges, log: log)
    // Queries are logged only if the administrator has enabled that.
    let queryLog = daemon.logQueries ? { @Sendable (line: String) -> Void in log.unthrottled(.notice, line) } : nil
    service = Service(
      engine: engine, stores: stores, daemonControl: daemonControl,
      administrators: Administrators(daemonUser: geteuid(), group: daemon.adminGroupID, gatewayUser: daemon.gatewayUserID),
      info: { [daemonControl] in
        daemonControl.configuration.info(warnings: [cache.diskFault].compactMap(\.self), isEnabled: daemonControl.isEnabled)
      },
      cacheBytes: configuration.cache.replyBytes, queryLog: queryLog,
      requestLog: { log.unthrottled(.debug, "\($0): \($1) in \(($2 * 10).rounded() / 10) ms") })
    providerManager = ProviderManager(
      runtime: runtime, http: http, engine: engine, budgets: budgets,
      rejectedKeys: RejectedKeys(path: daemon.stateDirectory + "/refused.json", time: time, log: write), daemonControl: daemonControl,
      invalidateReplies: service.invalidateReplies, log: log)
    server = try Server(options: configuration.serverOptions, log: log, handler: service, gauges: serverGauges)
  }

  /// Serves until a signal or an error. Returns the exit code.
  private func run(on socket: consuming ListeningSocket) async -> Int32 {
    do {
      try http.start()
      let signals = try SignalStream(Self.signals) { [log] status, reason in
        log(.warning, "stop", reason)
        LogWriter.standardError.flush(within: 0.2)
        _exit(status)
      }
      Program.receiveSignal.withLock { $0 = signals.receive }
      await providerManager.startInProcess()
      try await serve(socket, signals)
    } catch {
      let reason = (error as? ProviderError)?.message ?? "\(error)"
      log(.error, "run", "placesd cannot continue: \(reason)")
      http.stop()
      return ExitCode.failure
    }
    http.stop()
    log(.notice, "stop", "stopped")
    return 0
  }

  /// Runs the server, and the tasks of the other parts until the server ends.
  private func serve(_ socket: consuming ListeningSocket, _ signals: SignalStream) async throws {
    async let _: Void = runParts(signals)
    rejectedKeyJournal.run { [providerManager] in await providerManager.recordRejection($0, startID: $1) }
    ServiceManager.notify("READY=1", "STATUS=answering on \(configuration.daemon.socket)")
    log(.notice, "start", "placesd \(Version.text) answers on \(configuration.daemon.socket)")
    try await server.run(on: socket)
    ServiceManager.notify("STOPPING=1")
    await rejectedKeyJournal.finish()
    await providerManager.stop()
    // The end of this function cancels `runParts`, the tasks of the other parts, and waits for it.
  }

  /// Runs the tasks of all parts except the server, until the task is cancelled.
  private func runParts(_ signals: SignalStream) async {
    await withDiscardingTaskGroup { group in
      group.addTask(name: "provider runtime") { await runtime.run() }
      group.addTask(name: "cache") { await stores.cache.run() }
      group.addTask(name: "budgets") {
        await stores.budgets.run()
        await stores.ledger.close()
      }
      group.addTask(name: "engine") { await engine.run() }
      group.addTask(name: "signals") { await handle(signals) }
      group.addTask(name: "changes") {
        // This starts the providers that run in separate processes.
        _ = await apply(.overrides)
        for await change in daemonControl.changes { change.result.fulfil(await apply(change.source)) }
      }
      group.addTask(name: "socket") { await watchSocket() }
      if let seconds = ServiceManager.watchdogSeconds {
        // A third of the expected interval leaves time for a late notification.
        group.addTask(name: "watchdog") { await notifyWatchdog(every: seconds / 3) }
      }
    }
  }

  /// Checks every few seconds that the socket's file exists, and listens again if it was removed.
  private func watchSocket() async {
    let time = SystemTime()
    while (try? await time.sleep(until: time.monotonic() + 5)) != nil { server.restoreSocket() }
  }

  /// Notifies the service manager at intervals while the daemon's tasks run and its clients are served.
  private func notifyWatchdog(every seconds: Double) async {
    let time = SystemTime()
    while (try? await time.sleep(until: time.monotonic() + seconds)) != nil {
      if server.watchdog.probeLoops() { ServiceManager.notify("WATCHDOG=1") }
    }
  }

  /// Reads the configuration again after SIGHUP. Drains the server after SIGTERM or SIGINT; `SignalStream` handles a second one.
  private func handle(_ signals: SignalStream) async {
    // If several signals arrive during a reload, the files are read only once more.
    let (hangUps, hangUpInput) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withDiscardingTaskGroup { group in
      group.addTask(name: "reloads") {
        for await _ in hangUps {
          ServiceManager.notifyReloading()
          _ = await daemonControl.reload()
          ServiceManager.notify("READY=1")
        }
      }
      var isDraining = false
      for await signal in signals.stream {
        if signal == SIGHUP {
          if !isDraining { hangUpInput.yield() }
        } else if !isDraining {
          isDraining = true
          log(.notice, "stop", "draining; requests in flight have up to 4 seconds")
          ServiceManager.notify("STOPPING=1")
          server.drain(within: 4)
        }
      }
      group.cancelAll()
    }
  }

  /// Applies the commands that enabled or disabled providers (`.overrides`), or the configuration files. If the files are invalid, nothing
  /// changes.
  private func apply(_ source: DaemonController.Change.Source) async -> ServiceReload.Result {
    var atNextStart: [String] = []
    let failures: [ConfigurationProblem]
    do throws(ConfigurationErrors) {
      switch source {
      case .overrides: failures = await providerManager.applyOverrides()
      case .files: (atNextStart, failures) = try await reload()
      }
    } catch {
      for problem in error.problems { log(.error, "reload", "\(problem)") }
      // This line is not throttled, because the lines above may have used up the limit.
      log.unthrottled(.error, "the configuration was not reloaded; the old one stays in force")
      return ServiceReload.Result(reloaded: false, errors: error.problems.map(\.description))
    }
    await providerManager.logFaults()
    return ServiceReload.Result(reloaded: true, atNextStart: atNextStart, failed: failures.map(\.description))
  }

  /// Reads and applies the configuration files. Returns the keys and sections whose changes take effect only at the next start, and the
  /// problems of providers that could not be started.
  private func reload() async throws(ConfigurationErrors) -> (atNextStart: [String], failures: [ConfigurationProblem]) {
    let (newConfiguration, failures) = try await providerManager.reload { [options] () throws(ConfigurationErrors) in try Self.load(options)
    }
    log.level = Log.Level(newConfiguration.daemon.logLevel)
    let atNextStart = newConfiguration.keysNeedingRestart(comparedWith: daemonControl.configuration)
    for name in atNextStart { log(.warning, "reload", "\(name): the change takes effect at the next start") }
    log.unthrottled(.notice, "the configuration was reloaded")
    return (atNextStart, failures)
  }
}
