import Glibc
import Linux

/// The process's signals as a stream. A small event loop reads them, so that no signal handler runs.
///
/// The loop's thread ends the process at a second SIGTERM or SIGINT, or `endLimit` seconds after the first one. Since it waits for no task,
/// the daemon ends even if a provider, a disk or a client does not respond.
struct SignalStream: Sendable {
  /// The time limit of a normal stop in seconds. Draining and stopping providers take less.
  private static let endLimit = 10.0

  let stream: AsyncStream<Int32>
  private let loop: EventLoop

  /// - Parameter endProcess: logs the reason and ends the process with a status. It is called on the loop's thread.
  /// - Throws: if the signals cannot be watched. The process must then end, because the signals stay blocked.
  init(_ signals: [Int32], endProcess: @escaping @Sendable (_ status: Int32, _ reason: String) -> Void) throws(SystemError) {
    let (stream, streamInput) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(16))
    let loop = try EventLoop(name: "signals")
    var isEnding = false
    // The loop's thread does not run yet, so this thread may use the loop.
    try Signals.watch(signals, on: loop) { signal in
      guard signal != SIGHUP else {
        streamInput.yield(signal)
        return
      }
      if isEnding { endProcess(128 + signal, "second signal: exiting immediately") }
      isEnding = true
      loop.after(Self.endLimit) { endProcess(1, "still running \(Int(Self.endLimit)) s after the first signal: exiting immediately") }
      streamInput.yield(signal)
    }
    try loop.start()
    self.stream = stream
    self.loop = loop
  }
}
