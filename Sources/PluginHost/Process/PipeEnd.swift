import Glibc

/// A non-blocking descriptor, which is closed when the last reference to this object is gone.
///
/// `@unchecked Sendable`: only `read` uses the buffer, and only one task at a time calls `read`.
final class PipeEnd: @unchecked Sendable {
  let descriptor: Int32
  /// The buffer is reused, because a new array for each read would cost more than the read. Pages that no read has filled use no memory.
  private let buffer: UnsafeMutableRawBufferPointer

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    buffer = .allocate(byteCount: 65_536, alignment: 16)
  }

  deinit {
    buffer.deallocate()
    close(descriptor)
  }

  /// The bytes that have arrived; waits if there are none. Nil at the end of the stream, or once the task is cancelled, even if there are
  /// bytes to read. Only one task may call it at a time.
  func read(_ thread: PipeThread) async -> [UInt8]? {
    while !Task.isCancelled {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return Array(buffer[..<count]) }
      if count == 0 || (errno != EAGAIN && errno != EINTR) { return nil }
      guard await thread.wait(for: descriptor, .readable) == .ready else { return nil }
    }
    return nil
  }
}
