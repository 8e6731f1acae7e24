import CRing
import Glibc

/// Brings what arrives on sockets, and tells what has become readable, through io_uring(7): one call to the kernel waits for all, and comes
/// back with the bytes of all that have some. Made, touched and let go on one thread.
final class InputRing {
  /// What is behind this in `cring.h`: bytes that were received, an end, an errno, or that a descriptor is readable.
  typealias Event = cring_event

  private let ring: OpaquePointer
  /// No array, whose owner would be counted each time.
  private let events = UnsafeMutablePointer<Event>.allocate(capacity: InputRing.atOnce)
  private static let atOnce = 128
  /// So many pieces are received at once; who finds no buffer asks again.
  static let usualBuffers: UInt32 = 128
  private static let bufferBytes: UInt32 = 4_096

  /// Throws where the kernel is older than Linux 6.1, or forbids it to this process.
  /// - Parameter buffers: a power of two.
  init(buffers: UInt32 = usualBuffers) throws(SystemError) {
    guard let ring = cring_make(buffers, InputRing.bufferBytes) else { throw SystemError("make an io_uring") }
    self.ring = ring
  }

  deinit {
    cring_free(ring)
    events.deallocate()
  }

  // Each is passed on by the next wait at the latest; false where the kernel takes no more.

  /// Receives from a stream socket from now on, until an event says that it does not go on.
  func receive(_ socket: Int32, _ data: UInt64) -> Bool { cring_receive(ring, socket, data) == 0 }

  /// Tells from now on when a descriptor has become readable.
  func watch(_ descriptor: Int32, _ data: UInt64) -> Bool { cring_watch(ring, descriptor, data) == 0 }

  /// Ends what was asked for with this data.
  func cancel(_ data: UInt64) -> Bool { cring_cancel(ring, data) == 0 }

  /// Waits until something has come about, or so many milliseconds (-1: for ever). What has come about waits to be taken.
  func wait(milliseconds: Int32) throws(SystemError) {
    let result = cring_wait(ring, milliseconds)
    // Short of memory for a moment, or full until something is taken.
    if result < 0, errno != EAGAIN, errno != EBUSY { throw SystemError("wait for an io_uring") }
  }

  /// Calls the body with each event that has come about, and what was received, which is lent.
  func take(_ body: (Event, Span<UInt8>) -> Void) {
    var count: Int
    repeat {
      count = Int(cring_take(ring, events, UInt32(InputRing.atOnce)))
      for index in 0..<count { bring(events[index], to: body) }
    } while count == InputRing.atOnce
  }

  private func bring(_ event: Event, to body: (Event, Span<UInt8>) -> Void) {
    guard let bytes = event.bytes else { return body(event, Span()) }
    body(event, UnsafeBufferPointer(start: bytes, count: max(0, Int(event.result))).span)
    cring_give_back(ring, UInt32(event.buffer))
  }
}
