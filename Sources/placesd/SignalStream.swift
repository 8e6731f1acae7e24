import Glibc
import Linux
import Synchronization

/// The process's signals as a stream. A small event loop reads them, so that no signal handler runs.
///
/// The loop's thread ends the process at a second SIGTERM or SIGINT, or `endLimit` seconds after the first one. Since it waits for no task,
/// the daemon ends even if a provider, a disk or a client does not respond.
struct SignalStream: Sendable {
  /// The time limit of a normal stop in seconds. Draining and stopping providers take less.
  private static let endLimit = 10.0

  let stream: AsyncStream<Int32>
  private let loop: EventLoop
  /// Receives a signal on the loop's thread.
  private let receiveOnLoop: @Sendable (Int32) -> Void

  /// - Parameter endProcess: logs the reason and ends the process with a status. It is called on the loop's thread.
  /// - Throws: if the signals cannot be watched. The process must then end, because the signals stay blocked.
  init(_ signals: [Int32], endProcess: @escaping @Sendable (_ status: Int32, _ reason: String) -> Void) throws(SystemError) {
    let (stream, streamInput) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(16))
    let loop = try EventLoop(name: "signals")
    let isEnding = Mutex(false)
    let receive: @Sendable (Int32) -> Void = { signal in
      guard signal != SIGHUP else {
        streamInput.yield(signal)
        return
      }
      let isSecond = isEnding.withLock { wasEnding in
        defer { wasEnding = true }
        return wasEnding
      }
      // The status is that which a shell reports for a process that the signal ended.
      if isSecond { endProcess(128 + signal, "second signal: exiting immediately") }
      loop.after(Self.endLimit) { endProcess(1, "still running \(Int(Self.endLimit)) s after the first signal: exiting immediately") }
      streamInput.yield(signal)
    }
    // The loop's thread does not run yet, so this thread may use the loop.
    try Signals.watch(signals, on: loop, receive)
    try loop.start()
    self.stream = stream
    self.loop = loop
    receiveOnLoop = receive
  }

  /// Receives a signal that another thread has taken from the process.
  func receive(_ signal: Int32) { loop.enqueue { [receiveOnLoop] in receiveOnLoop(signal) } }
}
