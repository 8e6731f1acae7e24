import Glibc
import Linux

/// The process's signals as a stream. A small event loop reads them, so that no signal handler runs.
///
/// A second SIGTERM or SIGINT, or `endLimit` after the first one, ends the process from the loop's thread, which waits for no task. The
/// daemon thus ends whatever a provider, a disk or a client does.
struct SignalStream: Sendable {
  /// The time limit of a normal stop in seconds, longer than draining and stopping providers take.
  private static let endLimit = 10.0

  let stream: AsyncStream<Int32>
  private let loop: EventLoop

  /// - Parameter endsNow: logs the reason and ends the process with a status; called on the loop's thread.
  /// - Throws: if the signals cannot be watched. They stay blocked then, so that the process must end.
  init(_ signals: [Int32], endsNow: @escaping @Sendable (_ status: Int32, _ reason: String) -> Void) throws(SystemError) {
    let (stream, arrivals) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(16))
    let loop = try EventLoop(name: "signals")
    var isEnding = false
    // The loop's thread does not run yet, so this thread may use the loop.
    try Signals.watch(signals, on: loop) { signal in
      guard signal != SIGHUP else {
        arrivals.yield(signal)
        return
      }
      if isEnding { endsNow(128 + signal, "second signal: exiting immediately") }
      isEnding = true
      loop.after(Self.endLimit) { endsNow(1, "still running \(Int(Self.endLimit)) s after the first signal: exiting immediately") }
      arrivals.yield(signal)
    }
    try loop.start()
    self.stream = stream
    self.loop = loop
  }
}
