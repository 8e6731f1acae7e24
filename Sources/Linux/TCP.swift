import CLinux
import Glibc

/// A numeric IPv4 or IPv6 address and a port.
public struct TCPEndpoint: Sendable, Hashable, CustomStringConvertible {
  /// The 4 or 16 bytes of the address in network byte order.
  public var address: [UInt8]
  public var port: UInt16

  public init(address: [UInt8], port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Parses `127.0.0.1:80` or `[::1]:80`; nil if the text contains a name, or no port.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) } else if host.contains(":") { return nil }
    guard let address = TCPEndpoint.bytes(of: host) else { return nil }
    self.init(address: address, port: port)
  }

  /// The bytes of a numeric address; nil for anything else.
  public static func bytes(of text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }

  /// The other end of a connected socket; nil if it is not a TCP socket.
  public init?(peerOf socket: Int32) { self.init(socket, isOwnEnd: 0) }
  /// This end of a socket; nil if it is not a TCP socket.
  public init?(of socket: Int32) { self.init(socket, isOwnEnd: 1) }

  private init?(_ socket: Int32, isOwnEnd: Int32) {
    var (bytes, port) = ([UInt8](repeating: 0, count: 16), UInt16(0))
    let count = clinux_tcp_address(socket, isOwnEnd, &bytes, &port)
    guard count > 0 else { return nil }
    self.init(address: Array(bytes.prefix(Int(count))), port: port)
  }

  /// True for 127.0.0.0/8 and ::1.
  public var isLoopback: Bool {
    address.count == 4 ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
  }

  /// The address without the port, as in a URL: an IPv6 address is in brackets.
  public var host: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(address.count == 4 ? AF_INET : AF_INET6, address, &text, socklen_t(text.count)) != nil else { return "?" }
    let addressText = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return address.count == 4 ? addressText : "[\(addressText)]"
  }

  public var description: String { "\(host):\(port)" }
}

extension FileDescriptor {
  /// Creates a TCP socket that listens.
  public static func listen(at endpoint: TCPEndpoint, backlog: Int32 = ListeningSocket.defaultBacklog) throws(SystemError) -> FileDescriptor
  {
    let address = endpoint.host.filter { $0 != "[" && $0 != "]" }
    let number = clinux_tcp_listen(address, endpoint.port, backlog)
    guard number >= 0 else { throw SystemError("listen at", endpoint.description) }
    return FileDescriptor(owning: number)
  }
}

/// The user whose socket is at the other end of a TCP connection; nil if that end is closed. Both ends must be on this machine.
public func userOfPeer(of socket: Int32) throws(SystemError) -> UInt32? {
  var user = UInt32.max
  if clinux_tcp_peer_user(socket, &user) == 0 { return user }
  if errno == ENOENT { return nil }
  throw SystemError("ask for the user of a connection")
}
