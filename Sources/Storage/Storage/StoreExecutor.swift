import Dispatch

/// A serial executor on its own thread, for actors that wait for the disk: the cooperative pool has one thread per core, which must not
/// block.
final class StoreExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: name) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs work in the order of the actor's jobs, without a task that must be awaited.
  func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  // For tests that decide the order of all jobs:

  /// Runs no job until `runHeld` or `release`.
  func hold() { queue.suspend() }

  /// Runs the waiting jobs and holds later ones. Call it between `hold` and `release`.
  func runHeld() {
    queue.resume()
    // From the queue itself: a job that is added meanwhile must not run between the last one and the suspension.
    queue.sync { queue.suspend() }
  }

  func release() { queue.resume() }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
