import CSeccomp
import Glibc
import PlacesKit
import Synchronization

/// One thread that waits for pipes and processes, so that no thread of the cooperative pool does; it only signals, tasks do
/// the reading and writing.
///
/// It also starts processes, because a process is killed when the *thread* that started it ends (PR_SET_PDEATHSIG), and this
/// one lives as long as the daemon. With some 30 descriptors poll(2) costs a few microseconds and needs no bookkeeping in the
/// kernel.
final class PipeThread: Sendable {
  enum Interest: Sendable { case readable, writable }
  enum Outcome: Sendable { case ready, late, cancelled }

  private struct Wait {
    var descriptor: Int32
    var events: Int16
    var deadline: Double
    var continuation: CheckedContinuation<Outcome, Never>
  }

  private struct State {
    var nextID = 0
    var waits: [Int: Wait] = [:]
    var jobs: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  /// A byte in this pipe wakes the thread.
  private let wake: (reading: Int32, writing: Int32)

  /// The process's own; there is no need for a second one, and it never ends.
  static let shared = Result { () throws(HostingError) in try PipeThread() }

  private init() throws(HostingError) {
    var pipe: [Int32] = [-1, -1]
    guard cseccomp_pipe(&pipe) == 0 else {
      throw HostingError(.system, "hosting", "no pipe to be had: \(String(cString: strerror(errno)))")
    }
    wake = (pipe[0], pipe[1])
    // A provider that dies closes its end: writing to it must be an error, not the daemon's end.
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
      throw HostingError(.system, "hosting", "no thread to be had: \(String(cString: strerror(result)))")
    }
    pthread_detach(thread)
  }

  /// Runs something short on this thread.
  func perform<T: Sendable>(_ job: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      state.withLock { $0.jobs.append { continuation.resume(returning: job()) } }
      wakeUp()
    }
  }

  /// Waits until a descriptor can be read or written, or so many seconds have passed.
  /// - Parameter heedsCancellation: false for what has to be done also while shutting down; then a limit is needed.
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

  private func add(
    _ id: Int, _ descriptor: Int32, _ interest: Interest, _ limit: Double, _ continuation: CheckedContinuation<Outcome, Never>,
    unlessCancelled: Bool
  ) {
    let isAdded = state.withLock { state in
      // Under the lock: the handler either runs after this and finds the wait, or has set the flag before.
      if unlessCancelled && Task.isCancelled { return false }
      state.waits[id] = Wait(
        descriptor: descriptor, events: Int16(interest == .readable ? POLLIN : POLLOUT), deadline: Self.now() + limit,
        continuation: continuation)
      return true
    }
    if isAdded { wakeUp() } else { continuation.resume(returning: .cancelled) }
  }

  private func wakeUp() {
    var byte: UInt8 = 0
    // A full pipe wakes as well.
    _ = write(wake.writing, &byte, 1)
  }

  private static func now() -> Double { SystemTime().monotonic() }

  private func run() -> Never {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    while true {
      let (jobs, waits) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.waits.map { ($0.key, $0.value.descriptor, $0.value.events, $0.value.deadline) })
      }
      for job in jobs { job() }
      guard jobs.isEmpty else { continue }
      var polled = [pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0)]
      polled += waits.map { pollfd(fd: $0.1, events: $0.2, revents: 0) }
      let seconds = (waits.map(\.3).min() ?? .infinity) - Self.now()
      poll(&polled, nfds_t(polled.count), seconds < 86_400 ? Int32(max(0, (seconds * 1_000).rounded(.up))) : -1)
      if polled[0].revents != 0 { emptyWakePipe() }
      end(zip(waits, polled.dropFirst()).filter { $1.revents != 0 }.map { $0.0.0 })
    }
  }

  private func emptyWakePipe() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(wake.reading, &bytes, bytes.count) > 0 {}
  }

  /// Ends the waits with these ids, and those that are late.
  private func end(_ ready: [Int]) {
    let now = Self.now()
    let ended = state.withLock { state in
      var ended: [(CheckedContinuation<Outcome, Never>, Outcome)] = []
      for id in ready {
        if let wait = state.waits.removeValue(forKey: id) { ended.append((wait.continuation, .ready)) }
      }
      for (id, wait) in state.waits where wait.deadline <= now {
        state.waits[id] = nil
        ended.append((wait.continuation, .late))
      }
      return ended
    }
    for (continuation, outcome) in ended { continuation.resume(returning: outcome) }
  }
}
