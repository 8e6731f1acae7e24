import PlacesKit

/// The id of a place on the wire: `provider:nativeId`, such as `gazetteer:2950159`.
public struct PlaceID: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
  /// The whole id.
  public let text: String

  /// Neither part may be empty, and the provider's may not hold a colon.
  public init(provider: String, native: String) { text = "\(provider):\(native)" }

  /// Nil where there is no colon with something before and behind it, or more than 1,024 bytes.
  public init?(_ text: String) {
    guard text.utf8.count <= 1_024, let colon = text.firstIndex(of: ":"), colon != text.startIndex,
      text.index(after: colon) != text.endIndex, !text.hasControlCharacters
    else { return nil }
    self.text = text
  }

  public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// The configured provider's id.
  public var provider: String { String(text.prefix { $0 != ":" }) }
  /// The provider's own id.
  public var native: String { String(text[(text.firstIndex(of: ":").map { text.index(after: $0) } ?? text.endIndex)...]) }
  public var description: String { text }
  public static func < (a: PlaceID, b: PlaceID) -> Bool { a.text < b.text }
}

/// A client's session: a UUID (RFC 9562), kept in lower case.
public struct SessionID: Sendable, Hashable, Codable, CustomStringConvertible {
  public let text: String

  /// Nil for what is not 8-4-4-4-12 hexadecimal digits.
  public init?(_ text: String) {
    guard text.utf8.count == 36 else { return nil }
    for (index, byte) in text.utf8.enumerated() {
      switch index {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
      default: guard byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6 else { return nil }
      }
    }
    self.text = text.lowercased()
  }

  /// A new random session (version 4).
  public init() {
    func hexadecimal(_ value: UInt64, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: max(0, digits - text.count)) + text.suffix(digits)
    }
    let (high, low) = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
    text = [
      hexadecimal(high >> 32, 8), hexadecimal(high >> 16 & 0xFFFF, 4), "4" + hexadecimal(high & 0xFFF, 3),
      hexadecimal(low >> 48 & 0x3FFF | 0x8000, 4), hexadecimal(low & 0xFFFF_FFFF_FFFF, 12),
    ].joined(separator: "-")
  }

  public init(from decoder: any Decoder) throws {
    guard let session = SessionID(try decoder.singleValueContainer().decode(String.self)) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a UUID"))
    }
    self = session
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  public var description: String { text }
}

extension Kind where Value == PlaceID {
  static let placeID = Kind(
    allowed: "a place id of the form `provider:id`", schema: ["type": "string", "pattern": "^[^:]+:.+$", "maxLength": 1_024],
    read: { $0.string.flatMap { PlaceID($0) } }, write: { .string($0.text) })
}

extension Kind where Value == SessionID {
  static let session = Kind(
    allowed: "a UUID", schema: ["type": "string", "format": "uuid"], read: { $0.string.flatMap { SessionID($0) } },
    write: { .string($0.text) })
}
