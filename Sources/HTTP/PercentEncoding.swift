/// Percent-encodes untrusted text for URLs (RFC 3986, section 2.1). Everything except unreserved characters is encoded, so that no text can
/// end its segment or value, and all servers decode it in the same way.
enum PercentEncoding {
  /// Appends a path segment. As RFC 3986 allows, `:`, `,`, `@` and `=` are not encoded.
  static func append(segment text: String, to url: inout [UInt8]) { append(text, to: &url) { ":,@=".utf8.contains($0) } }

  /// Appends a name or a value of the query.
  static func append(queryPart text: String, to url: inout [UInt8]) { append(text, to: &url) { _ in false } }

  @inline(__always) private static func append(_ text: String, to url: inout [UInt8], keeping: (UInt8) -> Bool) {
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        url.append(byte)
      case _ where keeping(byte): url.append(byte)
      default:
        url.append(UInt8(ascii: "%"))
        url.append(digit(byte >> 4))
        url.append(digit(byte & 15))
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10) }
}
