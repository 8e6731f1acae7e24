import PlacesKit

/// The id of a place in requests and replies: `provider:nativeId`, such as `gazetteer:2950159`.
public struct PlaceID: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
  /// The whole id.
  public let text: String

  /// Joins the two parts without a check: neither may be empty, and `provider` may not contain a colon.
  public init(provider: String, native: String) { text = "\(provider):\(native)" }

  /// Nil if there is no colon with text before and after it, or if the text has more than 1,024 bytes or a control character.
  public init?(_ text: String) {
    var text = text
    // This runs for every row of every answer. Searching the bytes is ten times as fast as searching the string's indices.
    let isValid = text.withUTF8 { bytes in
      guard let colon = bytes.firstIndex(of: PlaceID.colonByte), colon > 0, colon < bytes.count - 1 else { return false }
      return bytes.count <= 1_024 && !String.hasControlCharacters(bytes)
    }
    guard isValid else { return nil }
    self.text = text
  }

  public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// The configured provider's id.
  public var provider: String { String(text[..<colon]) }
  /// The provider's own id.
  public var native: String { String(text[colon...].utf8.dropFirst()) ?? "" }
  private var colon: String.Index { text.utf8.firstIndex(of: PlaceID.colonByte) ?? text.endIndex }
  private static let colonByte = UInt8(ascii: ":")
  public var description: String { text }
  public static func < (a: PlaceID, b: PlaceID) -> Bool { a.text < b.text }
}

/// A client's session: a UUID (RFC 9562), whose letters may be of either case.
public struct SessionID: Sendable, Hashable, Codable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// Nil unless the text is 8-4-4-4-12 hexadecimal digits.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(utf8: bytes.span)
  }

  /// Nil unless the UTF-8 text is 8-4-4-4-12 hexadecimal digits.
  public init?(utf8 bytes: Span<UInt8>) {
    guard bytes.count == 36 else { return nil }
    func part<Part: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Part.Type) -> UInt64 {
      UInt64(truncatingIfNeeded: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Part.self).littleEndian)
    }
    let hyphen = UInt8(ascii: "-")
    guard bytes[8] == hyphen, bytes[13] == hyphen, bytes[18] == hyphen, bytes[23] == hyphen,
      let first = Self.number(ofDigits: part(0, UInt64.self)),
      let second = Self.number(ofDigits: part(9, UInt32.self) | part(14, UInt32.self) << 32),
      let third = Self.number(ofDigits: part(19, UInt32.self) | part(24, UInt32.self) << 32),
      let fourth = Self.number(ofDigits: part(28, UInt64.self))
    else { return nil }
    (high, low) = (first << 32 | second, third << 32 | fourth)
  }

  /// The value of eight hexadecimal digits in ASCII, the first digit in the lowest byte of `text`; nil if a byte is not a hexadecimal
  /// digit. All eight bytes are converted together: only letters have bit 6 set, and a letter's value is its lowest four bits plus nine.
  private static func number(ofDigits text: UInt64) -> UInt64? {
    let letters = (text >> 6) & 0x0101_0101_0101_0101
    let digits = (text & 0x0F0F_0F0F_0F0F_0F0F) &+ letters &* 9
    // The digits are converted back to text, with letters in lower case, and must give the input again. Values below ten give `0`…`9`, the
    // others `a`…`f`.
    guard ((digits &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101 == letters, digits & 0xF0F0_F0F0_F0F0_F0F0 == 0,
      digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27 == text | letters &* 0x20
    else { return nil }
    // The digits move together, to four bits each; the first one becomes the highest.
    let swapped = digits.byteSwapped
    let pairs = (swapped | swapped >> 4) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
    return (fours | fours >> 16) & 0xFFFF_FFFF
  }

  /// A new random session (version 4).
  public init() {
    high = UInt64.random(in: 0 ... .max) & ~0xF000 | 0x4000
    low = UInt64.random(in: 0 ... .max) & (1 << 62 - 1) | 1 << 63
  }

  /// A hash of the id and a number, for hash tables that choose their own seed.
  public func mixed(with number: Int) -> Int {
    let product = (high ^ low ^ UInt64(truncatingIfNeeded: number)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }

  /// The UUID in lower case.
  public var text: String {
    var digits = [UInt8]()
    for shift in stride(from: 124, through: 0, by: -4) {
      if [92, 76, 60, 44].contains(shift) { digits.append(UInt8(ascii: "-")) }
      let digit = UInt8(truncatingIfNeeded: shift < 64 ? low >> shift : high >> (shift - 64)) & 0xF
      digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
    return String(decoding: digits, as: UTF8.self)
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

extension ParameterType where Value == PlaceID {
  static let placeID = ParameterType(
    allowed: "an id of the form `provider:id`", schema: ["type": "string", "pattern": "^[^:]+:.+$", "maxLength": 1_024],
    read: { $0.string.flatMap { PlaceID($0) } }, write: { .string($0.text) })
}

extension ParameterType where Value == SessionID {
  static let session = ParameterType(
    allowed: "a UUID", schema: ["type": "string", "format": "uuid"], read: { $0.string.flatMap { SessionID($0) } },
    write: { .string($0.text) })
}
