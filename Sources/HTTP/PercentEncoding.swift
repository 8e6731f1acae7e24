/// Percent-encoding of foreign text for URLs (RFC 3986, section 2.1): everything but the unreserved characters, so that no text can
/// end its segment or value, and no server can read it in another way.
enum PercentEncoding {
  /// A path segment; a colon, a comma, an at sign and an equals sign stand as they are, as RFC 3986 allows there.
  static func segment(_ text: String) -> String { encoded(text) { ":,@=".utf8.contains($0) } }

  /// A name or a value of the query.
  static func queryPart(_ text: String) -> String { encoded(text) { _ in false } }

  private static func encoded(_ text: String, keeping: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      case _ where keeping(byte): bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
