import Linux

/// Runs tasks on an event loop's thread. A request then goes from its socket to the daemon and back without a change of thread; what tasks
/// compute here takes microseconds.
final class LoopExecutor: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.enqueue { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
