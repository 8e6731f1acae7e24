import PlacesAPI
import PlacesKit
import RPC

/// How a request is worded, apart from what differs each time: its id, its session, and its number there. Two requests that are worded
/// alike ask the same, so that what was found out with care about one of them need not be found out about the other.
///
/// The wording is the text up to its line break, with a zero byte, which no JSON text holds, in the place of each value that is left
/// out. What is left out is well-formed JSON of the kind that belongs there, behind what looks like the name of a member: quotes that
/// are not escaped, and a colon. So of two texts of one wording either both are the same request but for these values, or neither is one.
struct Wording {
  /// Where the id stands: a string or a number.
  private(set) var id = 0..<0
  private(set) var session: SessionID?
  private(set) var seq: Int?
  /// Where the text ends: at its line break.
  let end: Int

  /// Appends the wording of the text that begins at `start` to a key. Nil for a text that is long, has no line break, or is unusual.
  init?(of bytes: Span<UInt8>, from start: Int, to key: inout ReplyKey) {
    guard let end = bytes.index(of: UInt8(ascii: "\n"), in: start..<min(bytes.count, start + 2 * ReplyKey.capacity)) else { return nil }
    self.end = end
    var (index, copied) = (start, start)
    while index < end {
      guard let name = bytes.nextName(from: &index) else { continue }
      // What stands behind the line break is the next request's.
      guard name.end < end else { break }
      var scanner = JSONScanner(at: name.end)
      guard let first = scanner.peek(in: bytes), let value = scanner.value(in: bytes), value.upperBound < end,
        note(value, beginning: first, of: name, in: bytes), key.append(bytes.extracting(copied..<value.lowerBound)), key.append(0)
      else { return nil }
      copied = value.upperBound
      index = copied
    }
    guard !id.isEmpty, key.append(bytes.extracting(copied..<end)) else { return nil }
  }

  /// Whether a text that begins at `start` is within the limits of a request.
  func fits(_ limits: Limits, from start: Int) -> Bool { end - start <= limits.requestBytes && id.count <= limits.idBytes }

  /// Whether what was left out is what the request holds.
  func says(_ envelope: Envelope, _ asker: Asker) -> Bool {
    id == envelope.id && end == envelope.end && session == asker.session && seq == asker.seq
  }

  /// False for a value that the wording cannot do without: it is there twice, or of another kind.
  private mutating func note(_ value: Range<Int>, beginning first: UInt8, of name: MemberName, in bytes: Span<UInt8>) -> Bool {
    let (isString, isNumber) = (first == UInt8(ascii: "\""), first &- UInt8(ascii: "0") < 10)
    switch name.member {
    case .id:
      guard id.isEmpty, isString || isNumber else { return false }
      id = value
    case .session:
      guard session == nil, isString, value.count == 38 else { return false }
      session = SessionID(utf8: bytes.extracting(value.lowerBound + 1..<value.upperBound - 1))
      return session != nil
    case .seq:
      guard seq == nil, isNumber, value.count < 16 else { return false }
      var number = 0
      for index in value {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return false }
        number = 10 &* number &+ Int(digit)
      }
      seq = number
    }
    return true
  }
}

/// A member whose value a wording leaves out.
private struct MemberName {
  enum Member { case id, session, seq }
  var member: Member
  /// Behind the colon.
  var end: Int

  /// The names with their quotes and the colon, as far as eight bytes reach.
  static let id: UInt64 = 0x3A_2264_6922
  static let seq: UInt64 = 0x3A22_7165_7322
  static let session: UInt64 = 0x6E6F_6973_7365_7322
  static let end: UInt64 = 0x3A22

  /// The name that begins with the quote at this index.
  @inline(__always) init?(at index: Int, in bytes: Span<UInt8>) {
    let word = bytes.word(at: index)
    if word & 0xFF_FFFF_FFFF == Self.id {
      (member, end) = (.id, index &+ 5)
    } else if word & 0xFFFF_FFFF_FFFF == Self.seq {
      (member, end) = (.seq, index &+ 6)
    } else if word == Self.session, bytes.word(at: index &+ 8) & 0xFFFF == Self.end {
      (member, end) = (.session, index &+ 10)
    } else {
      return nil
    }
  }
}

extension Span<UInt8> {
  /// The first name that begins in the next eight bytes, or nil where none does; then these are stepped over.
  @inline(__always) fileprivate func nextName(from index: inout Int) -> MemberName? {
    // Zero where a quote stands before an `i`, an `s`, or one of the six bytes that differ from them in the same three bits.
    let (first, second) = overlappingWords(at: index)
    let words = (first ^ 0x2222_2222_2222_2222) | (second & 0xE5E5_E5E5_E5E5_E5E5 ^ 0x6161_6161_6161_6161)
    // The top bit of each zero byte, and perhaps of bytes above the first (Mycroft 1987).
    var places = (words &- 0x0101_0101_0101_0101) & ~words & 0x8080_8080_8080_8080
    while places != 0 {
      if let name = MemberName(at: index &+ places.trailingZeroBitCount / 8, in: self) { return name }
      places &= places &- 1
    }
    index &+= 8
    return nil
  }
}
