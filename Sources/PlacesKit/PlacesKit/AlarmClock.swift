import Glibc
import Synchronization

/// Resumes each sleeping task when its alarm is due. One thread sleeps until the earliest alarm. `SystemTime.sleep` uses this clock.
///
/// Most sleeps in this program are time limits that are not reached. `Task.sleep` wakes a thread to set each timer and keeps the timer
/// until it expires. This clock makes a system call only to set an alarm that is earlier than all others, and it discards cancelled alarms.
final class AlarmClock: Sendable {
  /// The instance of the process; nil if the system cannot create its thread.
  static let shared = AlarmClock()

  private struct State {
    /// The sleeping tasks, by the numbers of their alarms. A task is resumed with true at its time, and with false if it is cancelled.
    var sleepers: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var alarms = AlarmHeap()
    /// The time until which the thread sleeps, in monotonic seconds; infinite if no alarm is set.
    var wakesAt = Double.infinity
  }

  private let state = Mutex(State())
  private let lastNumber = Atomic<UInt64>(0)
  private let threadWait = InterruptibleWait()

  private init?() {
    // The program reads its signals elsewhere, from a signalfd. So all signals are blocked while the thread is created: a new thread
    // inherits the set of blocked signals.
    var allSignals = sigset_t()
    var previousSignals = sigset_t()
    sigfillset(&allSignals)
    pthread_sigmask(SIG_SETMASK, &allSignals, &previousSignals)
    defer { pthread_sigmask(SIG_SETMASK, &previousSignals, nil) }
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<AlarmClock>.fromOpaque(argument).takeRetainedValue().run()
      }, Unmanaged.passRetained(self).toOpaque())
    guard result == 0 else {
      Unmanaged.passUnretained(self).release()
      return nil
    }
    pthread_detach(thread)
  }

  /// The number of alarms in the heap, including cancelled alarms.
  var alarmCount: Int { state.withLock { $0.alarms.count } }

  /// Returns at the time `due`, in monotonic seconds; throws as soon as the task is cancelled.
  func sleep(until due: Double) async throws(CancellationError) {
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    let isDue = await withTaskCancellationHandler {
      await withCheckedContinuation { set(number, due, $0) }
    } onCancel: {
      cancel(number)
    }
    if !isDue { throw CancellationError() }
  }

  private func set(_ number: UInt64, _ due: Double, _ sleeper: CheckedContinuation<Bool, Never>) {
    let (isSet, isNext) = state.withLock { state in
      // The lock ensures that no cancellation is lost: the task is cancelled already, or the cancellation handler runs later and finds the
      // sleeper.
      if Task.isCancelled { return (false, false) }
      state.sleepers[number] = sleeper
      state.alarms.insert(Alarm(due: due, number: number))
      guard due < state.wakesAt else { return (true, false) }
      state.wakesAt = due
      return (true, true)
    }
    if !isSet { return sleeper.resume(returning: false) }
    if isNext { threadWait.wake() }
  }

  private func cancel(_ number: UInt64) {
    let sleeper = state.withLock { state in
      let sleeper = state.sleepers.removeValue(forKey: number)
      // A cancelled alarm stays in the heap until it is due. If the cancelled alarms outnumber the others by more than 64, all cancelled
      // alarms are removed.
      if state.alarms.count > 64 + 2 * state.sleepers.count { state.alarms.keep { state.sleepers[$0.number] != nil } }
      return sleeper
    }
    sleeper?.resume(returning: false)
  }

  /// Wakes the tasks whose alarms are due, and waits until the next alarm is due or an earlier one is set.
  private func run() -> Never {
    while true {
      let now = SystemTime().monotonic()
      let (dueSleepers, nextTime) = state.withLock { state in
        var dueSleepers: [CheckedContinuation<Bool, Never>] = []
        while let first = state.alarms.first, first.due <= now || state.sleepers[first.number] == nil {
          state.alarms.removeFirst()
          if let sleeper = state.sleepers.removeValue(forKey: first.number) { dueSleepers.append(sleeper) }
        }
        state.wakesAt = state.alarms.first?.due ?? .infinity
        return (dueSleepers, state.wakesAt)
      }
      for sleeper in dueSleepers { sleeper.resume(returning: true) }
      threadWait.wait(until: nextTime)
    }
  }
}

/// A wait of one thread that other threads can end early.
///
/// `@unchecked Sendable`: `isWoken` is used only while the mutex is held. The two pointers never change, and their memory is never freed.
private final class InterruptibleWait: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isWoken = false

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // A condition variable cannot use CLOCK_BOOTTIME, the clock of `SystemTime`. CLOCK_MONOTONIC stops while the machine is suspended, so
    // a wait during which that happens ends late.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  /// Ends the wait in progress, or the next one if no thread waits.
  func wake() {
    pthread_mutex_lock(mutex)
    isWoken = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Returns at `moment` (in seconds of `SystemTime.monotonic`), after a day, or when another thread calls `wake`, whichever is first.
  func wait(until moment: Double) {
    var limit = timespec()
    clock_gettime(CLOCK_MONOTONIC, &limit)
    let seconds = min(max(0, moment - SystemTime().monotonic()), 86_400)
    let nanoseconds = limit.tv_nsec + Int((seconds - seconds.rounded(.down)) * 1e9)
    limit.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    limit.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    while !isWoken, pthread_cond_timedwait(condition, mutex, &limit) == 0 {}
    isWoken = false
    pthread_mutex_unlock(mutex)
  }
}
