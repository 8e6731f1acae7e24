import Glibc
import Linux
import Synchronization

/// Runs the tasks of all users on a fixed number of threads, in the order of a `FairQueue`. Therefore one user's requests, however many,
/// delay another user's requests by at most one job. A job is the part of a task between two suspensions.
///
/// If several users have sent requests within the last second, one user's jobs do not occupy all threads, so that another user's job starts
/// at once. While no other user has a job, the idle thread leaves a processor to the loop's thread, which sends the cached replies of all
/// users.
///
/// `@unchecked Sendable`: POSIX allows several threads to use a semaphore, and everything else that changes is in `state`.
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
  private let now: @Sendable () -> Double

  /// Creates an executor that runs nothing before `start`.
  /// - Parameter now: the monotonic time in seconds.
  init(
    gauges: ServerGauges, threads threadCount: Int = max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))),
    now: @escaping @Sendable () -> Double = monotonicSeconds
  ) {
    self.threadCount = threadCount
    self.gauges = gauges
    self.now = now
    sem_init(wakeUps, 0, 0)
  }

  deinit {
    sem_destroy(wakeUps)
    wakeUps.deallocate()
  }

  /// The executor of one user's tasks. It is retained until `stop`, because tasks do not retain their executors. Each job that runs after
  /// `stop` gets a new one.
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
      // Each executor retains this object, so the executors are released here.
      state.executorsByUser = [:]
    }
    for _ in 0..<threadCount { sem_post(wakeUps) }
  }

  fileprivate func enqueue(_ job: UnownedJob, of user: UInt32) {
    let maxJobsPerUser = maxJobsPerUser(at: now())
    let mustWake = state.withLock { state in
      state.queue.add(job, of: user)
      return FairExecutor.claimIdleThread(&state, maxJobsPerUser)
    }
    if mustWake { sem_post(wakeUps) }
  }

  private func maxJobsPerUser(at now: Double) -> Int { gauges.hasSeveralUsers(at: now) ? max(1, threadCount - 1) : threadCount }

  /// If a job may run and a thread is idle, returns true: the caller must wake a thread, which no longer counts as idle.
  private static func claimIdleThread(_ state: inout State, _ maxJobsPerUser: Int) -> Bool {
    guard state.idleThreads > 0, state.queue.hasNext(maxRunning: maxJobsPerUser) else { return false }
    state.idleThreads -= 1
    return true
  }

  /// The body of each thread: runs jobs until the executor is stopped and no job is left.
  private func run() {
    nameCurrentThread("requests")
    while true {
      let start = now()
      let maxJobsPerUser = maxJobsPerUser(at: start)
      let next = state.withLock { state -> (user: UInt32, item: UnownedJob, executor: UserExecutor?, mustWake: Bool)? in
        guard let (user, item) = state.queue.next(maxRunning: maxJobsPerUser) else {
          if !state.isStopped { state.idleThreads += 1 }
          return nil
        }
        // A thread may have become idle because of a limit that no longer applies.
        let mustWake = FairExecutor.claimIdleThread(&state, maxJobsPerUser)
        return (user, item, state.executorsByUser[user], mustWake)
      }
      guard let next else {
        if state.withLock({ $0.isStopped }) { return }
        while sem_wait(wakeUps) != 0 {}
        continue
      }
      if next.mustWake { sem_post(wakeUps) }
      next.item.runSynchronously(on: (next.executor ?? UserExecutor(self, next.user)).asUnownedTaskExecutor())
      let seconds = now() - start
      state.withLock { $0.queue.charge(seconds, to: next.user) }
      // If the thread did not yield its processor, the kernel might run this user's next job for some milliseconds before another user's.
      if maxJobsPerUser < threadCount { sched_yield() }
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
