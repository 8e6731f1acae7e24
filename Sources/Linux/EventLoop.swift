import CLinux
import Glibc
import Synchronization

/// A loop on a thread of its own that waits for what becomes of descriptors. Work from elsewhere comes in through `enqueue`; everything else
/// is called on the loop's thread only.
///
/// Descriptors are watched by epoll(7). What arrives on streams is brought by io_uring(7) where the kernel lends a ring, which saves a call for
/// each piece, and is read where epoll tells of it where there is none.
///
/// `@unchecked Sendable`: what is mutable is touched by the loop's thread alone, but for `inbox` and `ended`, which are behind their mutexes.
public final class EventLoop: @unchecked Sendable {
  private struct Inbox {
    var work: [@Sendable () -> Void] = []
    var isStopped = false
  }

  private let name: String
  let epoll: FileDescriptor
  private let wake: FileDescriptor
  private let inbox = Mutex(Inbox())
  private let ended = Mutex<[@Sendable () -> Void]?>([])
  @exclusivity(unchecked) var slots: [Slot] = []
  var free: [UInt32] = []
  @exclusivity(unchecked) private var timers = TimerQueue()
  @exclusivity(unchecked) private var turns: [any EventHandler] = []
  /// Whether this turn is the last one; `Inbox.isStopped` says so to other threads.
  @exclusivity(unchecked) private var isOver = false

  private let wantsRing: Bool
  /// Nil where input is read when epoll tells of it.
  @exclusivity(unchecked) var ring: InputRing?
  /// How many pieces the ring receives at once; to be set before the start.
  var ringBuffers = InputRing.usualBuffers
  /// Streams of which the ring may not do what is wanted.
  @exclusivity(unchecked) var unasked: [Registration] = []
  /// Whether nobody chose another way of scheduling, which is not ours to change.
  private var isScheduledAsUsual = false
  /// Why there is no ring though one was wanted. On the loop's thread.
  public private(set) var ringRefusal: SystemError?
  /// Whether epoll may have something to tell, as far as the ring has told.
  @exclusivity(unchecked) private var epollHasNews = false
  /// Where streams are read of which epoll tells.
  let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
  /// How often the loop has come round, so that a handler knows whether the others had their turns.
  @exclusivity(unchecked) public private(set) var round: UInt64 = 0

  /// A loop that does not run yet; the name is its thread's.
  /// - Parameter wantsRing: whether io_uring is used where it can be.
  public init(name: String, wantsRing: Bool = false) throws(SystemError) {
    self.name = name
    self.wantsRing = wantsRing
    epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll(), "create an epoll instance"))
    wake = FileDescriptor(owning: try SystemError.check(clinux_eventfd(), "create an eventfd"))
    _ = try SystemError.check(
      clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, wake.number, EPOLLIN.rawValue, Self.bell), "watch an eventfd")
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

  /// From any thread: runs the work on the loop's thread, in the order of the calls. After the loop's end, nothing runs it.
  public func enqueue(_ work: @escaping @Sendable () -> Void) {
    let first = inbox.withLock { inbox in
      guard !inbox.isStopped else { return false }
      inbox.work.append(work)
      return inbox.work.count == 1
    }
    if first { ringBell() }
  }

  /// From any thread: the loop ends after the work that was enqueued before.
  public func stop() {
    enqueue { [self] in
      inbox.withLock { $0.isStopped = true }
      isOver = true
    }
  }

  /// Returns when the loop's thread has ended.
  public func waitUntilEnded() async {
    await withCheckedContinuation { continuation in
      let waits = ended.withLock { waiters in
        waiters?.append { continuation.resume() }
        return waiters != nil
      }
      if !waits { continuation.resume() }
    }
  }

  private func ringBell() {
    var one: UInt64 = 1
    // A full counter rings as well, so a failure means that the bell is ringing.
    _ = Glibc.write(wake.number, &one, 8)
  }

  // MARK: On the loop's thread

  /// Gives the handler another turn after the others have had theirs.
  public func again(_ handler: any EventHandler) { turns.append(handler) }

  /// Runs the work so many seconds from now, unless it is cancelled.
  @discardableResult public func after(_ seconds: Double, _ work: @escaping () -> Void) -> TimerQueue.ID {
    timers.add(at: monotonicSeconds() + seconds, work)
  }

  /// Whether the loop's thread, when something has come, waits for its turn instead of interrupting one that computes: much that came
  /// meanwhile is then taken at once.
  public func setPatient(_ isPatient: Bool) { if isScheduledAsUsual { clinux_set_patient(isPatient ? 1 : 0) } }

  public func cancel(_ timer: TimerQueue.ID) { timers.remove(timer) }

  private func run() {
    clinux_name_thread(name)
    isScheduledAsUsual = clinux_is_scheduled_as_usual() != 0
    if wantsRing { do throws(SystemError) { ring = try makeRing() } catch { ringRefusal = error } }
    // No arrays, whose owners would be counted at each turn.
    let (events, data) = (UnsafeMutablePointer<UInt32>.allocate(capacity: 128), UnsafeMutablePointer<UInt64>.allocate(capacity: 128))
    defer {
      events.deallocate()
      data.deallocate()
    }
    while !isOver {
      round &+= 1
      var isRung = false
      if let ring { wait(for: ring, &isRung) }
      if ring == nil || epollHasNews {
        let count = clinux_epoll_wait(epoll.number, events, data, 128, ring == nil ? timeout() : 0)
        // The ring tells when there is something where nothing was, and not that something is left.
        epollHasNews = count > 0
        for index in 0..<max(0, Int(count)) {
          if data[index] == Self.bell { isRung = true } else { dispatch(data[index], Events(rawValue: events[index])) }
        }
      }
      // Last, since who ends his work may rely on what has arrived.
      if isRung { answerBell() }
      if let next = timers.next, next <= monotonicSeconds() { for work in timers.due(at: monotonicSeconds()) { work() } }
      takeTurns()
    }
    finish()
  }

  /// The data of the bell and of epoll's news; no registration has it, nor is it `CRING_NOBODY`.
  private static let (bell, news) = (UInt64.max - 1, UInt64.max - 2)

  /// A ring that tells of the bell and of epoll's news, and has been waited for once, since a filter may allow to make one and no more.
  private func makeRing() throws(SystemError) -> InputRing {
    let ring = try InputRing(buffers: ringBuffers)
    guard ring.watch(wake.number, Self.bell), ring.watch(epoll.number, Self.news) else { throw SystemError("ask an io_uring") }
    try ring.wait(milliseconds: 0)
    _ = clinux_epoll_change(epoll.number, EPOLL_CTL_DEL, wake.number, 0, 0)
    // What was watched before the loop ran may be ready already.
    epollHasNews = true
    return ring
  }

  private func wait(for ring: InputRing, _ isRung: inout Bool) {
    askRing(ring)
    var failure: SystemError?
    do throws(SystemError) { try ring.wait(milliseconds: epollHasNews ? 0 : timeout()) } catch { failure = error }
    ring.take { event, bytes in
      switch event.data {
      case Self.bell:
        isRung = true
        if event.goes_on == 0, !ring.watch(wake.number, Self.bell) { failure = SystemError("ask an io_uring") }
      case Self.news:
        epollHasNews = true
        if event.goes_on == 0, !ring.watch(epoll.number, Self.news) { failure = SystemError("ask an io_uring") }
      default: dispatch(event, bytes)
      }
    }
    if let failure { giveUpRing(failure) }
  }

  /// Goes on with epoll alone.
  private func giveUpRing(_ failure: SystemError) {
    ring = nil
    ringRefusal = failure
    leaveRing()
    _ = clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, wake.number, EPOLLIN.rawValue, Self.bell)
  }

  private func timeout() -> Int32 {
    if !turns.isEmpty { return 0 }
    guard let next = timers.next else { return -1 }
    return Int32(min(3_600_000, max(0, (next - monotonicSeconds()) * 1_000).rounded(.up)))
  }

  private func answerBell() {
    var count: UInt64 = 0
    _ = Glibc.read(wake.number, &count, 8)
    let work = inbox.withLock { inbox in
      let work = inbox.work
      inbox.work = []
      return work
    }
    for item in work { item() }
  }

  private func takeTurns() {
    guard !turns.isEmpty else { return }
    let handlers = turns
    turns = []
    for handler in handlers { handler.ready([]) }
  }

  private func finish() {
    ring = nil
    slots = []
    turns = []
    timers = TimerQueue()
    inbox.withLock { $0.work = [] }
    let waiters = ended.withLock { waiters in
      let list = waiters ?? []
      waiters = nil
      return list
    }
    for waiter in waiters { waiter() }
  }
}

/// Seconds on a clock that never goes back (CLOCK_MONOTONIC).
public func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
