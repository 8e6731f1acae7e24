import Glibc
import PlacesKit
import PlacesTesting
import Synchronization

@testable import PluginHost

/// What the processes of providers do. The seed determines the fault of each start and of each request; the names of the faults that happened
/// outlive the daemon.
final class ProcessFaults: Sendable {
  enum Fault: String, CaseIterable {
    // At the start.
    case doesNotStart = "cannot be started"
    case startsSlowly = "starts slowly"
    case dies = "dies instead of reading its first request"
    // At a request of the daemon.
    case diesBefore = "dies before it works on a request"
    case diesInstead = "dies instead of answering"
    case diesWithin = "dies in the middle of an answer"
    case hangs = "does not answer"
    case stopsReading = "does not read"
    case garbage = "writes what is no message"
    case endlessLine = "writes a line without end"
    case floodsMessages = "writes many messages that answer nothing"
    case floodsErrors = "floods its standard error"
    case closesOutput = "closes its output"
    case answersTwice = "answers twice"
    // At its end.
    case survivesKill = "ends some time after it was killed"

    var name: String { "process: \(rawValue)" }
  }

  static var names: Set<String> { Set(Fault.allCases.map(\.name)) }
  private static let ofStart: [Fault] = [.doesNotStart, .startsSlowly, .dies]
  private static let ofRequests = Fault.allCases.filter { !ofStart.contains($0) && $0 != .survivesKill }

  private let state: Mutex<(random: SeededRandom, reached: Set<String>)>

  init(seed: UInt64) { state = Mutex((SeededRandom(seed: seed), [])) }

  var reached: Set<String> { state.withLock { $0.reached } }

  /// A fault of a new process; nil for none.
  func atStart() -> Fault? {
    state.withLock { state in
      Int.random(in: 0..<8, using: &state.random) == 0 ? Self.ofStart.randomElement(using: &state.random) : nil
    }
  }

  /// A fault of a process that has a request; nil for none.
  func atRequest() -> Fault? {
    state.withLock { state in
      guard Int.random(in: 0..<16, using: &state.random) == 0 else { return nil }
      return Self.ofRequests.randomElement(using: &state.random)
    }
  }

  /// The seconds that a killed process lives on.
  func afterKill() -> Double {
    state.withLock { state in
      Int.random(in: 0..<4, using: &state.random) == 0 ? Double.random(in: 0...6, using: &state.random) : 0
    }
  }

  func number(in range: ClosedRange<Double>) -> Double { state.withLock { Double.random(in: range, using: &$0.random) } }

  func happened(_ fault: Fault) { state.withLock { _ = $0.reached.insert(fault.name) } }
}

/// A provider's process: the code of `places-provider-host` on the scenario's clock, with faults.
final class SimulatedProcess: LaunchedProcess {
  private struct State {
    var end: ProcessEnd?
    var task: Running<Void>?
    /// Those that wait for its end.
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter = 0
    var isReading = true
    /// True if the next line that it writes is its last and incomplete.
    var diesInLine = false
  }

  let id: pid_t
  private let plugin: any Provider.Type
  private let simulation: Simulation
  private let faults: ProcessFaults
  private let startFault: ProcessFaults.Fault?
  private let state = Mutex(State())
  private let (input, output, errors) = (SimulatedPipe(), SimulatedPipe(), SimulatedPipe())

  init(_ plugin: any Provider.Type, id: pid_t, _ simulation: Simulation, _ faults: ProcessFaults) {
    self.id = id
    self.plugin = plugin
    self.simulation = simulation
    self.faults = faults
    startFault = faults.atStart()
  }

  // MARK: As the daemon sees it

  func waitForProgram() async throws(ProviderStartError) {
    switch startFault {
    case .doesNotStart?:
      faults.happened(.doesNotStart)
      throw ProviderStartError(.start, "process", "refused by the scenario")
    case .startsSlowly?:
      faults.happened(.startsSlowly)
      try? await simulation.time.sleep(until: simulation.time.monotonic() + faults.number(in: 0...8))
    default: break
    }
    let task = simulation.start { await self.live() }
    let hasEnded = state.withLock { state in
      state.task = task
      return state.end != nil
    }
    if hasEnded { task.cancel() }
  }

  func write(_ line: [UInt8]) -> Bool { state.withLock { $0.end == nil && $0.isReading } && input.add(line) }
  func drainInput() async { await waitForCancellation() }
  func closeInput() { input.close() }
  func readOutput() async -> [UInt8]? { await output.read() }
  func readErrors() async -> [UInt8]? { await errors.read() }
  func remainingErrors() -> [UInt8] { errors.take() ?? [] }
  func grantProcessorTime(forRequests requests: Int) {}
  var processorTimeLeft: Double { .infinity }
  var hasTooManyThreads: Bool { false }

  func kill() {
    let seconds = faults.afterKill()
    guard seconds > 0 else { return end(.signalled(SIGKILL)) }
    faults.happened(.survivesKill)
    simulation.start { [simulation] in
      try? await simulation.time.sleep(until: simulation.time.monotonic() + seconds)
      self.end(.signalled(SIGKILL))
    }
  }

  func hasEnded(within seconds: Double) async -> Bool {
    // A task that waits for a process that does not end (`ProviderProcess.reapLater`) runs on a thread of its own, at any time. It must not
    // change the scenario, and a simulated process needs nobody to wait for it.
    guard withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) != nil else { return true }
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    // A task of its own, because the caller's may be cancelled.
    let timer = simulation.start { [simulation] in
      try? await simulation.time.sleep(until: simulation.time.monotonic() + seconds)
      self.state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if state.end == nil { state.waiters[number] = continuation }
        return state.end != nil
      }
      if hasEnded { continuation.resume() }
    }
    timer.cancel()
    return reap() != nil
  }

  func reap() -> ProcessEnd? { state.withLock { $0.end } }

  /// Ends at once, as all processes do if the daemon ends.
  func end(_ end: ProcessEnd) {
    let (waiters, task) = state.withLock { state in
      state.end = state.end ?? end
      defer { state.waiters = [:] }
      return (state.waiters.sorted { $0.key < $1.key }.map(\.value), state.task)
    }
    for pipe in [input, output, errors] { pipe.close() }
    task?.cancel()
    for waiter in waiters { waiter.resume() }
  }

  // MARK: The process

  private func live() async {
    let time = simulation.time
    let peer = ProtocolPeer(now: { time.monotonic() }) { self.emit($0) }
    let hosted = HostedPlugin(peer: peer, time: time) { [plugin] in plugin }
    await withTaskGroup(of: Void.self) { group in
      var splitter = LineSplitter(maxLength: ProviderProtocol.maxLineFromDaemon)
      while let piece = await input.read(), let lines = try? splitter.add(piece) {
        if startFault == .dies {
          faults.happened(.dies)
          return end(.exited(status: 3))
        }
        for line in lines {
          guard case .request(let id, let method, let parameters, let cancellation) = try? peer.receive(line) else { continue }
          if method == ProviderProtocol.Method.shutdown { return end(.exited(status: 0)) }
          group.addTask { await self.serve(id, method, parameters, cancellation, peer, hosted) }
        }
      }
      group.cancelAll()
    }
    end(.exited(status: 0))
  }

  private func serve(
    _ id: MessageID, _ method: String, _ parameters: JSONValue, _ cancellation: CancelSignal, _ peer: ProtocolPeer, _ hosted: HostedPlugin
  ) async {
    let fault = faults.atRequest()
    if let fault { faults.happened(fault) }
    switch fault {
    case .diesBefore?: return end(.signalled(SIGSEGV))
    case .hangs?: return
    case .stopsReading?: state.withLock { $0.isReading = false }
    case .garbage?: _ = emit(Array("{\"jsonrpc\":\u{1}\n".utf8))
    case .endlessLine?: for _ in 0..<(ProviderProtocol.maxLineFromProvider >> 16) + 1 { _ = emit([UInt8](repeating: 0x20, count: 1 << 16)) }
    case .floodsMessages?:
      let line = Array("{\"jsonrpc\":\"2.0\",\"id\":987654,\"result\":{}}\n".utf8)
      _ = emit(Array(repeatElement(line, count: ProtocolPeer.maxUnsolicitedPerSecond + 1).joined()))
    case .floodsErrors?:
      let lines = Array(repeatElement([UInt8](repeating: 0x78, count: 1_023) + [0x0A], count: 64).joined())
      for _ in 0..<12 { _ = errors.add(lines) }
    case .closesOutput?: output.close()
    default: break
    }
    let result = await cancellation.during { await hosted.answer(id, method, parameters) }
    switch fault {
    case .diesInstead?: return end(.exited(status: 1))
    case .diesWithin?: state.withLock { $0.diesInLine = true }
    case .answersTwice?: peer.reply(to: id, result)
    default: break
    }
    peer.reply(to: id, result)
  }

  /// Writes to its standard output; the pieces that the daemon reads may end anywhere.
  private func emit(_ bytes: [UInt8]) -> Bool {
    let (isAlive, isLast) = state.withLock { ($0.end == nil, $0.diesInLine) }
    guard isAlive else { return false }
    let cut = Int(faults.number(in: 0...1) * Double(bytes.count))
    _ = output.add(Array(bytes[..<cut]))
    if isLast { end(.signalled(SIGABRT)) } else { _ = output.add(Array(bytes[cut...])) }
    return true
  }
}

/// A pipe whose reader waits on the scenario's executor.
final class SimulatedPipe: Sendable {
  private let state = Mutex((pieces: [[UInt8]](), isClosed: false))
  private let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// False if the pipe is closed.
  func add(_ piece: [UInt8]) -> Bool {
    let isTaken = state.withLock { state in
      if !state.isClosed, !piece.isEmpty { state.pieces.append(piece) }
      return !state.isClosed
    }
    changed.yield()
    return isTaken
  }

  /// No more can be written; what was written can be read.
  func close() {
    state.withLock { $0.isClosed = true }
    changed.yield()
  }

  /// The oldest piece; nil if there is none.
  func take() -> [UInt8]? { state.withLock { $0.pieces.isEmpty ? nil : $0.pieces.removeFirst() } }

  /// As `LaunchedProcess.readOutput`. Only one task may call it at a time.
  func read() async -> [UInt8]? {
    while !Task.isCancelled {
      if let piece = take() { return piece }
      if state.withLock({ $0.isClosed }) { return nil }
      for await _ in changes { break }
    }
    return nil
  }
}

/// Starts providers in simulated processes and keeps them running, as `ProviderRuntime` does with real ones.
final class SimulatedHosting: Sendable {
  private let simulation: Simulation
  private let faults: ProcessFaults
  private let (supervisors, supervisorSignal) = AsyncStream.makeStream(of: Supervisor.self)
  private let processes = Mutex<(all: [SimulatedProcess], nextID: pid_t)>(([], 100))

  init(_ simulation: Simulation, _ faults: ProcessFaults) {
    self.simulation = simulation
    self.faults = faults
  }

  func run() async {
    await withDiscardingTaskGroup { group in
      for await supervisor in supervisors { group.addTask { await supervisor.run() } }
      group.cancelAll()
    }
  }

  /// Nil if its first process does not start.
  func start(_ id: String, _ plugin: any Provider.Type, context: @escaping ContextFactory) async -> (any PlaceService, Supervisor)? {
    let log = ProviderLog(time: simulation.time) { _, _ in }
    let handshake = Handshake(instance: InstanceDescription(id: id, source: .plugin(id)), context: context)
    let supervisor = Supervisor(id: id, policy: LifeCycle.Policy(), time: simulation.time, log: log) { [self] startLimit in
      ProviderProcess(
        id: id, launch: { self.launch(plugin) }, handshake: handshake, time: simulation.time, log: log, startLimit: startLimit)
    }
    supervisorSignal.yield(supervisor)
    guard let manifest = try? await supervisor.firstManifest() else { return nil }
    return (BoundedService(provider: ProcessService(manifest: manifest, supervisor: supervisor)), supervisor)
  }

  private func launch(_ plugin: any Provider.Type) -> SimulatedProcess {
    processes.withLock { processes in
      processes.all.removeAll { $0.reap() != nil }
      processes.nextID += 1
      let process = SimulatedProcess(plugin, id: processes.nextID, simulation, faults)
      processes.all.append(process)
      return process
    }
  }

  /// The kernel kills the processes of a daemon that ends (PR_SET_PDEATHSIG).
  func end() { for process in processes.withLock({ $0.all }) { process.end(.signalled(SIGKILL)) } }
}
