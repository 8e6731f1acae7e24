import Synchronization

/// Requests on their way from the loops to the one task that starts theirs, which takes all that wait at once: the busier the server, the
/// fewer the wake-ups. Bounded by `ServerOptions.inFlight`, which the loops count.
final class JobQueue: Sendable {
  private struct State {
    var waiting: [Job] = []
    var taker: CheckedContinuation<[Job], Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  /// From any thread; what comes after the end is dropped.
  func add(_ job: Job) {
    let taker = state.withLock { state -> CheckedContinuation<[Job], Never>? in
      guard !state.isFinished else { return nil }
      guard let taker = state.taker.take() else {
        state.waiting.append(job)
        return nil
      }
      return taker
    }
    taker?.resume(returning: [job])
  }

  /// From any thread: what waits is still taken, and nothing after it.
  func finish() {
    let taker = state.withLock { state in
      state.isFinished = true
      return state.taker.take()
    }
    taker?.resume(returning: [])
  }

  /// All jobs that wait, as soon as there are any; none at the end. One task at a time may ask. Who cancels it finishes the queue.
  func take() async -> [Job] {
    await withCheckedContinuation { taker in
      let jobs = state.withLock { state -> [Job]? in
        guard !state.waiting.isEmpty || state.isFinished else {
          state.taker = taker
          return nil
        }
        defer { state.waiting = [] }
        return state.waiting
      }
      if let jobs { taker.resume(returning: jobs) }
    }
  }
}
