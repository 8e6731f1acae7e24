import CLinux
import Glibc
import Synchronization

/// Somebody who is told on the loop's thread that his descriptor is ready.
public protocol EventHandler: AnyObject {
  /// With no events: his turn, for which he asked with `again`.
  func ready(_ events: EventLoop.Events)
}

/// An epoll loop on a thread of its own. Work from elsewhere comes in through `enqueue`; everything else is called on the
/// loop's thread only.
///
/// `@unchecked Sendable`: `slots`, `timers`, `turns` and `isOver` are touched by the loop's thread alone, `inbox` is behind its mutex, and
/// descriptors are constant.
public final class EventLoop: @unchecked Sendable {
  /// What a descriptor is ready for.
  public struct Events: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let readable = Events(rawValue: EPOLLIN.rawValue)
    public static let writable = Events(rawValue: EPOLLOUT.rawValue)
    /// The peer has gone altogether; told without being asked for.
    public static let hangUp = Events(rawValue: EPOLLHUP.rawValue)
    public static let error = Events(rawValue: EPOLLERR.rawValue)
  }

  /// The name under which a descriptor is watched.
  public struct Registration: Sendable, Hashable {
    fileprivate var slot: UInt32
    fileprivate var generation: UInt32
    fileprivate var data: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
  }

  private struct Slot {
    var handler: (any EventHandler)?
    var generation: UInt32 = 0
  }
  private struct Inbox {
    var work: [@Sendable () -> Void] = []
    var isStopped = false
  }

  private let name: String
  private let epoll: FileDescriptor
  private let wake: FileDescriptor
  private let inbox = Mutex(Inbox())
  private let ended = Mutex<[@Sendable () -> Void]?>([])
  @exclusivity(unchecked) private var slots: [Slot] = []
  private var free: [UInt32] = []
  @exclusivity(unchecked) private var timers = TimerQueue()
  @exclusivity(unchecked) private var turns: [any EventHandler] = []
  /// Whether this turn is the last one; `Inbox.isStopped` says so to other threads.
  @exclusivity(unchecked) private var isOver = false

  /// A loop that does not run yet; the name is its thread's.
  public init(name: String) throws(SystemError) {
    self.name = name
    epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll(), "create an epoll instance"))
    wake = FileDescriptor(owning: try SystemError.check(clinux_eventfd(), "create an eventfd"))
    _ = try SystemError.check(
      clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, wake.number, EPOLLIN.rawValue, .max), "watch an eventfd")
  }

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
    if first { ring() }
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

  private func ring() {
    var one: UInt64 = 1
    // A full counter rings as well, so a failure means that the bell is ringing.
    _ = Glibc.write(wake.number, &one, 8)
  }

  // MARK: On the loop's thread

  /// Watches a descriptor, which must stay open until it is removed; the handler is kept alive until then.
  public func add(_ descriptor: Int32, _ events: Events, _ handler: any EventHandler) throws(SystemError) -> Registration {
    if free.isEmpty {
      free.append(UInt32(slots.count))
      slots.append(Slot())
    }
    let slot = free[free.count - 1]
    let registration = Registration(slot: slot, generation: slots[Int(slot)].generation)
    _ = try SystemError.check(
      clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, descriptor, events.rawValue, registration.data), "watch a descriptor")
    free.removeLast()
    slots[Int(slot)].handler = handler
    return registration
  }

  /// Changes what a descriptor is watched for.
  public func change(_ registration: Registration, _ descriptor: Int32, _ events: Events) {
    _ = clinux_epoll_change(epoll.number, EPOLL_CTL_MOD, descriptor, events.rawValue, registration.data)
  }

  /// Watches no more; events that were found already are dropped. Call it before the descriptor is closed.
  public func remove(_ registration: Registration, _ descriptor: Int32) {
    _ = clinux_epoll_change(epoll.number, EPOLL_CTL_DEL, descriptor, 0, 0)
    guard slots[Int(registration.slot)].generation == registration.generation else { return }
    slots[Int(registration.slot)].handler = nil
    slots[Int(registration.slot)].generation &+= 1
    free.append(registration.slot)
  }

  /// Gives the handler another turn after the others have had theirs.
  public func again(_ handler: any EventHandler) { turns.append(handler) }

  /// Runs the work so many seconds from now, unless it is cancelled.
  @discardableResult public func after(_ seconds: Double, _ work: @escaping () -> Void) -> TimerQueue.ID {
    timers.add(at: monotonicSeconds() + seconds, work)
  }

  public func cancel(_ timer: TimerQueue.ID) { timers.remove(timer) }

  private func run() {
    clinux_name_thread(name)
    // No arrays, whose owners would be counted at each turn.
    let (events, data) = (UnsafeMutablePointer<UInt32>.allocate(capacity: 128), UnsafeMutablePointer<UInt64>.allocate(capacity: 128))
    defer {
      events.deallocate()
      data.deallocate()
    }
    while !isOver {
      let count = clinux_epoll_wait(epoll.number, events, data, 128, timeout())
      for index in 0..<max(0, Int(count)) {
        if data[index] == .max { answerBell() } else { dispatch(data[index], Events(rawValue: events[index])) }
      }
      if !timers.isEmpty { for work in timers.due(at: monotonicSeconds()) { work() } }
      takeTurns()
    }
    finish()
  }

  private func timeout() -> Int32 {
    if !turns.isEmpty { return 0 }
    guard let next = timers.next else { return -1 }
    return Int32(min(3_600_000, max(0, (next - monotonicSeconds()) * 1_000).rounded(.up)))
  }

  private func dispatch(_ data: UInt64, _ events: Events) {
    let slot = Int(data & 0xFFFF_FFFF)
    if slots[slot].generation == UInt32(data >> 32), let handler = slots[slot].handler { handler.ready(events) }
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
