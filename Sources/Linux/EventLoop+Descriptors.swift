import CLinux
import CRing
import Glibc

/// Somebody who is told on the loop's thread that his descriptor is ready.
public protocol EventHandler: AnyObject {
  /// With no events: his turn, for which he asked with `again`.
  func ready(_ events: EventLoop.Events)
}

/// Somebody to whom the loop brings what arrives on his stream socket.
public protocol StreamHandler: EventHandler {
  /// This has arrived. The bytes are lent until this returns.
  func received(_ bytes: Span<UInt8>)
  /// Nothing more arrives: the stream has ended, or failed.
  func inputEnded(failed: Bool)
}

extension EventLoop {
  /// What a descriptor is ready for.
  public struct Events: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let readable = Events(rawValue: EPOLLIN.rawValue)
    public static let writable = Events(rawValue: EPOLLOUT.rawValue)
    /// The peer has gone altogether; told without being asked for.
    public static let hangUp = Events(rawValue: EPOLLHUP.rawValue)
    public static let error = Events(rawValue: EPOLLERR.rawValue)
    /// The peer sends no more.
    static let ending = Events(rawValue: EPOLLRDHUP.rawValue)
  }

  /// The name under which a descriptor is watched.
  public struct Registration: Sendable, Hashable {
    fileprivate var slot: UInt32
    fileprivate var generation: UInt32
    fileprivate var data: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    fileprivate init(slot: UInt32, generation: UInt32) {
      self.slot = slot
      self.generation = generation
    }

    fileprivate init(_ data: UInt64) {
      self.init(slot: UInt32(truncatingIfNeeded: data), generation: UInt32(truncatingIfNeeded: data >> 32))
    }
  }

  /// A descriptor that is watched.
  struct Slot {
    var handler: (any EventHandler)?
    /// The same handler, where the loop brings it what arrives.
    var stream: (any StreamHandler)?
    var descriptor: Int32 = -1
    var generation: UInt32 = 0
    /// What a stream's handler wants to know of.
    var wanted: Events = []
    /// What epoll watches for.
    var watched: Events = []
    /// Whether the ring brings what arrives. That the peer sends no more is told by epoll all the same: of a Unix socket whose last bytes were
    /// taken when the end was there already, the ring of Linux 6.18 does not tell it.
    var isInRing = false
    /// Whether the ring is asked to at present.
    var isReceiving = false
  }

  /// Watches a descriptor, which must stay open until it is removed; the handler is kept alive until then.
  public func add(_ descriptor: Int32, _ events: Events, _ handler: any EventHandler) throws(SystemError) -> Registration {
    let registration = nextRegistration()
    try watch(descriptor, events, registration)
    free.removeLast()
    let slot = Int(registration.slot)
    slots[slot].handler = handler
    slots[slot].descriptor = descriptor
    slots[slot].watched = events
    return registration
  }

  /// Brings what arrives on a stream socket, which must stay open until it is removed; the handler is kept alive until then.
  public func add(stream socket: Int32, _ handler: any StreamHandler) throws(SystemError) -> Registration {
    let registration = nextRegistration()
    let watched: Events = ring == nil ? .readable : .ending
    try watch(socket, watched, registration)
    free.removeLast()
    slots[Int(registration.slot)] = Slot(
      handler: handler, stream: handler, descriptor: socket, generation: registration.generation, wanted: .readable, watched: watched,
      isInRing: ring != nil)
    if ring != nil { unasked.append(registration) }
    return registration
  }

  /// The one that comes next, which is not taken yet.
  private func nextRegistration() -> Registration {
    if free.isEmpty {
      free.append(UInt32(slots.count))
      slots.append(Slot())
    }
    let slot = free[free.count - 1]
    return Registration(slot: slot, generation: slots[Int(slot)].generation)
  }

  private func watch(_ descriptor: Int32, _ events: Events, _ registration: Registration) throws(SystemError) {
    _ = try SystemError.check(
      clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, descriptor, events.rawValue, registration.data), "watch a descriptor")
  }

  /// Changes what a descriptor is watched for. Of a stream that is not to be readable, what was on its way still comes.
  public func change(_ registration: Registration, _ events: Events) {
    guard let slot = slot(of: registration) else { return }
    slots[slot].wanted = events
    var watched = events
    if slots[slot].isInRing {
      unasked.append(registration)
      if watched.remove(.readable) != nil { watched.insert(.ending) }
    }
    watch(slot, watched, registration)
  }

  private func watch(_ slot: Int, _ events: Events, _ registration: Registration) {
    guard events != slots[slot].watched else { return }
    let result = clinux_epoll_change(epoll.number, EPOLL_CTL_MOD, slots[slot].descriptor, events.rawValue, registration.data)
    if result == 0 { slots[slot].watched = events }
  }

  /// Watches no more; events that were found already are dropped. Call it before the descriptor is closed.
  public func remove(_ registration: Registration) {
    guard let slot = slot(of: registration) else { return }
    let old = slots[slot]
    slots[slot] = Slot(generation: registration.generation &+ 1)
    free.append(registration.slot)
    _ = clinux_epoll_change(epoll.number, EPOLL_CTL_DEL, old.descriptor, 0, 0)
    // The kernel keeps a socket open on which it receives; one that is shut down has nothing to receive.
    if old.isReceiving, ring?.cancel(registration.data) == false { shutdown(old.descriptor, Int32(SHUT_RDWR)) }
  }

  private func slot(of registration: Registration) -> Int? {
    let slot = Int(registration.slot)
    return slot < slots.count && slots[slot].generation == registration.generation ? slot : nil
  }

  // MARK: What has come about

  /// What epoll tells.
  func dispatch(_ data: UInt64, _ events: Events) {
    let registration = Registration(data)
    guard let slot = slot(of: registration), let handler = slots[slot].handler else { return }
    guard slots[slot].stream != nil else { return handler.ready(events) }
    let others = events.subtracting([.readable, .ending])
    if !others.isEmpty { handler.ready(others) }
    // Whatever the ring has received was brought already, and it receives no more before the loop waits again.
    if events != .writable { receiveNow(registration) }
  }

  /// Brings what has arrived on a stream that is to be readable, as far as a buffer holds it, without waiting for the kernel to tell of it.
  public func receiveNow(_ registration: Registration) {
    guard let slot = slot(of: registration), let stream = slots[slot].stream, slots[slot].wanted.contains(.readable) else { return }
    let socket = slots[slot].descriptor
    switch FileDescriptor.result({ clinux_receive(socket, input.baseAddress, input.count) }) {
    case .bytes(let count): stream.received(UnsafeBufferPointer(rebasing: input[..<count]).span)
    case .end: endInput(of: stream, registration, failed: false)
    case .failed: endInput(of: stream, registration, failed: true)
    case .later: break
    }
  }

  private func endInput(of stream: any StreamHandler, _ registration: Registration, failed: Bool) {
    guard let slot = slot(of: registration), slots[slot].wanted.contains(.readable) else { return }
    change(registration, slots[slot].wanted.subtracting(.readable))
    stream.inputEnded(failed: failed)
  }

  /// What the ring brings.
  func dispatch(_ event: InputRing.Event, _ bytes: Span<UInt8>) {
    let registration = Registration(event.data)
    guard let slot = slot(of: registration), let stream = slots[slot].stream else { return }
    if event.goes_on == 0 {
      slots[slot].isReceiving = false
      unasked.append(registration)
    }
    switch event.result {
    case 1...: stream.received(bytes)
    case 0: endInput(of: stream, registration, failed: false)
    // Called off, or no buffer was left.
    case -ECANCELED, -ENOBUFS, -EINTR, -EAGAIN: break
    // The socket has failed, or the ring has: whoever reads the socket learns which.
    default: leaveRing(slot, registration)
    }
  }

  /// Asks the ring for what streams' handlers want by now, and calls off what they want no more. Only when the loop is about to wait: the kernel
  /// looks for a descriptor's socket when it is asked, so that none may be closed in between, and may receive at once.
  func askRing(_ ring: InputRing) {
    for registration in unasked {
      guard let slot = slot(of: registration), slots[slot].isInRing else { continue }
      switch (wants: slots[slot].wanted.contains(.readable), has: slots[slot].isReceiving) {
      case (wants: true, has: false):
        slots[slot].isReceiving = ring.receive(slots[slot].descriptor, registration.data)
        if !slots[slot].isReceiving { leaveRing(slot, registration) }
      // It is over when the ring says so. Where it cannot be told, the stream goes on, as it may for a while in any case.
      case (wants: false, has: true): _ = ring.cancel(registration.data)
      default: break
      }
    }
    unasked.removeAll(keepingCapacity: true)
  }

  /// From now on, the stream is read when epoll tells of it.
  private func leaveRing(_ slot: Int, _ registration: Registration) {
    slots[slot].isInRing = false
    watch(slot, slots[slot].wanted, registration)
  }

  /// The ring has failed: all streams are read from now on.
  func leaveRing() {
    for slot in slots.indices where slots[slot].isInRing {
      leaveRing(slot, Registration(slot: UInt32(slot), generation: slots[slot].generation))
    }
  }
}
