import Glibc
import PlacesKit

/// One process of a provider, from its start until it is reaped.
struct ProviderProcess: Sendable {
  let id: String
  let specification: LaunchSpecification
  let handshake: Handshake
  let thread: PipeThread
  let time: any TimeSource
  let log: ProviderLog
  /// Seconds that starting may take.
  let startLimit: Double

  /// Seconds between two checks of a process that owes answers; with `ProtocolPeer`'s five ticks of grace, 250 ms.
  static let tick = 0.05
  /// Seconds in which a process must end after it was asked to.
  static let exitGrace = 0.25
  /// Seconds of processor time within which a process must obey SIGXCPU, and the minimum number of seconds between two checks of that.
  static let signalGrace = 0.5

  /// Runs the process; cancellation stops it.
  /// - Parameters:
  ///   - ready: called once, when the handshake is done.
  ///   - stuck: called if the process was killed and has not ended after two seconds, for example because it waits for a disk.
  func run(ready: @escaping @Sendable (ProtocolPeer, Manifest, pid_t) -> Void, stuck: (ProcessEnd) -> Void) async -> ProcessEnd {
    let process: ChildProcess
    log.begin()
    do { process = try await ChildProcess.launch(specification, as: id) } catch { return .refused(error) }
    let deadline = time.monotonic() + startLimit
    let writer = process.input
    if let end = await begin(process, until: deadline) { return await finish(process, writer, end, stuck) }
    let peer = ProtocolPeer(now: { [time] in time.monotonic() }) { writer.write($0) }
    let handler = ProviderRequestHandler(log: log)
    let end = await withTaskGroup(of: ProcessEnd?.self) { group in
      group.addTask(name: "read \(id)") { await read(process.output, peer, handler) }
      group.addTask(name: "read what \(id) complains of") { await readErrors(process.errors) }
      group.addTask(name: "write \(id)") {
        await writer.drain(thread)
        return nil
      }
      group.addTask(name: "watch \(id)") { await watch(process, peer) }
      group.addTask(name: "watch what \(id) uses") { await watchUse(of: process) }
      group.addTask(name: "shake hands with \(id)") { await shakeHands(peer, handler, until: deadline) { ready(peer, $0, process.id) } }
      var end: ProcessEnd?
      while end == nil, let next = await group.next() { end = next }
      group.cancelAll()
      // Here, so that callers do not wait for the slowest of these tasks.
      peer.close(failure(end ?? .stopped))
      return end ?? .stopped
    }
    let ending = await finish(process, writer, end, stuck)
    if case .exited(let status, _) = ending, !handler.isOpen { return .exited(status: status, lastErrorLine: log.lastErrorOutput) }
    return ending
  }

  private func failure(_ end: ProcessEnd) -> ProviderError { ProviderError(.plugin, "provider \(id) \(end.reason)") }

  /// Reads until the process closes its output, breaks the protocol, or this is cancelled.
  private func read(_ output: PipeEnd, _ peer: ProtocolPeer, _ handler: ProviderRequestHandler) async -> ProcessEnd? {
    await withTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      var splitter = LineSplitter(longest: ProviderProtocol.maxLineFromProvider)
      var rate = ReadRate.standardOutput
      while let piece = await read(output, &rate) {
        do throws(ProtocolFault) {
          for line in try splitter.add(piece) {
            switch try peer.receive(line) {
            case .notification(let method, let parameters): handler.take(method, parameters)
            case .request(let request, let method, let parameters, let cancelled):
              // It starts before the next line is read, without being queued in the pool. Without a name, because a named immediate task loses
              // its executor in an unoptimised program (Swift 6.3.1).
              group.addImmediateTask { await serve(request, method, parameters, cancelled, peer, handler) }
            case nil: break
            }
          }
        } catch {
          return .violated(error)
        }
      }
      return Task.isCancelled ? nil : .closedOutput
    }
  }

  private func serve(
    _ request: MessageID, _ method: String, _ parameters: JSONValue, _ cancelled: CancelSignal, _ peer: ProtocolPeer,
    _ handler: ProviderRequestHandler
  ) async {
    let meter = peer.meter(for: request)
    let answer = await cancelled.during { () async -> Result<[UInt8], ProviderError> in
      do throws(ProviderError) { return .success(try await handler.answer(method, parameters, meter: meter)) } catch {
        return .failure(error)
      }
    }
    peer.reply(to: request, answer)
  }

  private func readErrors(_ errors: PipeEnd) async -> ProcessEnd? {
    var rate = ReadRate.standardError
    while let piece = await read(errors, &rate) { log.add(standardError: piece) }
    return nil
  }

  /// Reads the bytes that have arrived, and then waits if they exceed the rate. Nil at the end of the stream, or once the task is
  /// cancelled.
  private func read(_ pipe: PipeEnd, _ rate: inout ReadRate) async -> [UInt8]? {
    guard let piece = await pipe.read(thread) else { return nil }
    if let next = rate.read(piece.count, at: time.monotonic()) {
      do { try await time.sleep(until: next) } catch { return nil }
    }
    return piece
  }

  /// Checks the process as long as it owes answers.
  private func watch(_ process: ChildProcess, _ peer: ProtocolPeer) async -> ProcessEnd? {
    for await _ in peer.activity {
      process.allow(requests: peer.requests)
      while peer.isBusy {
        do { try await time.sleep(until: time.monotonic() + Self.tick) } catch { return nil }
        if peer.tick() { return .hung }
        if process.hasTooManyThreads { return .tooManyThreads }
        process.allow(requests: peer.requests)
      }
    }
    return nil
  }

  /// Ends a process that exceeds its processor time and ignores SIGXCPU, or that starts too many threads while no call is in progress.
  /// Checks are as far apart as the remaining processor time allows.
  private func watchUse(of process: ChildProcess) async -> ProcessEnd? {
    let processors = Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    while true {
      let left = process.processorTimeLeft
      if left < -Self.signalGrace { return .exceededProcessorTime }
      if process.hasTooManyThreads { return .tooManyThreads }
      do { try await time.sleep(until: time.monotonic() + max(Self.signalGrace, left / processors)) } catch { return nil }
    }
  }

  /// Waits until the process runs its own program; nil once it does.
  private func begin(_ process: ChildProcess, until deadline: Double) async -> ProcessEnd? {
    let outcome = await until(deadline, of: time, "program of \(id)") { () async -> Result<Void, ProviderStartError> in
      do throws(ProviderStartError) { return .success(try await process.begins(specification, as: id, on: thread)) } catch {
        return .failure(error)
      }
    }
    switch outcome {
    case _ where Task.isCancelled: return .stopped
    case .success: return nil
    case .failure(let error): return .refused(error)
    case nil: return .late(startLimit)
    }
  }

  private func shakeHands(
    _ peer: ProtocolPeer, _ handler: ProviderRequestHandler, until deadline: Double, ready: @escaping @Sendable (Manifest) -> Void
  ) async -> ProcessEnd? {
    let outcome = await until(deadline, of: time, "handshake with \(id)") { () async -> Result<Manifest, ProviderStartError> in
      do throws(ProviderStartError) { return .success(try await handshake.run(with: peer) { handler.open($0) }) } catch {
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
    case nil: return Task.isCancelled ? nil : .late(startLimit)
    }
  }

  /// Ends the process: asks it to end, waits a short time, kills it, and reaps it.
  private func finish(_ process: ChildProcess, _ writer: LineWriter, _ end: ProcessEnd, _ stuck: (ProcessEnd) -> Void) async -> ProcessEnd {
    if end == .stopped {
      _ = writer.write(ProtocolMessage.request(id: 0, method: ProviderProtocol.Method.shutdown, parameters: Array("{}".utf8)))
    }
    writer.close()
    if end == .stopped || end == .closedOutput { _ = await process.ends(within: Self.exitGrace, on: thread) }
    let natural = process.reap()
    if natural == nil { await kill(process, for: end, stuck) }
    logRemainingOutput(process.errors)
    return end == .closedOutput ? natural ?? .closedOutput : end
  }

  /// Kills it and waits until it is gone, so that two processes of one provider never run at the same time. That takes long on an overloaded
  /// machine, or if the process waits for a broken disk. A caller that stops the provider waits for at most three seconds; after that a
  /// separate task reaps the process.
  private func kill(_ process: ChildProcess, for end: ProcessEnd, _ stuck: (ProcessEnd) -> Void) async {
    process.kill()
    var seconds = 0
    while await !process.ends(within: 1, on: thread) {
      seconds += 1
      if seconds == 1 { log.add(.error, "process \(process.id) was killed, and has not ended yet") }
      if seconds == 2 { stuck(end) }
      if seconds >= 3, end == .stopped || Task.isCancelled { return reapLater(process) }
    }
    _ = process.reap()
  }

  /// Waits for its end in a separate task, so that no zombie process remains.
  private func reapLater(_ process: ChildProcess) {
    Task.detached(name: "a process that does not end") { [thread] in
      while await !process.ends(within: 3_600, on: thread) {}
      _ = process.reap()
    }
  }

  /// Logs the last output before its end, which is the most informative, even if the last line is incomplete.
  private func logRemainingOutput(_ errors: PipeEnd) {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(errors.descriptor, &piece, piece.count)
    log.add(standardError: piece.prefix(max(0, count)) + [UInt8(ascii: "\n")])
  }
}
