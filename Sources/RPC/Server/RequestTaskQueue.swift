import Synchronization

/// Passes requests from the loop's thread to the task of `Server.run`, which starts and cancels the requests' tasks. It takes all queued
/// steps at once.
/// `ServerOptions.inFlight` bounds the length of the queue.
final class RequestTaskQueue: Sendable {
  enum Step: Sendable {
    case start(RequestTask)
    /// Requests are not cancelled on the loop's thread, because their cancellation handlers are code of the request handler.
    case cancel(RequestTask)
  }

  private struct State {
    var steps: [Step] = []
    var takeContinuation: CheckedContinuation<[Step], Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  /// Adds a step. It may be called from any thread. After `finish`, steps are dropped.
  func add(_ step: Step) {
    let takeContinuation = state.withLock { state -> CheckedContinuation<[Step], Never>? in
      guard !state.isFinished else { return nil }
      guard let takeContinuation = state.takeContinuation.take() else {
        state.steps.append(step)
        return nil
      }
      return takeContinuation
    }
    takeContinuation?.resume(returning: [step])
  }

  /// Closes the queue. It may be called from any thread. Queued steps are still taken, and later ones are dropped.
  func finish() {
    let takeContinuation = state.withLock { state in
      state.isFinished = true
      return state.takeContinuation.take()
    }
    takeContinuation?.resume(returning: [])
  }

  /// Waits for at least one step, and returns all queued steps; empty after `finish`. Only one task at a time may call this. `finish` ends
  /// the wait, but a cancellation of the task does not.
  func take() async -> [Step] {
    await withCheckedContinuation { takeContinuation in
      let steps = state.withLock { state -> [Step]? in
        guard !state.steps.isEmpty || state.isFinished else {
          state.takeContinuation = takeContinuation
          return nil
        }
        defer { state.steps = [] }
        return state.steps
      }
      if let steps { takeContinuation.resume(returning: steps) }
    }
  }
}
