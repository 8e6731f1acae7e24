import CLinux
import Glibc

extension FileDescriptor {
  /// Connects a non-blocking socket to a Unix stream socket. Throws EAGAIN if the server's backlog is full.
  public static func connect(to path: String) throws(SystemError) -> FileDescriptor {
    let socket = FileDescriptor(owning: try SystemError.check(clinux_socket(), "create a socket"))
    guard clinux_connect(socket.number, path) == 0 else { throw SystemError("connect to", path) }
    return socket
  }

  /// Two connected, non-blocking Unix stream sockets.
  public static func pair() throws(SystemError) -> DescriptorPair {
    var pair: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &pair) { clinux_socketpair($0.baseAddress?.assumingMemoryBound(to: Int32.self)) }
    guard result == 0 else { throw SystemError("create a pair of sockets") }
    return DescriptorPair(first: FileDescriptor(owning: pair.0), second: FileDescriptor(owning: pair.1))
  }

  /// Accepts the next connection as a non-blocking socket. Throws EAGAIN if there is none.
  public borrowing func accept() throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try SystemError.check(clinux_accept(number), "accept a connection"))
  }
}

/// The two ends of a pair of sockets.
@frozen public struct DescriptorPair: ~Copyable, Sendable {
  public var first: FileDescriptor
  public var second: FileDescriptor
}

extension FileDescriptor {
  /// Shuts down the sending side.
  public borrowing func finishSending() { shutdown(number, Int32(SHUT_WR)) }

  /// Shuts down both sides. The peer sees the end of the stream. Input that has arrived can still be read.
  public borrowing func shutDown() { shutdown(number, Int32(SHUT_RDWR)) }
}
