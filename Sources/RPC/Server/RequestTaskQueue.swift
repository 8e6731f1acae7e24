import Synchronization

/// Passes requests from the loop's thread to the task that starts and cancels their tasks. That task takes all queued steps at once.
/// `ServerOptions.inFlight` bounds the length of the queue.
final class RequestTaskQueue: Sendable {
  enum Step: Sendable {
    case start(RequestTask)
    /// Requests are not cancelled on the loop's thread, because their cancellation handlers are code of the request handler.
    case cancel(RequestTask)
  }

  private struct Waiting {
    var steps: [Step] = []
    var taker: CheckedContinuation<[Step], Never>?
    var isFinished = false
  }

  private let waiting = Mutex(Waiting())

  /// Adds a step. It may be called from any thread. After `finish`, steps are dropped.
  func add(_ step: Step) {
    let taker = waiting.withLock { waiting -> CheckedContinuation<[Step], Never>? in
      guard !waiting.isFinished else { return nil }
      guard let taker = waiting.taker.take() else {
        waiting.steps.append(step)
        return nil
      }
      return taker
    }
    taker?.resume(returning: [step])
  }

  /// Closes the queue. It may be called from any thread. Queued steps are still taken, and later ones are dropped.
  func finish() {
    let taker = waiting.withLock { waiting in
      waiting.isFinished = true
      return waiting.taker.take()
    }
    taker?.resume(returning: [])
  }

  /// Waits for at least one step, and returns all queued steps; empty after `finish`. Only one task at a time may call this. `finish` ends
  /// the wait, but a cancellation of the task does not.
  func take() async -> [Step] {
    await withCheckedContinuation { taker in
      let steps = waiting.withLock { waiting -> [Step]? in
        guard !waiting.steps.isEmpty || waiting.isFinished else {
          waiting.taker = taker
          return nil
        }
        defer { waiting.steps = [] }
        return waiting.steps
      }
      if let steps { taker.resume(returning: steps) }
    }
  }
}
