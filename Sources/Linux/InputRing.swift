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
  /// As many as may come at once; more wait in the kernel for theirs.
  private static let (buffers, bufferBytes): (UInt32, UInt32) = (128, 4_096)

  /// Throws where the kernel is older than Linux 6.1, or forbids it to this process.
  init() throws(SystemError) {
    guard let ring = cring_make(InputRing.buffers, InputRing.bufferBytes) else { throw SystemError("make an io_uring") }
    self.ring = ring
  }

  deinit {
    cring_free(ring)
    events.deallocate()
  }

  /// Receives from a stream socket from now on, until an event says that it does not go on.
  func receive(_ socket: Int32, _ data: UInt64) throws(SystemError) {
    _ = try SystemError.check(cring_receive(ring, socket, data), "receive through an io_uring")
  }

  /// Tells from now on when a descriptor has become readable.
  func watch(_ descriptor: Int32, _ data: UInt64) throws(SystemError) {
    _ = try SystemError.check(cring_watch(ring, descriptor, data), "watch through an io_uring")
  }

  /// Ends what was asked for with this data.
  func cancel(_ data: UInt64) throws(SystemError) { _ = try SystemError.check(cring_cancel(ring, data), "cancel in an io_uring") }

  /// Waits until something has come about, or so many milliseconds (-1: for ever), and calls the body with each event and what was received,
  /// which is lent.
  func wait(milliseconds: Int32, _ body: (Event, Span<UInt8>) -> Void) {
    // Where it fails, nothing has come about, and the next one may.
    _ = cring_wait(ring, milliseconds)
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
