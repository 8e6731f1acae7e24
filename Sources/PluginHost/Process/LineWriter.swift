import Glibc
import Synchronization

/// Writes lines to a pipe: at once where the pipe takes them, else when it does, in order.
final class LineWriter: Sendable {
  private struct State {
    var end: PipeEnd?
    var waiting: [UInt8] = []
    var written = 0

    mutating func writeRest() {
      guard let end else { return }
      let count = waiting[written...].withUnsafeBytes { Glibc.write(end.descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        // The reader is gone; reading from it tells why.
        if errno != EAGAIN && errno != EINTR { self.end = nil }
        return
      }
      written += count
      // Moved up only when half is written, so that each byte is moved once at most.
      if written * 2 >= waiting.count {
        waiting.removeFirst(written)
        written = 0
      }
    }
  }

  private let state: Mutex<State>
  /// The most bytes that wait for a reader that does not read.
  private let bound: Int
  private let rest: AsyncStream<Void>
  private let restSignal: AsyncStream<Void>.Continuation

  init(_ end: PipeEnd, bound: Int) {
    state = Mutex(State(end: end))
    self.bound = bound
    (rest, restSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Takes a whole line or nothing: false when too much waits already, or the pipe is closed.
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

  /// Nothing more is written; the reader sees the end of the stream, once nobody waits for the pipe any more.
  func close() {
    state.withLock { $0.end = nil }
    restSignal.finish()
  }

  /// Writes what the pipe did not take at once; runs until the pipe is closed or the task cancelled.
  func drain(_ thread: PipeThread) async {
    for await _ in rest {
      while let end = state.withLock({ $0.waiting.isEmpty ? nil : $0.end }) {
        guard await thread.wait(for: end.descriptor, .writable) == .ready else { return }
        state.withLock { $0.writeRest() }
      }
    }
  }
}
