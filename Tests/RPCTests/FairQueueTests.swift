import Dispatch
import PlacesTesting
import Synchronization
import Testing

@testable import RPC

private final class Sum: Sendable {
  private let sum = Mutex(0)
  func add(_ number: Int) { sum.withLock { $0 += number } }
  var value: Int { sum.withLock { $0 } }
}

@Suite("Turns between users", .timeLimit(.minutes(1)))
struct FairQueueTests {
  @Test("A user with one item waits for no more than the item that was taken before, however many another user has")
  func oneAmongMany() {
    var queue = FairQueue<Int>()
    for number in 0..<1_000 { queue.add(number, of: 7) }
    for _ in 0..<10 {
      let next = queue.next()
      queue.charge(0.001, to: next?.user ?? 0)
    }
    queue.add(-1, of: 8)
    #expect(queue.next()?.user == 8)
  }

  @Test("Turns are weighted by time, not by count")
  func weighted() {
    var queue = FairQueue<Int>()
    for number in 0..<2_000 {
      queue.add(number, of: 1)
      queue.add(number, of: 2)
    }
    var time: [UInt32: Double] = [:]
    for _ in 0..<1_100 {
      guard let (user, _) = queue.next() else { break }
      // One user's queries take ten times as long as the other's.
      let seconds = user == 1 ? 0.010 : 0.001
      queue.charge(seconds, to: user)
      time[user, default: 0] += seconds
    }
    let (first, second) = (time[1] ?? 0, time[2] ?? 0)
    #expect(abs(first - second) <= 0.011, "\(first) s and \(second) s")
  }

  @Test("A user that had nothing to do is not owed the time that others used meanwhile")
  func noCredit() {
    var queue = FairQueue<Int>()
    func take() -> UInt32 {
      guard let next = queue.next() else { return 0 }
      queue.charge(0.001, to: next.user)
      return next.user
    }
    queue.add(0, of: 2)
    _ = take()
    for number in 0..<1_000 { queue.add(number, of: 1) }
    for _ in 0..<500 { _ = take() }
    for number in 0..<500 { queue.add(number, of: 2) }
    var taken: [UInt32: Int] = [:]
    for _ in 0..<100 { taken[take(), default: 0] += 1 }
    #expect(taken[1, default: 0] >= 45 && taken[2, default: 0] >= 45, "\(taken)")
  }

  @Test("A user's items that run at once are no more than the limit, and other users' items still run")
  func limit() {
    var queue = FairQueue<Int>()
    for number in 0..<9 { queue.add(number, of: 1) }
    for _ in 0..<2 { #expect(queue.next(maxRunning: 2)?.user == 1) }
    #expect(queue.next(maxRunning: 2) == nil)
    queue.add(0, of: 2)
    #expect(queue.next(maxRunning: 2)?.user == 2)
    queue.charge(0.001, to: 1)
    #expect(queue.next(maxRunning: 2)?.user == 1)
  }

  @Test("Several users are counted for a second after input of one that follows another's")
  func severalUsers() {
    let gauges = ServerGauges()
    #expect(!gauges.hasSeveralUsers(at: 0.5))
    gauges.recordUserChange(at: 10)
    #expect(gauges.hasSeveralUsers(at: 10.9) && !gauges.hasSeveralUsers(at: 11.1))
  }

  @Test(
    "Whatever is added and taken, each item is taken once, and of users that always have work none gets more time than another, but for one item"
  )
  func model() {
    var random = SeededRandom(seed: 3)
    for _ in 0..<50 {
      var (queue, added, taken) = (FairQueue<Int>(), 0, Set<Int>())
      for user in 1...4 as ClosedRange<UInt32> {
        for _ in 0..<400 {
          queue.add(added, of: user)
          added += 1
        }
      }
      var time: [UInt32: Double] = [:]
      for step in 0..<1_600 {
        guard let (user, item) = queue.next() else { break }
        #expect(taken.insert(item).inserted)
        let seconds = Double.random(in: 0.0005...0.005, using: &random)
        queue.charge(seconds, to: user)
        time[user, default: 0] += seconds
        // Until the first user has no more work.
        guard step < 400 else { continue }
        let all = (1...4).map { time[$0, default: 0] }
        #expect((all.max() ?? 0) - (all.min() ?? 0) <= 0.0101)
      }
      #expect(taken.count == added && queue.next() == nil)
    }
  }

  @Test("Tasks of many users run only on the executor, also after they were suspended")
  func executor() async throws {
    let executor = FairExecutor(gauges: ServerGauges(), threads: 2)
    try executor.start()
    let sum = Sum()
    await withTaskGroup(of: Void.self) { group in
      for number in 1...500 {
        group.addTask(executorPreference: executor.executor(of: UInt32(number % 7))) {
          for _ in 0..<3 { await Task.yield() }
          try? await Task.sleep(for: .microseconds(10))
          sum.add(number)
        }
      }
    }
    #expect(sum.value == 125_250)
    executor.stop()
  }

  /// A job that blocks its thread until it is released.
  private final class BlockingJob: Sendable {
    private let release = DispatchSemaphore(value: 0)
    private let started = Atomic(false)

    var hasStarted: Bool { started.load(ordering: .relaxed) }

    func block() {
      started.store(true, ordering: .relaxed)
      _ = release.wait(timeout: .now() + 10)
    }

    func end() { release.signal() }
  }

  @Test("While several users send requests, one user's jobs leave a thread to another user; afterwards they use all threads")
  func leavesThread() async throws {
    let (time, gauges) = (ManualTime(), ServerGauges())
    let executor = FairExecutor(gauges: gauges, threads: 2, now: { time.monotonic() })
    try executor.start()
    gauges.recordUserChange(at: time.monotonic())
    let (jobs, other) = ([BlockingJob(), BlockingJob(), BlockingJob()], BlockingJob())
    let first = executor.executor(of: 1)
    let tasks = jobs.map { job in Task(executorPreference: first) { job.block() } }
    defer { for job in jobs + [other] { job.end() } }
    try await waitUntil { jobs.contains(where: \.hasStarted) }
    let otherTask = Task(executorPreference: executor.executor(of: 2)) { other.block() }
    try await waitUntil { other.hasStarted }
    #expect(jobs.count(where: \.hasStarted) == 1)
    other.end()
    await otherTask.value
    time.advance(by: 1.1)
    // The thread that was left to the other user is idle. It is woken when the first job ends, although no job is added.
    jobs.first(where: \.hasStarted)?.end()
    try await waitUntil { jobs.count(where: \.hasStarted) == 3 }
    for job in jobs { job.end() }
    for task in tasks { await task.value }
    executor.stop()
  }
}
