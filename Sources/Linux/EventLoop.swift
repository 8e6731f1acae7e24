import CLinux
import Glibc
import Synchronization

/// An event loop that waits for file descriptors with epoll(7) on its own thread. Any thread may call `enqueue`, `stop` and
/// `waitUntilEnded`. Everything else is called on the loop's thread only, or before the thread runs.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread, except `inbox` and `endWaiters`, which have mutexes.
/// `@exclusivity(unchecked)` turns off Swift's run-time check of exclusive access, which would run several times for each request.
public final class EventLoop: @unchecked Sendable {
  /// The work that `enqueue` has added and the loop has not run yet, in the order of the calls.
  private struct Inbox {
    var work: [@Sendable () -> Void] = []
    var isStopped = false
  }

  private let name: String
  let time: @Sendable () -> Double
  let epoll: FileDescriptor
  /// The eventfd by which other threads wake the loop.
  private let wakeEvent: FileDescriptor
  private let inbox = Mutex(Inbox())
  /// The functions to call when the loop ends; nil if the loop has ended.
  private let endWaiters = Mutex<[@Sendable () -> Void]?>([])
  /// The watched descriptors. The epoll data of each one contains its index in this array.
  @exclusivity(unchecked) var slots: [Slot] = []
  /// The indices of free slots.
  var freeSlots: [UInt32] = []
  @exclusivity(unchecked) var timers = TimerQueue()
  /// The handlers to call at the end of this round.
  @exclusivity(unchecked) var endOfRoundHandlers: [any EventHandler] = []
  /// The handlers that `runEndOfRoundHandlers` is calling. During these calls, handlers are added to `endOfRoundHandlers` again.
  @exclusivity(unchecked) private var handlersInCall: [any EventHandler] = []
  /// The loop's thread, as `pthread_self` returns it; 0 before it runs.
  private let thread = Atomic<UInt>(0)
  /// True if the inbox has work for which `wakeUp` was not called, because the loop's own thread added it to an empty inbox.
  @exclusivity(unchecked) private var hasWorkWithoutWakeUp = false
  /// True if this round is the last one. Other threads read `Inbox.isStopped` instead.
  @exclusivity(unchecked) private var isOver = false

  /// The buffer into which all streams of this loop are read, one at a time.
  let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
  /// The number of the current round. In each round, the loop dispatches the events of a descriptor at most once.
  @exclusivity(unchecked) public private(set) var round: UInt64 = 0

  /// Creates a loop that does not run yet.
  /// - Parameters:
  ///   - name: the name of its thread.
  ///   - time: the clock of its timers, in seconds.
  public init(name: String, time: @escaping @Sendable () -> Double = monotonicSeconds) throws(SystemError) {
    self.name = name
    self.time = time
    epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll(), "create an epoll instance"))
    wakeEvent = FileDescriptor(owning: try SystemError.check(clinux_eventfd(), "create an eventfd"))
    _ = try SystemError.check(
      clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, wakeEvent.number, EPOLLIN.rawValue, Self.wakeData), "watch an eventfd")
  }

  deinit { input.deallocate() }

  /// Starts the thread, which runs until `stop`.
  public func start() throws(SystemError) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw SystemError("start the thread", name, code: code)
    }
    pthread_detach(thread)
  }

  /// Runs the work on the loop's thread, in the order of the calls. After the end of the loop, work is dropped.
  public func enqueue(_ work: @escaping @Sendable () -> Void) {
    let isFirst = inbox.withLock { inbox in
      guard !inbox.isStopped else { return false }
      inbox.work.append(work)
      return inbox.work.count == 1
    }
    guard isFirst else { return }
    if thread.load(ordering: .relaxed) == UInt(pthread_self()) { hasWorkWithoutWakeUp = true } else { wakeUp() }
  }

  /// Ends the loop after it has run the work that was enqueued before.
  public func stop() {
    enqueue { [self] in
      inbox.withLock { $0.isStopped = true }
      isOver = true
    }
  }

  /// Returns when the loop's thread has ended.
  public func waitUntilEnded() async {
    await withCheckedContinuation { continuation in
      let mustWait = endWaiters.withLock { waiters in
        waiters?.append { continuation.resume() }
        return waiters != nil
      }
      if !mustWait { continuation.resume() }
    }
  }

  private func wakeUp() {
    var one: UInt64 = 1
    // The write fails only if the counter is full. Then the descriptor is already readable.
    _ = Glibc.write(wakeEvent.number, &one, 8)
  }

  // MARK: On the loop's thread

  /// Calls the handler's `ready` with no events at the end of this round. A call that a handler requests in its own `ready` at the end of a
  /// round is made at the end of the next round.
  public func callAtEndOfRound(_ handler: any EventHandler) { endOfRoundHandlers.append(handler) }

  /// Runs the work after this many seconds, unless the timer is cancelled.
  @discardableResult public func after(_ seconds: Double, _ work: @escaping () -> Void) -> TimerQueue.ID {
    timers.add(at: time() + seconds, work)
  }

  /// Cancels a timer. Does nothing if its work has already run.
  public func cancel(_ timer: TimerQueue.ID) { timers.remove(timer) }

  /// Runs rounds until the loop is stopped. A round waits for descriptors, calls their handlers, runs the work of the inbox and the timers
  /// that are due, and calls the end-of-round handlers.
  private func run() {
    clinux_name_thread(name)
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    // Arrays would be retained and released in each round. Pointers are not. `clinux_epoll_wait` returns at most 128 events.
    let (events, data) = (UnsafeMutablePointer<UInt32>.allocate(capacity: 128), UnsafeMutablePointer<UInt64>.allocate(capacity: 128))
    defer {
      events.deallocate()
      data.deallocate()
    }
    while !isOver {
      round &+= 1
      var wasWoken = false
      let count = clinux_epoll_wait(epoll.number, events, data, 128, timeout())
      for index in 0..<max(0, Int(count)) {
        if data[index] == Self.wakeData { wasWoken = true } else { dispatch(data[index], Events(rawValue: events[index])) }
      }
      // The inbox comes after the descriptors, because work in it may rely on the input that has arrived. An example is the end of
      // `Server.drain`.
      if wasWoken { clearWake() }
      if wasWoken || hasWorkWithoutWakeUp { runInbox() }
      if let nextTime = timers.nextTime, nextTime <= time() { for work in timers.takeDue(at: time()) { work() } }
      runEndOfRoundHandlers()
    }
    finish()
  }

  /// The epoll data of the eventfd, which no registration has.
  private static let wakeData = UInt64.max

  /// The milliseconds for which the loop may wait for events; -1 for no limit.
  private func timeout() -> Int32 {
    if !endOfRoundHandlers.isEmpty || hasWorkWithoutWakeUp { return 0 }
    guard let nextTime = timers.nextTime else { return -1 }
    // The wait is at most an hour, so that the number fits into 32 bits. If the timer is not due by then, the loop waits again.
    return Int32(min(3_600_000, max(0, (nextTime - time()) * 1_000).rounded(.up)))
  }

  private func clearWake() {
    var count: UInt64 = 0
    _ = FileDescriptor.result { Glibc.read(wakeEvent.number, &count, 8) }
  }

  private func runInbox() {
    hasWorkWithoutWakeUp = false
    let work = inbox.withLock { inbox in
      let work = inbox.work
      inbox.work = []
      return work
    }
    for item in work { item() }
  }

  private func runEndOfRoundHandlers() {
    guard !endOfRoundHandlers.isEmpty else { return }
    swap(&endOfRoundHandlers, &handlersInCall)
    while let handler = handlersInCall.popLast() { handler.ready([]) }
  }

  /// Releases everything that the loop retains, and resumes the callers of `waitUntilEnded`.
  private func finish() {
    slots = []
    endOfRoundHandlers = []
    timers = TimerQueue()
    inbox.withLock { $0.work = [] }
    let waiters = endWaiters.withLock { waiters in
      defer { waiters = nil }
      return waiters ?? []
    }
    for waiter in waiters { waiter() }
  }
}

/// Names the calling thread. Only the first 15 bytes are used.
public func nameCurrentThread(_ name: String) { clinux_name_thread(name) }

/// The time of CLOCK_MONOTONIC in seconds.
public func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
