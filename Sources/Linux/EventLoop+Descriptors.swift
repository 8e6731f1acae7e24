import CLinux
import Glibc

/// The receiver of a descriptor's events. It is called on the loop's thread.
public protocol EventHandler: AnyObject {
  /// Called when the descriptor is ready. Also called, with empty `events`, if `EventLoop.callAtEndOfRound` requested a call.
  func ready(_ events: EventLoop.Events)
}

/// The receiver of a stream socket's input. It is called on the loop's thread.
public protocol StreamHandler: EventHandler {
  /// Called with bytes that have arrived. The span is valid until this function returns.
  func received(_ bytes: Span<UInt8>)
  /// Called when no more input can arrive.
  /// - Parameter failed: true if the socket failed; false if the peer has shut down its sending side.
  func inputEnded(failed: Bool)
}

extension EventLoop {
  /// The states of a descriptor (epoll_ctl(2)).
  public struct Events: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let readable = Events(rawValue: EPOLLIN.rawValue)
    public static let writable = Events(rawValue: EPOLLOUT.rawValue)
    /// The peer has closed both directions. epoll reports this even if it is not requested.
    public static let hangUp = Events(rawValue: EPOLLHUP.rawValue)
    /// The descriptor has failed. epoll reports this even if it is not requested.
    public static let error = Events(rawValue: EPOLLERR.rawValue)
  }

  /// Identifies a watched descriptor. No later registration is equal to it, even one of the same descriptor.
  public struct Registration: Sendable, Hashable {
    fileprivate var slot: UInt32
    fileprivate var generation: UInt32
    /// The data that epoll stores with the descriptor, and returns with each of its events.
    fileprivate var data: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    fileprivate init(slot: UInt32, generation: UInt32) {
      self.slot = slot
      self.generation = generation
    }

    fileprivate init(_ data: UInt64) {
      self.init(slot: UInt32(truncatingIfNeeded: data), generation: UInt32(truncatingIfNeeded: data >> 32))
    }
  }

  /// An element of `slots`: a watched descriptor, or a free slot.
  struct Slot {
    /// Nil in a free slot.
    var handler: (any EventHandler)?
    /// The same object as `handler` if the loop reads the descriptor for the handler; otherwise nil.
    var stream: (any StreamHandler)?
    var descriptor: Int32 = -1
    /// The number of registrations that used the slot before.
    var generation: UInt32 = 0
    var watchedEvents: Events = []
  }

  /// Watches a descriptor, which must stay open until its registration is removed. The loop retains the handler until then.
  public func add(_ descriptor: Int32, _ events: Events, _ handler: any EventHandler) throws(SystemError) -> Registration {
    try add(descriptor, events, handler, stream: nil)
  }

  /// Reads a stream socket whenever input arrives, and passes the input to the handler. The socket must stay open until its registration is
  /// removed. The loop retains the handler until then.
  public func add(stream socket: Int32, _ handler: any StreamHandler) throws(SystemError) -> Registration {
    try add(socket, .readable, handler, stream: handler)
  }

  private func add(
    _ descriptor: Int32, _ events: Events, _ handler: any EventHandler, stream: (any StreamHandler)?
  ) throws(SystemError) -> Registration {
    if freeSlots.isEmpty {
      freeSlots.append(UInt32(slots.count))
      slots.append(Slot())
    }
    let slot = freeSlots[freeSlots.count - 1]
    let registration = Registration(slot: slot, generation: slots[Int(slot)].generation)
    _ = try SystemError.check(
      clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, descriptor, events.rawValue, registration.data), "watch a descriptor")
    freeSlots.removeLast()
    slots[Int(slot)] = Slot(
      handler: handler, stream: stream, descriptor: descriptor, generation: registration.generation, watchedEvents: events)
    return registration
  }

  /// Changes the events for which a descriptor is watched. A stream that is not watched for `readable` is not read.
  public func change(_ registration: Registration, _ events: Events) {
    guard let slot = slot(of: registration), events != slots[slot].watchedEvents else { return }
    // epoll reports a hang-up even if no event is requested. With EPOLLONESHOT, it reports the hang-up once, and not in every round.
    let mask = events.isEmpty ? EPOLLONESHOT.rawValue : events.rawValue
    let result = clinux_epoll_change(epoll.number, EPOLL_CTL_MOD, slots[slot].descriptor, mask, registration.data)
    if result == 0 { slots[slot].watchedEvents = events }
  }

  /// Stops watching a descriptor. Events that epoll has already returned are dropped. Must be called before the descriptor is closed.
  public func remove(_ registration: Registration) {
    guard let slot = slot(of: registration) else { return }
    let descriptor = slots[slot].descriptor
    slots[slot] = Slot(generation: registration.generation &+ 1)
    freeSlots.append(registration.slot)
    _ = clinux_epoll_change(epoll.number, EPOLL_CTL_DEL, descriptor, 0, 0)
  }

  /// The index of a registration's slot; nil if the registration was removed.
  private func slot(of registration: Registration) -> Int? {
    let slot = Int(registration.slot)
    return slot < slots.count && slots[slot].generation == registration.generation ? slot : nil
  }

  /// Passes events that epoll returned to the handler.
  /// - Parameter data: the data of the descriptor's registration.
  func dispatch(_ data: UInt64, _ events: Events) {
    let registration = Registration(data)
    guard let slot = slot(of: registration) else { return }
    let isStream = slots[slot].stream != nil
    let handlerEvents = isStream ? events.subtracting(.readable) : events
    if !handlerEvents.isEmpty { slots[slot].handler?.ready(handlerEvents) }
    // Input that arrived before a hang-up or an error is still read.
    if isStream, events != .writable { receiveNow(registration) }
  }

  /// Reads a stream once, if it is watched for `readable`, and passes the input to its handler. `Server.drain` uses this to
  /// read input that has arrived before it ends a connection.
  public func receiveNow(_ registration: Registration) {
    guard let slot = slot(of: registration), let stream = slots[slot].stream, slots[slot].watchedEvents.contains(.readable) else { return }
    let socket = slots[slot].descriptor
    switch FileDescriptor.result({ clinux_receive(socket, input.baseAddress, input.count) }) {
    case .bytes(let count): stream.received(UnsafeBufferPointer(rebasing: input[..<count]).span)
    case .end: endInput(of: stream, registration, failed: false)
    case .failed: endInput(of: stream, registration, failed: true)
    case .wouldBlock: break
    }
  }

  private func endInput(of stream: any StreamHandler, _ registration: Registration, failed: Bool) {
    guard let slot = slot(of: registration) else { return }
    change(registration, slots[slot].watchedEvents.subtracting(.readable))
    stream.inputEnded(failed: failed)
  }
}
