import Glibc
import Testing

@testable import Linux

@Suite("TCP")
struct TCPTests {
  @Test("The user of a connection is that of its other end, and not known once that end is closed")
  func user() throws {
    let listener = try FileDescriptor.listen(at: TCPEndpoint(address: [127, 0, 0, 1], port: 0))
    let endpoint = try #require(TCPEndpoint(of: listener.number))
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = endpoint.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    try #require(connected == 0)
    let accepted = Glibc.accept(listener.number, nil, nil)
    defer { close(accepted) }
    #expect(try userOfPeer(of: accepted) == geteuid())
    // The kernel would report root.
    close(client)
    #expect(try userOfPeer(of: accepted) == nil)
  }
}
