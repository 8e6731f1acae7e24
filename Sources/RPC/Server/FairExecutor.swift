import Glibc
import Linux
import Synchronization

/// Runs the tasks of all users on a fixed number of threads, in the order of a `FairQueue`.
/// Therefore one user's queries, however many, delay another user's by at most one job.
///
/// Within a second after input of several users, no user's jobs occupy all threads. The remaining thread starts another user's job at once, and
/// leaves a processor to the loop's thread, which sends the cached replies of all users.
///
/// `@unchecked Sendable`: a semaphore may be used by several threads, and everything else that changes is in `state`.
final class FairExecutor: @unchecked Sendable {
  private struct State {
    var queue = FairQueue<UnownedJob>()
    var executorsByUser: [UInt32: UserExecutor] = [:]
    var idleThreads = 0
    var isStopped = false
  }

  private let state = Mutex(State())
  private let wakeUps = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let threadCount: Int
  private let gauges: ServerGauges

  /// Creates an executor that runs nothing before `start`.
  init(gauges: ServerGauges, threads threadCount: Int = max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))) {
    self.threadCount = threadCount
    self.gauges = gauges
    sem_init(wakeUps, 0, 0)
  }

  deinit {
    sem_destroy(wakeUps)
    wakeUps.deallocate()
  }

  /// The executor of one user's tasks. It lives as long as this object, because tasks do not retain their executors.
  func executor(of user: UInt32) -> UserExecutor {
    state.withLock { state in
      if let executor = state.executorsByUser[user] { return executor }
      let executor = UserExecutor(self, user)
      state.executorsByUser[user] = executor
      return executor
    }
  }

  /// Starts the threads, which run until `stop`.
  func start() throws(SystemError) {
    for number in 0..<threadCount {
      var thread = pthread_t()
      let context = Unmanaged.passRetained(self)
      let code = pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<FairExecutor>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, context.toOpaque())
      guard code == 0 else {
        context.release()
        // The threads that were started suffice.
        if number > 0 { return }
        throw SystemError("start a thread for requests", code: code)
      }
      pthread_detach(thread)
    }
  }

  /// Ends the threads when no jobs are left.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      // Each executor retains this object, and is therefore released.
      state.executorsByUser = [:]
    }
    for _ in 0..<threadCount { sem_post(wakeUps) }
  }

  fileprivate func enqueue(_ job: UnownedJob, of user: UInt32) {
    let mustWake = state.withLock { state in
      state.queue.add(job, of: user)
      guard state.idleThreads > 0 else { return false }
      state.idleThreads -= 1
      return true
    }
    if mustWake { sem_post(wakeUps) }
  }

  private func run() {
    nameCurrentThread("requests")
    while true {
      let start = monotonicSeconds()
      let maxJobsPerUser = gauges.hasSeveralUsers(at: start) ? max(1, threadCount - 1) : threadCount
      let next = state.withLock { state -> (user: UInt32, item: UnownedJob, executor: UserExecutor?)? in
        guard let (user, item) = state.queue.next(maxRunning: maxJobsPerUser) else {
          if !state.isStopped { state.idleThreads += 1 }
          return nil
        }
        return (user, item, state.executorsByUser[user])
      }
      guard let next else {
        if state.withLock({ $0.isStopped }) { return }
        while sem_wait(wakeUps) != 0 {}
        continue
      }
      next.item.runSynchronously(on: (next.executor ?? UserExecutor(self, next.user)).asUnownedTaskExecutor())
      let seconds = monotonicSeconds() - start
      state.withLock { $0.queue.charge(seconds, to: next.user) }
    }
  }
}

/// Passes one user's jobs to the shared executor.
final class UserExecutor: TaskExecutor {
  // The reference need not be weak, because `FairExecutor.stop` breaks the cycle.
  private let fairExecutor: FairExecutor
  private let user: UInt32

  fileprivate init(_ fairExecutor: FairExecutor, _ user: UInt32) {
    self.fairExecutor = fairExecutor
    self.user = user
  }

  func enqueue(_ job: consuming ExecutorJob) { fairExecutor.enqueue(UnownedJob(job), of: user) }
}
