import Synchronization

/// Cancels the task that does one piece of work, for callers that do not own the task.
public final class CancelSignal: Sendable {
  /// `@unchecked Sendable`: the task is used only while `during` runs, because `during` does not return while a `fire` uses the task.
  /// `UnsafeCurrentTask.cancel` may be called from any thread.
  private struct Worker: @unchecked Sendable { var task: UnsafeCurrentTask }

  /// The progress of the work and of `fire`.
  private enum Phase: Sendable {
    case idle
    case working(Worker)
    /// `fire` runs the task's cancellation handlers; `during` waits for it if there is a continuation.
    case cancelling(CheckedContinuation<Void, Never>?)
    /// The work has ended, or the signal has fired.
    case over
  }

  private let phase = Mutex(Phase.idle)

  public init() {}

  /// Cancels the work, now or as soon as it begins. The task's cancellation handlers run in this call, and no lock is held during it.
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

  /// Does the work, once, in the calling task, which is cancelled when the signal fires. Returns after the work, and after a `fire` that is
  /// in progress.
  public func during<T>(_ work: () async -> T) async -> T {
    let result = await withUnsafeCurrentTask { task in
      if let task, !begin(Worker(task: task)) { task.cancel() }
      return await work()
    }
    if !end(nil) { await withCheckedContinuation { if end($0) { $0.resume() } } }
    return result
  }

  /// Returns false if the signal has fired already.
  private func begin(_ worker: Worker) -> Bool {
    phase.withLock { phase in
      if case .over = phase { return false }
      phase = .working(worker)
      return true
    }
  }

  /// Ends the work. Returns false if a `fire` is in progress, which then resumes the waiter.
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
