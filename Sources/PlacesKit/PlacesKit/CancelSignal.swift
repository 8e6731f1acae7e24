import Synchronization

/// Cancels the task that does one piece of work, for callers that do not own the task.
public final class CancelSignal: Sendable {
  /// `@unchecked Sendable`: an `UnsafeCurrentTask` is valid only while `during` runs, and `during` does not return while `fire` uses the
  /// task. `UnsafeCurrentTask.cancel` may be called from any thread.
  private struct Worker: @unchecked Sendable { var task: UnsafeCurrentTask }

  /// The progress of the work and of `fire`.
  private enum Phase: Sendable {
    case idle
    case working(Worker)
    /// `fire` runs the task's cancellation handlers. If there is a continuation, `during` waits until `fire` resumes it.
    case cancelling(CheckedContinuation<Void, Never>?)
    /// The work has ended, or the signal has fired.
    case over
  }

  private let phase = Mutex(Phase.idle)

  public init() {}

  /// Cancels the work, now or as soon as it begins. This call runs the task's cancellation handlers, without a lock.
  public func fire() {
    let worker = phase.withLock { phase -> Worker? in
      switch phase {
      case .idle: phase = .over
      case .working(let worker):
        phase = .cancelling(nil)
        return worker
      case .cancelling, .over: break
      }
      return nil
    }
    guard let worker else { return }
    worker.task.cancel()
    let waiter = phase.withLock { phase -> CheckedContinuation<Void, Never>? in
      defer { phase = .over }
      if case .cancelling(let waiter) = phase { return waiter }
      return nil
    }
    waiter?.resume()
  }

  /// Runs `work` in the calling task, and cancels that task if the signal fires. Returns when the work has ended and no `fire` is in
  /// progress. Each signal can be used for one piece of work only.
  public func during<T>(_ work: () async -> T) async -> T {
    let result = await withUnsafeCurrentTask { task in
      if let task, !begin(Worker(task: task)) { task.cancel() }
      return await work()
    }
    // If a `fire` is in progress, this waits for it. The second `end` returns true if the `fire` has finished in the meantime.
    if !end(nil) { await withCheckedContinuation { if end($0) { $0.resume() } } }
    return result
  }

  /// Records the task that does the work. Returns false if the signal has already fired.
  private func begin(_ worker: Worker) -> Bool {
    phase.withLock { phase in
      if case .over = phase { return false }
      phase = .working(worker)
      return true
    }
  }

  /// Records that the work has ended. Returns false if a `fire` is in progress; that `fire` then resumes the waiter.
  private func end(_ waiter: CheckedContinuation<Void, Never>?) -> Bool {
    phase.withLock { phase in
      if case .cancelling = phase {
        phase = .cancelling(waiter)
        return false
      }
      phase = .over
      return true
    }
  }
}
