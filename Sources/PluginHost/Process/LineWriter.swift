import Glibc
import Synchronization

/// Writes lines to a pipe in order. Bytes that the pipe does not accept immediately wait until it does.
final class LineWriter: Sendable {
  private struct State {
    var end: PipeEnd?
    var waiting: [UInt8] = []
    var written = 0

    mutating func writeRest() {
      guard let end else { return }
      let count = waiting[written...].withUnsafeBytes { Glibc.write(end.descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        // The reader is gone. The task that reads from it reports the reason.
        if errno != EAGAIN && errno != EINTR { self.end = nil }
        return
      }
      written += count
      // Only after half of the bytes are written, so that each byte is moved at most once.
      if written * 2 >= waiting.count {
        waiting.removeFirst(written)
        written = 0
      }
    }
  }

  private let state: Mutex<State>
  /// The maximum number of bytes that wait for a reader that does not read.
  private let bound: Int
  private let rest: AsyncStream<Void>
  private let restSignal: AsyncStream<Void>.Continuation

  init(_ end: PipeEnd, bound: Int) {
    state = Mutex(State(end: end))
    self.bound = bound
    (rest, restSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Accepts a whole line or nothing: false if too many bytes already wait, or if the pipe is closed.
  func write(_ line: [UInt8]) -> Bool {
    let outcome: (isTaken: Bool, isWaiting: Bool) = state.withLock { state in
      guard let end = state.end, state.waiting.count - state.written + line.count <= bound else { return (false, false) }
      if state.waiting.isEmpty {
        let count = line.withUnsafeBytes { Glibc.write(end.descriptor, $0.baseAddress, $0.count) }
        if count == line.count { return (true, false) }
        if count < 0 && errno != EAGAIN && errno != EINTR { return (false, false) }
        state.waiting = Array(line[max(0, count)...])
      } else {
        state.waiting += line
      }
      return (true, true)
    }
    if outcome.isWaiting { restSignal.yield() }
    return outcome.isTaken
  }

  /// Writes nothing more. The reader sees the end of the stream as soon as no task waits for the pipe.
  func close() {
    state.withLock { $0.end = nil }
    restSignal.finish()
  }

  /// Writes the bytes that the pipe did not accept immediately; runs until the pipe is closed or the task cancelled.
  func drain(_ thread: PipeThread) async {
    for await _ in rest {
      while let end = state.withLock({ $0.waiting.isEmpty ? nil : $0.end }) {
        guard await thread.wait(for: end.descriptor, .writable) == .ready else { return }
        state.withLock { $0.writeRest() }
      }
    }
  }
}
