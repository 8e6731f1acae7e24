import Dispatch

/// A serial executor on its own dispatch queue, for actors that wait for the disk. Such actors must not block the threads of the
/// cooperative pool, which has only one thread for each core.
final class StoreExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: name) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs work after the actor's earlier jobs. The caller need not be asynchronous.
  func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  // The following functions are for tests that determine the order of all jobs.

  /// Runs no job until `runHeld` or `release`.
  func hold() { queue.suspend() }

  /// Runs the waiting jobs and holds later ones. Must be called between `hold` and `release`.
  func runHeld() {
    queue.resume()
    // The last job suspends the queue, so that jobs which are added after it do not run.
    queue.sync { queue.suspend() }
  }

  /// Runs the waiting jobs and all later ones.
  func release() { queue.resume() }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
