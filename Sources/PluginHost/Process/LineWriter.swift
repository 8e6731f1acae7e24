import Glibc
import Synchronization

/// Writes lines to a pipe in order. Bytes that the pipe does not accept immediately wait until it does.
final class LineWriter: Sendable {
  private struct State {
    var pipe: PipeEnd?
    /// Accepted bytes. The pipe has taken the first `writtenCount` of them, and the rest wait.
    var acceptedBytes: [UInt8] = []
    var writtenCount = 0

    /// Writes as many of the waiting bytes as the pipe accepts.
    mutating func writeMore() {
      guard let pipe else { return }
      let count = acceptedBytes[writtenCount...].withUnsafeBytes { Glibc.write(pipe.descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        // The other process no longer reads. The task that reads its output reports the reason.
        if errno != EAGAIN && errno != EINTR { self.pipe = nil }
        return
      }
      writtenCount += count
      // Written bytes are removed only once they are half of the array, so that each removal moves no more bytes than were written.
      if writtenCount * 2 >= acceptedBytes.count {
        acceptedBytes.removeFirst(writtenCount)
        writtenCount = 0
      }
    }
  }

  private let state: Mutex<State>
  /// The maximum number of bytes that wait while the reader does not read.
  private let maxUnwritten: Int
  /// Wakes `drain` when bytes wait.
  private let wakeups: AsyncStream<Void>
  private let wakeSignal: AsyncStream<Void>.Continuation

  init(_ pipe: PipeEnd, maxUnwritten: Int) {
    state = Mutex(State(pipe: pipe))
    self.maxUnwritten = maxUnwritten
    (wakeups, wakeSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Accepts a whole line or nothing. Returns false if too many bytes already wait, or if the pipe is closed.
  func write(_ line: [UInt8]) -> Bool {
    let outcome: (isAccepted: Bool, isWaiting: Bool) = state.withLock { state in
      guard let pipe = state.pipe, state.acceptedBytes.count - state.writtenCount + line.count <= maxUnwritten else {
        return (false, false)
      }
      if state.acceptedBytes.isEmpty {
        let count = line.withUnsafeBytes { Glibc.write(pipe.descriptor, $0.baseAddress, $0.count) }
        if count == line.count { return (true, false) }
        if count < 0 && errno != EAGAIN && errno != EINTR { return (false, false) }
        state.acceptedBytes = Array(line[max(0, count)...])
      } else {
        state.acceptedBytes += line
      }
      return (true, true)
    }
    if outcome.isWaiting { wakeSignal.yield() }
    return outcome.isAccepted
  }

  /// Closes the pipe and drops the bytes that wait. A task that waits in `drain` still holds the pipe, so the reader sees the end of the
  /// stream only when that wait has ended.
  func close() {
    state.withLock { $0.pipe = nil }
    wakeSignal.finish()
  }

  /// Writes the bytes that the pipe did not accept immediately; runs until the pipe is closed or the task cancelled.
  func drain(_ thread: PipeThread) async {
    for await _ in wakeups {
      while let pipe = state.withLock({ $0.acceptedBytes.isEmpty ? nil : $0.pipe }) {
        guard await thread.wait(for: pipe.descriptor, .writable) == .ready else { return }
        state.withLock { $0.writeMore() }
      }
    }
  }
}
