import Glibc

/// A non-blocking descriptor, closed when its last user is gone.
final class PipeEnd: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// What has arrived, waiting for it if need be; nil at the end of the stream or when cancelled.
  func read(_ thread: PipeThread) async -> [UInt8]? {
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
        count = buffer.baseAddress.map { Glibc.read(descriptor, $0, buffer.count) } ?? -1
        filled = max(0, count)
      }
      if count > 0 { return bytes }
      if count == 0 || (errno != EAGAIN && errno != EINTR) { return nil }
      guard await thread.wait(for: descriptor, .readable) == .ready else { return nil }
    }
  }
}
