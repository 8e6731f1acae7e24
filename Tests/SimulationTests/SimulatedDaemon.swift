import Linux
import PlacesAPI
import PlacesKit
import PlacesTesting

@testable import PlacesService
@testable import QueryEngine
@testable import RPC
@testable import Resilience
@testable import Storage

/// One run of the daemon, from its start to its end: the server with its connections, the methods, the engine, the budgets, the ledger and the
/// cache, on the scenario's clock and disks.
///
/// The stores and the server's loop have their own threads. They run only while the scenario waits for them, so that results do not depend on
/// their speed.
final class SimulatedDaemon {
  let run = DaemonRun()
  let budgets: BudgetService
  let engine: Engine
  private let gauges = ServerGauges()
  let options: ServerOptions
  private let cache: Cache
  private let ledger: Ledger
  private let stores: [StoreExecutor]
  private let host: ServerLoop
  let listener: Listener
  private let acceptor: Acceptor
  private let steppedLoop: SteppedLoop
  private let hosting: SimulatedHosting
  private let providers: SimulatedProviders
  private let simulation: Simulation
  private let watch: Watch
  private var tasks: [Running<Void>] = []

  init(_ machine: Machine, seed: UInt64) throws {
    simulation = machine.simulation
    let time = simulation.time
    let watch = machine.watch
    self.watch = watch
    let log: @Sendable (LogLevel, String) -> Void = { level, text in
      // The name of the folder differs between runs.
      watch.note("log \(level.rawValue): \(text.split(separator: "/").last ?? "")")
    }
    let cache = Cache(path: machine.cachePath, diskBytes: 1 << 20, memoryBytes: 1 << 16, time: time, log: log)
    let ledger = Ledger(path: machine.ledgerPath, time: time, log: log)
    (self.cache, self.ledger) = (cache, ledger)
    budgets = BudgetService(
      ledger: WatchedLedger(ledger, watch: machine.watch, time: time), limits: [SimulatedProviders.paid: SimulatedProviders.limits],
      time: time, log: log)
    engine = Engine(providers: [], budgets: budgets, cache: cache, time: time, random: SeededRandom(seed: seed), log: log)
    hosting = SimulatedHosting(simulation, machine.processFaults)
    providers = SimulatedProviders(machine.network, run: run, time: time, hosting: hosting, seed: seed &+ 3)
    let service = Service(
      engine: engine, stores: Stores(cache: cache, budgets: budgets, ledger: ledger), daemonControl: SimulatedAdministration(),
      administrators: Administrators(daemonUser: 0, group: nil), info: { SimulatedAdministration.info })
    var options = ServerOptions()
    options.descriptors = 1 << 20
    // One client reaches these limits.
    options.limits.unreadBytes = 256 << 10
    (options.heldBytesPerUser, options.heldBytes) = (768 << 10, 2 << 20)
    options.unlimitedUsers = []
    self.options = options
    let loop = try EventLoop(name: "simulated rpc", time: { time.monotonic() })
    let queue = RequestTaskQueue()
    host = ServerLoop(
      loop: loop, handler: service, options: options, log: Log(write: { _ in }), tasks: queue, gauges: gauges, time: { time.monotonic() })
    listener = try Listener()
    let socket = ListeningSocket(unchecked: FileDescriptor(owning: listener.descriptor))
    acceptor = Acceptor(socket, serverLoop: host, log: Log(write: { _ in }))
    try acceptor.begin()
    steppedLoop = SteppedLoop(loop, watch: watch)
    try steppedLoop.start()
    // Nothing below may throw: a suspended queue must not be freed.
    let stores = [ledger.executor, cache.writer.executor, cache.reader.executor, cache.surveyReader.executor]
    self.stores = stores
    for store in stores { store.hold() }
    simulation.executor.beforeEachJob { for store in stores { store.runHeld() } }
    let (budgets, engine, hosting, providers) = (self.budgets, self.engine, self.hosting, self.providers)
    tasks = [
      simulation.start { await cache.run() },
      simulation.start { await budgets.run() },
      simulation.start { await engine.run() },
      simulation.start {
        do throws(ProviderError) { try await providers.start(on: engine) } catch {
          watch.report("the providers do not start: \(error.message)")
        }
      },
      simulation.start { await hosting.run() },
      simulation.start {
        await withDiscardingTaskGroup { group in
          var steps = await queue.take()
          while !steps.isEmpty {
            for step in steps {
              switch step {
              case .cancel(let task): task.cancel()
              case .start(let task): group.addTask { await task.run(service) }
              }
            }
            steps = await queue.take()
          }
        }
      },
    ]
    finishQueue = { queue.finish() }
    // Before the first request, so that it finds the providers.
    simulation.executor.drain()
  }

  private let finishQueue: () -> Void

  /// Runs the daemon's jobs that can run now, at most `max`.
  func runJobs(max: Int = .max) {
    while true {
      // Without requests in flight nothing is sent.
      let isServing = inFlight > 0
      let jobs = simulation.executor.drain(most: max)
      guard jobs > 0 else { return }
      watch.note("\(jobs) jobs")
      if isServing { serveSockets() }
      if max < .max { return }
    }
  }

  /// Lets the server read all input and send all output that it can.
  func serveSockets() { steppedLoop.run() }

  /// When the server's next timer is due; nil if there is none.
  var nextTimer: Double? { steppedLoop.nextTimer }

  /// Begins the end after SIGTERM, as `Server.drain` does.
  func drain() {
    let (host, acceptor) = (host, UncheckedAcceptor(acceptor: acceptor))
    host.loop.enqueue {
      acceptor.acceptor.end()
      host.drain(within: SimulatedDaemon.drainSeconds)
    }
    serveSockets()
  }

  static let drainSeconds = 5.0
  /// True if `drain` has ended.
  var isDrained: Bool { steppedLoop.hasEnded }

  /// Reloads the providers: with `isSame` nothing changes, otherwise every provider restarts.
  func reload(isSame: Bool) {
    let known = ["google", "photon", "local"].compactMap { engine.provider($0)?.instance }
    if isSame { return engine.replaceProviders(known) }
    tasks.append(simulation.start { [engine, providers] in try? await providers.start(on: engine) })
  }

  /// The bytes buffered for clients.
  var heldBytes: Int { gauges.heldBytes.load(ordering: .relaxed) }
  /// Requests without a reply.
  var inFlight: Int { gauges.inFlight.load(ordering: .relaxed) }
  var pendingWrites: Int { cache.inbox.count }
  var waitingForLedger: Int { budgets.state.withLock { $0.waitingRequests.count } }

  /// Ends the run in good order. After `Disk.stop`, nothing that it writes has an effect.
  func end() {
    run.end()
    hosting.end()
    for task in tasks { task.cancel() }
    finishQueue()
    let host = host
    steppedLoop.end { host.finish() }
    simulation.executor.drain()
    let closed = simulation.start { [ledger] in await ledger.close() }
    simulation.executor.drain()
    if closed.value == nil || tasks.contains(where: { $0.value == nil }) { watch.report("a task of the daemon does not end") }
    providers.end()
    simulation.executor.beforeEachJob {}
    for store in stores { store.release() }
  }
}

/// Passes the acceptor to its loop. `@unchecked Sendable`: the acceptor is used on the loop's thread only.
private struct UncheckedAcceptor: @unchecked Sendable { let acceptor: Acceptor }

/// The administration interface of the simulated daemon.
private final class SimulatedAdministration: DaemonControl {
  func reload() async -> ServiceReload.Result { ServiceReload.Result(reloaded: true) }
  func setEnabled(_ isEnabled: Bool?, provider: String) async throws(APIError) {}
  func hasEnabledOverride(provider: String) -> Bool { false }
  func isolation(of provider: String) -> String? { "none" }
  func origins(of provider: String) -> [String]? { [] }
  func currency(of provider: String) -> String? { nil }
  func logLines(of provider: String, count: Int) -> [String]? { [] }
  var dataFiles: [String] { [] }
  var providersUsingDataFiles: [String] { [] }
  func restart(provider: String) {}
  var load: ServerLoad { ServerLoad() }
  var logLevel: LogLevel {
    get { .info }
    set {}
  }
  func log(lines: Int) -> [String] { [] }

  static let info = ServiceInfo.Result(
    version: "1", capabilities: [],
    limits: ServiceInfo.Limits(requestBytes: 1 << 20, replyBytes: 1 << 23, depth: 32, batch: 100, inFlight: 64, unreadBytes: 1 << 20),
    defaults: ServiceInfo.Defaults(deadlineMs: 1_000), suggestedDebounceMs: 50, minimumLetters: 1)
}
