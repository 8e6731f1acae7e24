import Glibc
import Testing

@testable import Linux

@Suite("TCP")
struct TCPTests {
  @Test(
    "The user of a connection is that of its other end, and not known once that end is closed",
    arguments: [[127, 0, 0, 1], loopback6].filter(isAvailable))
  func user(_ address: [UInt8]) throws {
    let listener = try FileDescriptor.listen(at: TCPEndpoint(address: address, port: 0))
    let endpoint = try #require(TCPEndpoint(of: listener.number))
    let client = try connected(to: endpoint)
    let accepted = Glibc.accept(listener.number, nil, nil)
    defer { close(accepted) }
    #expect(try userOfPeer(of: accepted) == geteuid())
    // The kernel would report root.
    close(client)
    #expect(try userOfPeer(of: accepted) == nil)
  }

  private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

  /// False if the machine has no IPv6.
  private static func isAvailable(_ address: [UInt8]) -> Bool {
    (try? FileDescriptor.listen(at: TCPEndpoint(address: address, port: 0))) != nil
  }

  private func connected(to endpoint: TCPEndpoint) throws -> Int32 {
    let isIPv6 = endpoint.address.count == 16
    let client = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    func connect<Address>(_ address: Address) -> Int32 {
      withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(client, $0, socklen_t(MemoryLayout<Address>.size)) }
      }
    }
    let result: Int32
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = endpoint.port.bigEndian
      withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: endpoint.address) }
      result = connect(address)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = endpoint.port.bigEndian
      withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: endpoint.address) }
      result = connect(address)
    }
    try #require(result == 0)
    return client
  }
}
