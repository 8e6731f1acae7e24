import CLinux
import Glibc

/// An open file, socket or pipe, which is closed when this value is destroyed.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The descriptor's number, valid as long as this value exists.
  public let number: Int32

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Passes the ownership to the caller, who must close the descriptor.
  public consuming func released() -> Int32 {
    let number = self.number
    discard self
    return number
  }

  /// The soft limit of open descriptors (RLIMIT_NOFILE). The kernel assigns only numbers below it.
  public static var limit: Int32 {
    var files = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return .max }
    return Int32(clamping: files.rlim_cur)
  }

  /// The outcome of a non-blocking read or write.
  public enum IOResult: Sendable, Equatable {
    /// This number of bytes was read or written.
    case bytes(Int)
    /// The stream has ended. Only reads return this.
    case end
    /// The call would block (EAGAIN).
    case wouldBlock
    /// The call failed with this errno.
    case failed(Int32)
  }

  /// Reads once into the buffer.
  public borrowing func read(into buffer: inout [UInt8]) -> IOResult {
    let number = self.number
    return buffer.withUnsafeMutableBytes { bytes in FileDescriptor.result { Glibc.read(number, bytes.baseAddress, bytes.count) } }
  }

  /// Sends on a socket, without SIGPIPE.
  public borrowing func send(_ bytes: Span<UInt8>) -> IOResult {
    let number = self.number
    return bytes.withUnsafeBytes { bytes in FileDescriptor.result { clinux_send(number, bytes.baseAddress, bytes.count) } }
  }

  /// Writes to a pipe or file.
  public borrowing func write(_ bytes: Span<UInt8>) -> IOResult {
    let number = self.number
    return bytes.withUnsafeBytes { bytes in FileDescriptor.result { Glibc.write(number, bytes.baseAddress, bytes.count) } }
  }

  /// Makes a system call, repeats it if a signal interrupts it, and converts its result.
  static func result(_ call: () -> Int) -> IOResult {
    while true {
      let count = call()
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      default: return .failed(errno)
      }
    }
  }
}
