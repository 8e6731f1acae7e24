import Glibc
import Linux
import PlacesKit
import Synchronization

/// A thread that waits for pipes and processes, so that no thread of the cooperative pool is blocked. It only signals that a descriptor is
/// ready; tasks read and write. The waiting task itself registers its descriptor with epoll, so that the thread need not wake at the
/// beginning of each wait.
///
/// A second instance starts processes. Its thread lives as long as the daemon, because the kernel kills a provider's process when the
/// *thread* that started it ends (PR_SET_PDEATHSIG).
final class PipeThread: Sendable {
  enum Interest: Sendable { case readable, writable }
  enum Outcome: Sendable {
    /// The descriptor can be read or written, or has failed.
    case ready
    /// The time limit of the wait is over.
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
  }

  private struct Wait {
    /// When the wait ends at the latest, in monotonic seconds.
    var deadline: Double
    /// `timedOut`, or `ready` if the descriptor cannot be watched (`endLater`).
    var outcomeAtDeadline = Outcome.timedOut
    var continuation: CheckedContinuation<Outcome, Never>
  }

  private struct State {
    var nextID: UInt64 = 0
    var waits: [UInt64: Wait] = [:]
    var jobs: [@Sendable () -> Void] = []
    /// The time at which the thread wakes if no descriptor becomes ready earlier, in monotonic seconds.
    var sleepsUntil = Double.infinity
  }

  private let state = Mutex(State())
  private let poller: OneShotPoller

  /// The seconds after which the wait for a descriptor that cannot be watched ends.
  static let pause = 0.1

  /// The thread that waits for all pipes and processes; it never ends.
  static let shared = Result { () throws(ProviderStartError) in try PipeThread() }

  /// The thread that starts processes. A start takes milliseconds, during which no answer of another provider may wait.
  static let starting = Result { () throws(ProviderStartError) in try PipeThread() }

  private init() throws(ProviderStartError) {
    do throws(SystemError) { poller = try OneShotPoller() } catch {
      throw ProviderStartError(.system, "hosting", "cannot wait for providers: \(error)")
    }
    // The pipe of a provider that has ended has no reader. A write to it must fail, and must not end the daemon.
    Glibc.signal(SIGPIPE, SIG_IGN)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<PipeThread>.fromOpaque(argument).takeRetainedValue().run()
      }, Unmanaged.passRetained(self).toOpaque())
    guard result == 0 else {
      Unmanaged.passUnretained(self).release()
      throw ProviderStartError(.system, "hosting", "could not create a thread: \(String(cString: strerror(result)))")
    }
    pthread_detach(thread)
  }

  /// Runs a job on this thread.
  func perform<T: Sendable>(_ job: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      state.withLock { $0.jobs.append { continuation.resume(returning: job()) } }
      poller.wake()
    }
  }

  /// Waits until a descriptor can be read or written, or `limit` seconds have passed.
  /// - Parameter heedsCancellation: false if the wait must continue in a cancelled task, as during shutdown. Such a wait needs a limit.
  func wait(
    for descriptor: Int32, _ interest: Interest, limit: Double = .infinity, heedsCancellation: Bool = true
  ) async -> Outcome {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    guard heedsCancellation else {
      return await withCheckedContinuation { add(id, descriptor, interest, limit, $0, unlessCancelled: false) }
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { add(id, descriptor, interest, limit, $0, unlessCancelled: true) }
    } onCancel: {
      state.withLock { $0.waits.removeValue(forKey: id) }?.continuation.resume(returning: .cancelled)
    }
  }

  /// Adds a wait. If `unlessCancelled` is true and the task is already cancelled, ends the wait at once.
  private func add(
    _ id: UInt64, _ descriptor: Int32, _ interest: Interest, _ limit: Double, _ continuation: CheckedContinuation<Outcome, Never>,
    unlessCancelled: Bool
  ) {
    let deadline = Self.now() + limit
    let (isAdded, isNext) = state.withLock { state in
      // The cancellation is checked under the lock: either the task is cancelled already, or the cancellation handler runs later and finds
      // the wait.
      if unlessCancelled && Task.isCancelled { return (false, false) }
      state.waits[id] = Wait(deadline: deadline, continuation: continuation)
      return (true, deadline < state.sleepsUntil)
    }
    guard isAdded else { return continuation.resume(returning: .cancelled) }
    do throws(SystemError) { try poller.watch(descriptor, for: interest == .readable ? .readable : .writable, as: id) } catch {
      // The caller goes on as if the descriptor were ready, and its next read or write reports most errors. Too many watches (ENOSPC) and
      // too little memory are not reported there and may persist. The pause prevents the caller from retrying in a tight loop.
      return endLater(id)
    }
    if isNext { poller.wake() }
  }

  /// Ends the wait as if the descriptor were ready, after a pause.
  private func endLater(_ id: UInt64) {
    let deadline = Self.now() + Self.pause
    state.withLock { state in
      guard let wait = state.waits[id], wait.deadline > deadline else { return }
      state.waits[id]?.deadline = deadline
      state.waits[id]?.outcomeAtDeadline = .ready
    }
    poller.wake()
  }

  private static func now() -> Double { SystemTime().monotonic() }

  /// The body of the thread: runs jobs, and ends waits whose descriptors are ready or whose deadlines have passed.
  private func run() -> Never {
    var allSignals = sigset_t()
    sigfillset(&allSignals)
    pthread_sigmask(SIG_SETMASK, &allSignals, nil)
    while true {
      let (jobs, wakeTime) = state.withLock { state in
        defer { state.jobs = [] }
        // `sleepsUntil` is set before the thread sleeps, so that a new wait with an earlier deadline wakes the thread.
        state.sleepsUntil = state.waits.values.lazy.map(\.deadline).min() ?? .infinity
        return (state.jobs, state.sleepsUntil)
      }
      for job in jobs { job() }
      let seconds = jobs.isEmpty ? wakeTime - Self.now() : 0
      // -1 means no limit, for the deadline `infinity`. No wait has a finite limit of a day or more.
      endWaits(poller.wait(milliseconds: seconds < 86_400 ? Int32(max(0, (seconds * 1_000).rounded(.up))) : -1).map(\.token))
    }
  }

  /// Ends the waits with these ids, and those whose deadlines have passed.
  private func endWaits(_ readyIDs: [UInt64]) {
    let now = Self.now()
    let endedWaits = state.withLock { state in
      var endedWaits: [(CheckedContinuation<Outcome, Never>, Outcome)] = []
      for id in readyIDs {
        if let wait = state.waits.removeValue(forKey: id) { endedWaits.append((wait.continuation, .ready)) }
      }
      for (id, wait) in state.waits where wait.deadline <= now {
        state.waits[id] = nil
        endedWaits.append((wait.continuation, wait.outcomeAtDeadline))
      }
      return endedWaits
    }
    for (continuation, outcome) in endedWaits { continuation.resume(returning: outcome) }
  }
}
