import Glibc
import PlacesKit

/// One process of a provider, from its start until it is reaped.
struct ProviderProcess: Sendable {
  let id: String
  let launch: @Sendable () async throws(ProviderStartError) -> any LaunchedProcess
  let handshake: Handshake
  let time: any TimeSource
  let log: ProviderLog
  /// Seconds that starting may take.
  let startLimit: Double

  /// Seconds between two checks of a process that owes replies. The default `graceTicks` of `ProtocolPeer`, 5, is thus 250 ms.
  static let tick = 0.05
  /// The seconds within which a process must end after the daemon asked it to.
  static let exitGrace = 0.25
  /// Seconds of processor time within which a process must obey SIGXCPU. Also the minimum number of seconds between two checks of the
  /// processor time.
  static let signalGrace = 0.5

  /// Runs the process; cancellation stops it.
  /// - Parameters:
  ///   - ready: called once, when the handshake is done.
  ///   - killedButStillRunning: called with the reason for the kill if the process was killed and has not ended after two seconds, for
  ///     example because it waits for a disk.
  func run(
    ready: @escaping @Sendable (ProtocolPeer, Manifest, pid_t) -> Void, killedButStillRunning: (ProcessEnd) -> Void
  ) async -> ProcessEnd {
    let process: any LaunchedProcess
    log.beginProcess()
    do { process = try await launch() } catch { return .refused(error) }
    let deadline = time.monotonic() + startLimit
    if let end = await waitForProgram(of: process, until: deadline) { return await finish(process, end, killedButStillRunning) }
    let peer = ProtocolPeer(now: { [time] in time.monotonic() }) { process.write($0) }
    let handler = ProviderRequestHandler(log: log)
    let end = await withTaskGroup(of: ProcessEnd?.self) { group in
      group.addTask(name: "read \(id)") { await read(process, peer, handler) }
      group.addTask(name: "read standard error of \(id)") { await readErrors(process) }
      group.addTask(name: "write \(id)") {
        await process.drainInput()
        return nil
      }
      group.addTask(name: "watch \(id)") { await watch(process, peer) }
      group.addTask(name: "watch the use of resources by \(id)") { await watchResourceUse(of: process) }
      group.addTask(name: "shake hands with \(id)") { await shakeHands(peer, handler, until: deadline) { ready(peer, $0, process.id) } }
      var end: ProcessEnd?
      while end == nil, let next = await group.next() { end = next }
      group.cancelAll()
      // The peer is closed here and not after the group, so that callers do not wait for the slowest of these tasks.
      peer.close(failure(end ?? .stopped))
      return end ?? .stopped
    }
    let ending = await finish(process, end, killedButStillRunning)
    if case .exited(let status, _) = ending, !handler.hasContext { return .exited(status: status, lastErrorLine: log.lastErrorOutput) }
    return ending
  }

  private func failure(_ end: ProcessEnd) -> ProviderError { ProviderError(.plugin, "provider \(id) \(end.reason)") }

  /// Reads until the process closes its output, breaks the protocol, or the task is cancelled.
  private func read(_ process: any LaunchedProcess, _ peer: ProtocolPeer, _ handler: ProviderRequestHandler) async -> ProcessEnd? {
    await withTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      var splitter = LineSplitter(maxLength: ProviderProtocol.maxLineFromProvider)
      var rate = ReadRate.standardOutput
      while let piece = await process.readOutput() {
        guard await pause(after: piece, &rate) else { break }
        do throws(ProtocolFault) {
          for line in try splitter.add(piece) {
            switch try peer.receive(line) {
            case .notification(let method, let parameters): handler.handleNotification(method, parameters)
            case .request(let request, let method, let parameters, let cancellation):
              // The task starts before the next line is read, and is not queued in the thread pool. It has no name, because a named
              // immediate task loses its executor in an unoptimised program (Swift 6.3.1).
              group.addImmediateTask { await serve(request, method, parameters, cancellation, peer, handler) }
            case nil: break
            }
          }
        } catch {
          return .protocolViolation(error)
        }
      }
      return Task.isCancelled ? nil : .closedOutput
    }
  }

  /// Answers one request of the process.
  private func serve(
    _ request: MessageID, _ method: String, _ parameters: JSONValue, _ cancellation: CancelSignal, _ peer: ProtocolPeer,
    _ handler: ProviderRequestHandler
  ) async {
    let meter = peer.meter(for: request)
    let answer = await cancellation.during { () async -> Result<[UInt8], ProviderError> in
      do throws(ProviderError) { return .success(try await handler.answer(method, parameters, meter: meter)) } catch {
        return .failure(error)
      }
    }
    peer.reply(to: request, answer)
  }

  private func readErrors(_ process: any LaunchedProcess) async -> ProcessEnd? {
    var rate = ReadRate.standardError
    while let piece = await process.readErrors(), await pause(after: piece, &rate) { log.add(standardError: piece) }
    return nil
  }

  /// Waits if the bytes that were read exceed the rate. Returns false once the task is cancelled.
  private func pause(after piece: [UInt8], _ rate: inout ReadRate) async -> Bool {
    guard let next = rate.recordRead(of: piece.count, at: time.monotonic()) else { return true }
    do { try await time.sleep(until: next) } catch { return false }
    return true
  }

  /// Checks the process every `tick` seconds as long as it owes replies.
  private func watch(_ process: any LaunchedProcess, _ peer: ProtocolPeer) async -> ProcessEnd? {
    for await _ in peer.activity {
      process.grantProcessorTime(forRequests: peer.requestCount)
      while peer.isBusy {
        do { try await time.sleep(until: time.monotonic() + Self.tick) } catch { return nil }
        if peer.tick() { return .hung }
        if process.hasTooManyThreads { return .tooManyThreads }
        process.grantProcessorTime(forRequests: peer.requestCount)
      }
    }
    return nil
  }

  /// Ends a process that exceeds its processor time and ignores SIGXCPU, or that starts too many threads while no call is in progress. The
  /// next check comes after the shortest time in which the process, on all processors, can use up its remaining processor time.
  private func watchResourceUse(of process: any LaunchedProcess) async -> ProcessEnd? {
    let processors = Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    while true {
      let remaining = process.processorTimeLeft
      if remaining < -Self.signalGrace { return .exceededProcessorTime }
      if process.hasTooManyThreads { return .tooManyThreads }
      do { try await time.sleep(until: time.monotonic() + max(Self.signalGrace, remaining / processors)) } catch { return nil }
    }
  }

  /// Waits until the process runs its own program. Returns nil once it does, otherwise how the process ended.
  private func waitForProgram(of process: any LaunchedProcess, until deadline: Double) async -> ProcessEnd? {
    let outcome = await withDeadline(deadline, clock: time, task: "program of \(id)") { () async -> Result<Void, ProviderStartError> in
      do throws(ProviderStartError) { return .success(try await process.waitForProgram()) } catch {
        return .failure(error)
      }
    }
    switch outcome {
    case _ where Task.isCancelled: return .stopped
    case .success: return nil
    case .failure(let error): return .refused(error)
    case nil: return .startTimedOut(startLimit)
    }
  }

  /// Performs the handshake. Returns nil if it succeeds or if another task reports the end; otherwise the reason to end the process.
  private func shakeHands(
    _ peer: ProtocolPeer, _ handler: ProviderRequestHandler, until deadline: Double, ready: @escaping @Sendable (Manifest) -> Void
  ) async -> ProcessEnd? {
    let outcome = await withDeadline(deadline, clock: time, task: "handshake with \(id)") {
      () async -> Result<Manifest, ProviderStartError> in
      do throws(ProviderStartError) { return .success(try await handshake.run(with: peer) { handler.setContext($0) }) } catch {
        return .failure(error)
      }
    }
    switch outcome {
    case .success(let manifest):
      ready(manifest)
      return nil
    // If this task was cancelled, the process was stopped, or has died, which another task reports.
    case .failure where Task.isCancelled: return nil
    case .failure(let error): return .refused(error)
    case nil: return Task.isCancelled ? nil : .startTimedOut(startLimit)
    }
  }

  /// Ends the process: asks it to end if it is stopped, waits a short time, kills it, and reaps it.
  /// - Parameter end: why the process is ended.
  /// - Returns: `end`, or how the process ended after it closed its output.
  private func finish(_ process: any LaunchedProcess, _ end: ProcessEnd, _ killedButStillRunning: (ProcessEnd) -> Void) async -> ProcessEnd
  {
    if end == .stopped {
      // The peer's ids begin at 1.
      _ = process.write(ProtocolMessage.request(id: 0, method: ProviderProtocol.Method.shutdown, parameters: Array("{}".utf8)))
    }
    process.closeInput()
    if end == .stopped || end == .closedOutput { _ = await process.hasEnded(within: Self.exitGrace) }
    let ownEnd = process.reap()
    if ownEnd == nil { await kill(process, for: end, killedButStillRunning) }
    logRemainingOutput(process)
    return end == .closedOutput ? ownEnd ?? .closedOutput : end
  }

  /// Kills the process and waits until it is gone, so that two processes of one provider never run at the same time. The wait is long on an
  /// overloaded machine, or if the process waits for a broken disk. A caller that stops the provider waits for at most three seconds; after
  /// that a separate task reaps the process.
  private func kill(_ process: any LaunchedProcess, for end: ProcessEnd, _ killedButStillRunning: (ProcessEnd) -> Void) async {
    process.kill()
    var seconds = 0
    while await !process.hasEnded(within: 1) {
      seconds += 1
      if seconds == 1 { log.add(.error, "process \(process.id) was killed, and has not ended yet") }
      if seconds == 2 { killedButStillRunning(end) }
      if seconds >= 3, end == .stopped || Task.isCancelled { return reapLater(process) }
    }
    _ = process.reap()
  }

  /// Waits in a separate task until the process ends, so that no zombie process remains. The task has no parent, because no task
  /// waits for its end.
  private func reapLater(_ process: any LaunchedProcess) {
    Task.detached(name: "a process that does not end") {
      while await !process.hasEnded(within: 3_600) {}
      _ = process.reap()
    }
  }

  /// Logs the last output before the process's end, which is the most informative. Its last line is logged even if it is incomplete.
  private func logRemainingOutput(_ process: any LaunchedProcess) {
    log.add(standardError: process.remainingErrors() + [UInt8(ascii: "\n")])
  }
}
