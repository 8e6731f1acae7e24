import Dispatch

/// A line of work on a thread of its own, for what waits for a disk: the threads of the cooperative pool, one per core, must not.
final class StoreExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: name) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Does work of the actor's in its turn, without a task that would have to be awaited.
  func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
