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
    receiveAsWanted(Int(registration.slot), registration)
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
      receiveAsWanted(slot, registration)
      if watched.remove(.readable) != nil { watched.insert(.ending) }
    }
    guard watched != slots[slot].watched else { return }
    let result = clinux_epoll_change(epoll.number, EPOLL_CTL_MOD, slots[slot].descriptor, watched.rawValue, registration.data)
    if result == 0 { slots[slot].watched = watched }
  }

  /// Watches no more; events that were found already are dropped. Call it before the descriptor is closed.
  public func remove(_ registration: Registration) {
    guard let slot = slot(of: registration) else { return }
    let old = slots[slot]
    slots[slot] = Slot(generation: registration.generation &+ 1)
    free.append(registration.slot)
    _ = clinux_epoll_change(epoll.number, EPOLL_CTL_DEL, old.descriptor, 0, 0)
    // The kernel keeps a socket open on which it receives; one that is shut down has nothing to receive.
    if old.isReceiving, let ring {
      do throws(SystemError) { try ring.cancel(registration.data) } catch { shutdown(old.descriptor, Int32(SHUT_RDWR)) }
    }
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
    // Whatever the ring has taken before was brought already.
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
    if event.goes_on == 0 { slots[slot].isReceiving = false }
    switch event.result {
    case 1...: stream.received(bytes)
    // Called off, or no buffer was left.
    case -ECANCELED, -ENOBUFS, -EINTR, -EAGAIN: break
    default: endInput(of: stream, registration, failed: event.result < 0)
    }
    if event.goes_on == 0, let slot = self.slot(of: registration) { receiveAsWanted(slot, registration) }
  }

  /// Asks the ring for what arrives on a stream, or asks it for no more, as its handler wants.
  private func receiveAsWanted(_ slot: Int, _ registration: Registration) {
    guard let ring, slots[slot].wanted.contains(.readable) != slots[slot].isReceiving else { return }
    do throws(SystemError) {
      if slots[slot].isReceiving {
        // It is over when the ring says so.
        try ring.cancel(registration.data)
      } else {
        try ring.receive(slots[slot].descriptor, registration.data)
        slots[slot].isReceiving = true
      }
    } catch {
      if !slots[slot].isReceiving, let stream = slots[slot].stream { endInput(of: stream, registration, failed: true) }
    }
  }
}
