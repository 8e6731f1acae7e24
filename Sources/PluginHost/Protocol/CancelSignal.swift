import Synchronization

/// Lets somebody outside of a task's family cancel the task that does one piece of work.
final class CancelSignal: Sendable {
  /// `UnsafeCurrentTask` is used only while its task is in `during`, which takes it out of the state before it returns; `cancel` is one
  /// of the calls that other threads may make on it.
  private struct Worker: @unchecked Sendable { var task: UnsafeCurrentTask }
  private enum State: Sendable { case idle, working(Worker), fired }
  private let state = Mutex(State.idle)

  func fire() {
    state.withLock { state in
      if case .working(let worker) = state { worker.task.cancel() }
      state = .fired
    }
  }

  /// Does the work, once, in the calling task, which is cancelled once the signal fires. The work is waited for all the same.
  func during<T>(_ work: () async -> T) async -> T {
    await withUnsafeCurrentTask { task in
      if let task, hasFired(before: Worker(task: task)) { task.cancel() }
      defer { state.withLock { $0 = .fired } }
      return await work()
    }
  }

  private func hasFired(before worker: Worker) -> Bool {
    state.withLock { state in
      if case .fired = state { return true }
      state = .working(worker)
      return false
    }
  }
}
