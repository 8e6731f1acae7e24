import PlacesAPI
import Text

/// Converts the daemon's ids to the form that Google's clients accept: letters, digits, `:`, `-`, `.` and `_`, without slashes.
enum GoogleIdentifier {
  /// The id in this form. Any byte except letters, digits, `:`, `-` and `.` becomes `_` and two hexadecimal digits: `gazetteer:osm:way/1`
  /// becomes `gazetteer:osm:way_2F1`.
  static func encode(_ id: String) -> String {
    var bytes: [UInt8] = []
    for byte in id.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."): bytes.append(byte)
      default: bytes += [UInt8(ascii: "_"), digit(byte >> 4), digit(byte & 15)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The id that `encode` encoded; nil if the text is not such an encoding.
  static func decode(_ text: String) -> PlaceID? {
    var bytes: [UInt8] = []
    var remaining = Array(text.utf8)[...]
    while let byte = remaining.popFirst() {
      guard byte == UInt8(ascii: "_") else {
        bytes.append(byte)
        continue
      }
      guard let high = remaining.popFirst().flatMap(value), let low = remaining.popFirst().flatMap(value) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self).flatMap { PlaceID($0) }
  }

  /// The session of a client's token: the token itself if it is a UUID, otherwise an id derived from it. Nil if there is no token, or if it
  /// is too long.
  static func session(_ token: String?) -> SessionID? {
    guard let token, !token.isEmpty, token.utf8.count <= 256 else { return nil }
    if let session = SessionID(token) { return session }
    // A session id has 32 hexadecimal digits, which two hashes supply.
    let firstHash = FNV1a.hash(token.utf8)
    let digits = hexadecimal(firstHash) + hexadecimal(FNV1a.hash(token.utf8, after: firstHash))
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
    return SessionID(groups.joined(separator: "-"))
  }

  private static func hexadecimal(_ number: UInt64) -> [UInt8] {
    stride(from: UInt64(60), through: 0, by: -4).map { digit(UInt8(truncatingIfNeeded: number >> $0) & 15) }
  }

  /// The hexadecimal digit, as a character, of a value from 0 to 15.
  private static func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10) }

  /// The value of an upper-case hexadecimal digit; nil for any other character.
  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    default: nil
    }
  }
}
