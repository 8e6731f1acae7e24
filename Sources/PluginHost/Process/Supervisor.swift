import PlacesKit
import Synchronization

/// Keeps one provider's process running, and provides the `ProtocolPeer` of the current process.
final class Supervisor: Sendable {
  /// The state that the supervising task and the callers share.
  private struct Shared {
    var lifeCycle: LifeCycle {
      didSet { if lifeCycle.state != .starting { completeStart() } }
    }
    /// The continuations of the streams that `startCompletion` returned, while a process is being started.
    private var startCompletionInputs: [AsyncStream<Void>.Continuation] = []
    var peer: ProtocolPeer?
    var processID: Int32?
    var lastEnd: ProcessEnd?
    /// The time of the last end, in seconds since 1970.
    var lastEndAt: Double?
    /// The result of the first start; nil until it has succeeded or failed.
    var firstStartResult: Result<Manifest, ProviderStartError>?
    /// The caller that waits for the first start; nil if none waits.
    var firstStartWaiter: FirstStartWaiter?

    init(lifeCycle: LifeCycle) { self.lifeCycle = lifeCycle }

    /// A stream without elements, which ends when the process that is being started is ready or has failed; nil if none is being started.
    mutating func startCompletion() -> AsyncStream<Void>? {
      guard lifeCycle.state == .starting else { return nil }
      let (stream, input) = AsyncStream.makeStream(of: Void.self)
      startCompletionInputs.append(input)
      return stream
    }

    private mutating func completeStart() {
      for input in startCompletionInputs { input.finish() }
      startCompletionInputs = []
    }
  }
  private typealias FirstStartWaiter = CheckedContinuation<Result<Manifest, ProviderStartError>, Never>

  let id: String
  let log: ProviderLog
  private let shared: Mutex<Shared>
  private let policy: LifeCycle.Policy
  private let time: any TimeSource
  /// Makes a process, which may take `startLimit` seconds to start.
  private let makeProcess: @Sendable (_ startLimit: Double) -> ProviderProcess
  private let stopSignal = CancelSignal()
  private let (resumeRequests, resumeInput) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// A stream without elements, which ends when `run` returns.
  private let (runCompletion, runCompletionInput) = AsyncStream.makeStream(of: Void.self)

  init(
    id: String, policy: LifeCycle.Policy, time: any TimeSource, log: ProviderLog,
    makeProcess: @escaping @Sendable (_ startLimit: Double) -> ProviderProcess
  ) {
    self.id = id
    self.time = time
    self.log = log
    self.makeProcess = makeProcess
    self.policy = policy
    shared = Mutex(Shared(lifeCycle: LifeCycle(policy: policy)))
  }

  /// Runs until the provider is stopped, its first start fails, or the task is cancelled.
  func run() async {
    await stopSignal.during { await supervise() }
    shared.withLock { _ = $0.lifeCycle.stop() }
    resolveFirstStartIfPending(.failure(ProcessEnd.stopped.error(of: id)))
    runCompletionInput.finish()
  }

  /// Performs the actions that the life cycle returns, until the provider is stopped.
  private func supervise() async {
    var action = LifeCycle.Action.start
    while !Task.isCancelled {
      switch action {
      case .start: action = await runProcess()
      case .wait(let until): action = await waitToRestart(until: until)
      case .stayOff(let until): action = await waitWhileOff(until: until)
      case .finish: return
      }
    }
  }

  /// Runs one process until it ends. Returns the next action.
  private func runProcess() async -> LifeCycle.Action {
    let startLimit = shared.withLock { $0.firstStartResult == nil ? policy.firstStartLimit : policy.furtherStartLimit }
    let end = await makeProcess(startLimit).run { peer, manifest, processID in
      self.processBecameReady(peer, manifest, processID)
    } killedButStillRunning: {
      // The caller that waits for the first start gets the error now, and does not wait until the process is gone.
      resolveFirstStartIfPending(.failure($0.error(of: id)))
    }
    let action = shared.withLock { shared in
      shared.peer = nil
      shared.processID = nil
      shared.lastEnd = end
      shared.lastEndAt = time.wall()
      // A provider is not restarted if it was stopped or if its first start failed. If the first process was killed but continued to run,
      // `firstStartResult` is already set to the failure, and setting it cancelled this task.
      let mustStop = end == .stopped || Task.isCancelled || shared.firstStartResult == nil
      return mustStop ? shared.lifeCycle.stop() : shared.lifeCycle.ended(at: time.monotonic())
    }
    resolveFirstStartIfPending(.failure(end.error(of: id)))
    report(end, action)
    return action
  }

  private func processBecameReady(_ peer: ProtocolPeer, _ manifest: Manifest, _ processID: Int32) {
    shared.withLock { shared in
      shared.lifeCycle.started(at: time.monotonic())
      shared.peer = peer
      shared.processID = processID
    }
    resolveFirstStartIfPending(.success(manifest))
  }

  private func report(_ end: ProcessEnd, _ action: LifeCycle.Action) {
    switch action {
    case .start, .wait: log.add(.warning, "it \(end.reason); it is restarted")
    case .stayOff: log.add(.error, "it \(end.reason) once more; \(offNote)")
    case .finish: break
    }
  }

  /// A clause that states for how long a provider that crashed too often is off.
  private var offNote: String {
    "it is off for \(Int(policy.window / 60)) minutes, or until it is resumed or the configuration is reloaded"
  }

  /// Waits until a provider that crashed too often may be started again, or is resumed.
  private func waitWhileOff(until: Double) async -> LifeCycle.Action {
    enum Outcome { case resumed, timePassed, cancelled }
    let outcome = await withTaskGroup(of: Outcome.self) { group in
      group.addTask(name: "off \(id)") { [time] in
        do { try await time.sleep(until: until) } catch { return .cancelled }
        return .timePassed
      }
      group.addTask(name: "resume \(id)") { [resumeRequests] in
        for await _ in resumeRequests { return .resumed }
        return .cancelled
      }
      defer { group.cancelAll() }
      return await group.next() ?? .cancelled
    }
    return shared.withLock { shared in
      switch outcome {
      case .resumed: shared.lifeCycle.resume()
      case .timePassed: shared.lifeCycle.waitEnded()
      case .cancelled: shared.lifeCycle.stop()
      }
    }
  }

  private func waitToRestart(until: Double) async -> LifeCycle.Action {
    do { try await time.sleep(until: until) } catch { return .finish }
    return shared.withLock { $0.lifeCycle.waitEnded() }
  }

  // MARK: Called from other tasks

  /// Waits for the handshake of the first process, and returns its manifest. If the waiting task is cancelled, throws immediately, and the
  /// process is ended.
  func firstManifest() async throws(ProviderStartError) -> Manifest {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result = shared.withLock { shared in
          if shared.firstStartResult == nil { shared.firstStartWaiter = continuation }
          return shared.firstStartResult
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      resolveFirstStartIfPending(.failure(ProcessEnd.stopped.error(of: id)))
    }
    return try result.get()
  }

  /// Records the result of the first start and reports it to the task that waits for it. Does nothing if there is a result already. A
  /// failure stops the provider.
  private func resolveFirstStartIfPending(_ result: Result<Manifest, ProviderStartError>) {
    let (isFirst, firstStartWaiter) = shared.withLock { shared in
      guard shared.firstStartResult == nil else { return (false, nil as FirstStartWaiter?) }
      shared.firstStartResult = result
      defer { shared.firstStartWaiter = nil }
      return (true, shared.firstStartWaiter)
    }
    if isFirst, case .failure = result { stopSignal.fire() }
    firstStartWaiter?.resume(returning: result)
  }

  /// The peer of the current process. If a process is being started, waits until it is ready or has failed, for at most `furtherStartLimit`
  /// seconds.
  /// - Throws: `plugin` if no process is ready, with the seconds after which to retry; `cancelled` if the calling task is cancelled.
  func readyPeer() async throws(ProviderError) -> ProtocolPeer {
    if let startCompletion = shared.withLock({ $0.startCompletion() }) {
      await withTimeLimit(policy.furtherStartLimit, clock: time, task: "start of \(id)") { for await _ in startCompletion {} }
      if Task.isCancelled { throw ProviderError(.cancelled, "cancelled") }
    }
    return try peer()
  }

  /// The peer of the current process. Throws, without waiting, if no process is ready.
  private func peer() throws(ProviderError) -> ProtocolPeer {
    let (peer, state, lastEnd) = shared.withLock { ($0.peer, $0.lifeCycle.state, $0.lastEnd) }
    if let peer { return peer }
    let reason = lastEnd.map { " since it \($0.reason)" } ?? ""
    switch state {
    case .waiting(let until):
      throw ProviderError(.plugin, "provider \(id) is being restarted\(reason)", retryAfterSeconds: max(0, until - time.monotonic()))
    // With `ready` there is always a peer.
    case .starting, .ready: throw ProviderError(.plugin, "provider \(id) is starting", retryAfterSeconds: 0.1)
    case .off(let until):
      throw ProviderError(.plugin, "provider \(id) is off\(reason)", retryAfterSeconds: max(0, until - time.monotonic()))
    case .stopped: throw ProviderError(.plugin, "provider \(id) was stopped")
    }
  }

  var status: HostedProvider.Status {
    shared.withLock { shared in
      let state: HostedProvider.Status.State =
        switch shared.lifeCycle.state {
        case .starting: .starting
        case .ready: .running
        case .waiting: .restarting
        case .off: .off
        case .stopped: .stopped
        }
      return HostedProvider.Status(
        state: state, processID: shared.processID, restarts: shared.lifeCycle.restarts, lastEnd: shared.lastEnd.map(\.reason),
        lastEndAt: shared.lastEndAt, offNote: shared.lifeCycle.isOff ? offNote : nil)
    }
  }

  /// Restarts the process of a provider that crashed too often. Does nothing if the provider is not off.
  func resume() {
    if shared.withLock({ $0.lifeCycle.isOff }) { resumeInput.yield() }
  }

  /// Ends the process and waits for its end.
  func stop() async {
    stopSignal.fire()
    for await _ in runCompletion {}
  }
}
