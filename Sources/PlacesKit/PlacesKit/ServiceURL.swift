/// The parts of a service's URL in the configuration, such as `http://127.0.0.1:8088/nominatim?key={query}`.
///
/// The scheme must be http or https. A user name, a fragment, and the path segments `.` and `..` are not permitted. A host or a query value
/// may contain `{placeholder}`s, which the plugin replaces.
public struct ServiceURL: Sendable, Hashable {
  public enum Scheme: String, Sendable, Hashable { case http, https }

  public var scheme: Scheme
  /// The host in lower case: a name, an IPv4 address, or an IPv6 address in square brackets.
  public var host: String
  /// The port; nil for the scheme's default port.
  public var port: Int?
  /// The segments of the path, percent-decoded. If the path ends with a slash, the last segment is empty.
  public var path: [String]
  /// The names and values of the query, percent-decoded.
  public var query: [HTTPRequest.Item]

  /// Nil if the text is not such a URL or has more than 2,048 bytes.
  public init?(_ text: String) {
    guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !text.contains("#") else { return nil }
    let lowercasedStart = text.prefix(8).lowercased()
    let scheme: Scheme
    if lowercasedStart.hasPrefix("https://") {
      scheme = .https
    } else if lowercasedStart.hasPrefix("http://") {
      scheme = .http
    } else {
      return nil
    }
    self.scheme = scheme
    let rest = text.dropFirst(scheme.rawValue.count + 3)
    let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard let (host, port) = ServiceURL.authority(rest[..<authorityEnd]) else { return nil }
    self.host = host
    self.port = port == (scheme == .https ? 443 : 80) ? nil : port

    let queryStart = rest.firstIndex(of: "?") ?? rest.endIndex
    path = []
    if authorityEnd < queryStart {
      for segment in rest[rest.index(after: authorityEnd)..<queryStart].split(separator: "/", omittingEmptySubsequences: false) {
        guard let decoded = ServiceURL.decoded(segment), decoded != ".", decoded != ".." else { return nil }
        path.append(decoded)
      }
      if path == [""] { path = [] }
    }
    query = []
    guard queryStart < rest.endIndex else { return }
    for item in rest[rest.index(after: queryStart)...].split(separator: "&") {
      let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = halves.first, let name = ServiceURL.decoded(first), !name.isEmpty,
        let value = ServiceURL.decoded(halves.count > 1 ? halves[1] : "")
      else { return nil }
      query.append(HTTPRequest.Item(name, value))
    }
  }

  /// The scheme, host and port. If a setting of the provider contains this URL, the provider may use the origin as `HTTPRequest.host`.
  public var origin: String { "\(scheme.rawValue)://\(host)" + (port.map { ":\($0)" } ?? "") }

  /// Reads a host and a port, such as `127.0.0.1:2322`; returns nil if a part is invalid.
  private static func authority(_ text: Substring) -> (host: String, port: Int?)? {
    var host = text
    var port: Int?
    if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
      let digits = text[text.index(after: colon)...]
      guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
        (1...65_535).contains(number)
      else { return nil }
      port = number
      host = text[..<colon]
    }
    let isAddress = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 3
    let bareHost = isAddress ? host.dropFirst().dropLast() : host
    // A host name has at most 253 bytes (RFC 1035, section 2.3.4).
    guard !bareHost.isEmpty, bareHost.utf8.count <= 253,
      bareHost.utf8.allSatisfy({ byte in
        switch byte {
        case 0x30...0x39, 0x2E: true
        case 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: ":"): isAddress
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "{"), UInt8(ascii: "}"): !isAddress
        default: false
        }
      })
    else { return nil }
    return (host.lowercased(), port)
  }

  /// The text without percent-encoding; nil if an escape is malformed or encodes a control character, or if the result is not UTF-8.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit), high << 4 | low >= 0x20 else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
