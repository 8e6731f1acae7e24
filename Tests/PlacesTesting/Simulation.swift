import Synchronization

/// Runs tasks one at a time on the caller's thread, in an order that a seed decides, so that a test is reproducible and knows when no task
/// can continue.
public final class StepExecutor: TaskExecutor {
  /// A function called before each job, and before `drain` ends. It is in a struct, because a function read from a generic container is
  /// wrapped in one more thunk each time.
  private struct Synchronization { var function: @Sendable () -> Void = {} }
  private let synchronization = Mutex(Synchronization())
  private let state: Mutex<(jobs: [UnownedJob], random: SeededRandom?)>

  /// Without a seed, jobs run in the order they came.
  public init(seed: UInt64? = nil) { state = Mutex(([], seed.map { SeededRandom(seed: $0) })) }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
  }

  /// Before each job, waits for what other threads do on behalf of the job before.
  public func beforeEachJob(_ synchronize: @escaping @Sendable () -> Void) { synchronization.withLock { $0.function = synchronize } }

  /// Runs all jobs, or at most this many; returns their number.
  @discardableResult public func drain(most: Int = .max) -> Int {
    var count = 0
    while count < most {
      synchronization.withLock { $0 }.function()
      guard let job = next() else { break }
      job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
    return count
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      guard !state.jobs.isEmpty else { return nil }
      let index = state.random?.next(upperBound: UInt64(state.jobs.count)) ?? 0
      return state.jobs.remove(at: Int(index))
    }
  }
}

/// A deterministic simulation: tasks run one at a time, and the clock advances when all of them wait.
public final class Simulation: Sendable {
  public let time = ManualTime()
  public let executor: StepExecutor

  public init(seed: UInt64? = nil) { executor = StepExecutor(seed: seed) }

  /// Starts a task of the world.
  @discardableResult public func start<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Running<Value> {
    let running = Running<Value>()
    running.task = Task(executorPreference: executor) { running.value = await body() }
    return running
  }

  /// Runs all tasks until all of them wait.
  public func settle() { executor.drain() }

  /// Advances the clock by this many seconds, waking each task at its time.
  public func pass(_ seconds: Double) {
    let end = time.monotonic() + seconds
    settle()
    while let wake = time.nextWake, wake <= end {
      time.advance(by: max(0, wake - time.monotonic()))
      settle()
    }
    if end > time.monotonic() { time.advance(by: end - time.monotonic()) }
    settle()
  }

  /// Advances until a task has its value; nil if it has none after this many seconds.
  public func finish<Value: Sendable>(_ running: Running<Value>, within seconds: Double = 3_600) -> Value? {
    let end = time.monotonic() + seconds
    settle()
    while running.value == nil, let wake = time.nextWake, wake <= end {
      time.advance(by: max(0, wake - time.monotonic()))
      settle()
    }
    return running.value
  }
}

/// A task of a simulation.
public final class Running<Value: Sendable>: Sendable {
  public init() {}

  private let state = Mutex<(value: Value?, task: Task<Void, Never>?)>((nil, nil))

  public var value: Value? {
    get { state.withLock { $0.value } }
    set { state.withLock { $0.value = newValue } }
  }
  public var task: Task<Void, Never>? {
    get { state.withLock { $0.task } }
    set { state.withLock { $0.task = newValue } }
  }

  public func cancel() { task?.cancel() }
}
