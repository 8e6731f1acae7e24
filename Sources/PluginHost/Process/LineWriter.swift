import Glibc
import Synchronization

/// Writes lines to a pipe in order. Bytes that the pipe does not accept immediately wait until it does.
final class LineWriter: Sendable {
  private struct State {
    var end: PipeEnd?
    /// Bytes that the pipe has not accepted yet, after `written` bytes that it has.
    var waiting: [UInt8] = []
    var written = 0

    mutating func writeWaiting() {
      guard let end else { return }
      let count = waiting[written...].withUnsafeBytes { Glibc.write(end.descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        // The reader is gone. The task that reads from it reports the reason.
        if errno != EAGAIN && errno != EINTR { self.end = nil }
        return
      }
      written += count
      // Written bytes are removed only once they are half of the array, so that each byte is moved at most once.
      if written * 2 >= waiting.count {
        waiting.removeFirst(written)
        written = 0
      }
    }
  }

  private let state: Mutex<State>
  /// The maximum number of bytes that wait for a reader that does not read.
  private let bound: Int
  /// Wakes `drain` when bytes wait.
  private let wakeups: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  init(_ end: PipeEnd, bound: Int) {
    state = Mutex(State(end: end))
    self.bound = bound
    (wakeups, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Accepts a whole line or nothing. Returns false if too many bytes already wait, or if the pipe is closed.
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
    if outcome.isWaiting { wake.yield() }
    return outcome.isTaken
  }

  /// Writes nothing more. The reader sees the end of the stream as soon as no task waits for the pipe.
  func close() {
    state.withLock { $0.end = nil }
    wake.finish()
  }

  /// Writes the bytes that the pipe did not accept immediately; runs until the pipe is closed or the task cancelled.
  func drain(_ thread: PipeThread) async {
    for await _ in wakeups {
      while let end = state.withLock({ $0.waiting.isEmpty ? nil : $0.end }) {
        guard await thread.wait(for: end.descriptor, .writable) == .ready else { return }
        state.withLock { $0.writeWaiting() }
      }
    }
  }
}
