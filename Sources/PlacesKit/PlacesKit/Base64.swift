/// Base64 with padding and without line breaks (RFC 4648, section 4). Foundation's functions would add 2 MB to each provider's process.
public enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  /// The value of each byte as a digit; 64 for bytes that are not digits.
  private static let values = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// The bytes as base64.
  public static func encode(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
      var written = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let rest = bytes.count - start
        let (second, third) = (rest > 1 ? bytes[start + 1] : 0, rest > 2 ? bytes[start + 2] : 0)
        let group = Int(bytes[start]) << 16 | Int(second) << 8 | Int(third)
        text[written] = digits[group >> 18]
        text[written + 1] = digits[group >> 12 & 63]
        text[written + 2] = rest > 1 ? digits[group >> 6 & 63] : padding
        text[written + 3] = rest > 2 ? digits[group & 63] : padding
        written += 4
      }
      return written
    }
  }

  /// The bytes that the text encodes; nil if it is not base64. Bits of the last digit that belong to no byte may have any value.
  public static func decode(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count.isMultiple(of: 4) else { return nil }
    let count = text.count - text.suffix(2).reversed().prefix { $0 == padding }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count / 4 * 3 + 2)
    var (group, bits) = (0, 0)
    for digit in text[..<count] {
      let value = values[Int(digit)]
      guard value < 64 else { return nil }
      // At most 12 of the bits are not yet part of a byte. The mask drops the older bits.
      group = (group << 6 | Int(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> bits))
      }
    }
    return bytes
  }
}
