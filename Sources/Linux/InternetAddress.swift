import Glibc

/// An IPv4 or IPv6 address.
public enum InternetAddress: Hashable, Sendable {
  /// The address as a number in host byte order.
  case version4(UInt32)
  /// The 16 bytes of the address in network byte order.
  case version6([UInt8])

  /// Converts a socket address; nil if its family is neither IPv4 nor IPv6.
  public init?(_ address: UnsafePointer<sockaddr>, length: Int) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
      let number = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
      self = .version4(UInt32(bigEndian: number))
    case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
      let bytes = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr
      self = .version6(withUnsafeBytes(of: bytes) { Array($0) })
    default: return nil
    }
  }

  /// Parses `10.0.0.1` or `::1`; nil for anything else, including the spellings `10.1` and `0x0a000001`.
  public init?(_ text: String) {
    var address4 = in_addr()
    var address6 = in6_addr()
    if inet_pton(AF_INET, text, &address4) == 1 {
      self = .version4(UInt32(bigEndian: address4.s_addr))
    } else if inet_pton(AF_INET6, text, &address6) == 1 {
      self = .version6(withUnsafeBytes(of: address6) { Array($0) })
    } else {
      return nil
    }
  }

  /// True for a public unicast address. Private, loopback, link-local, multicast and documentation addresses are not public (RFC 6890 and
  /// IANA's special-purpose address registries), and neither are IPv6 addresses in which such an IPv4 address is embedded.
  public var isPublic: Bool {
    switch self {
    case .version4(let address):
      !InternetAddress.nonPublicNetworks.contains { address >> (32 - $0.prefixLength) == $0.network >> (32 - $0.prefixLength) }
    case .version6(let bytes): InternetAddress.isPublic(bytes)
    }
  }

  private static func isPublic(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 16 else { return false }
    func isEmbeddedAddressPublic(at index: Int) -> Bool {
      InternetAddress.version4(bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }).isPublic
    }
    let words = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    // An IPv4-mapped address (RFC 4291) and an address with NAT64's well-known prefix (RFC 6052) are public if the embedded IPv4 address
    // is.
    if words[0..<5].allSatisfy({ $0 == 0 }), words[5] == 0xFFFF { return isEmbeddedAddressPublic(at: 12) }
    if words[0] == 0x64, words[1] == 0xFF9B, words[2..<6].allSatisfy({ $0 == 0 }) { return isEmbeddedAddressPublic(at: 12) }
    // The same applies to 6to4 (RFC 3056).
    if words[0] == 0x2002 { return isEmbeddedAddressPublic(at: 2) }
    // Global unicast addresses are in 2000::/3. Of these, 2001::/23 is for protocols, and 2001:db8::/32 and 3fff::/20 are for examples.
    guard words[0] >> 13 == 1 else { return false }
    if words[0] == 0x2001, words[1] < 0x0200 || words[1] == 0x0DB8 { return false }
    return !(words[0] == 0x3FFF && words[1] >> 12 == 0)
  }

  /// The IPv4 networks that are not public: 0/8, 10/8, 100.64/10, 127/8, 169.254/16, 172.16/12, 192.0.0/24, 192.0.2/24, 192.88.99/24,
  /// 192.168/16, 198.18/15, 198.51.100/24, 203.0.113/24, 224/4 and 240/4.
  private static let nonPublicNetworks: [(network: UInt32, prefixLength: UInt32)] = [
    (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
    (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
    (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
  ]
}
