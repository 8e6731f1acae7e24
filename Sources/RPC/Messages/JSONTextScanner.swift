import PlacesKit

/// Checks a JSON text (RFC 8259) while its bytes arrive, and finds its end. It builds no values and stores no bytes: its time is linear, and
/// its memory is one bit for each level of nesting. It accepts what `JSONValue(parsing:)` accepts, except that the decoder of an object checks
/// for duplicate keys, and `Framer` checks limits. The text begins with a bracket.
struct JSONTextScanner: Sendable {
  enum Progress: Equatable {
    /// The text ends before this index.
    case complete(Int)
    /// The text is not JSON; the byte at the index is the first invalid one.
    case invalid(JSONError.Reason, at: Int)
  }

  private enum Expected { case value, valueOrEnd, key, keyOrEnd, colon, separator }
  private enum Token {
    case none, string, escape, hexadecimal, lowSurrogate, lowSurrogateMark, continuation, word
    case minus, zero, digits, point, fraction, exponent, exponentSign, exponentDigits

    var isInString: Bool {
      switch self {
      case .string, .escape, .hexadecimal, .lowSurrogate, .lowSurrogateMark, .continuation: true
      default: false
      }
    }
    var endsNumber: Bool { self == .zero || self == .digits || self == .fraction || self == .exponentDigits }
  }

  private var expected = Expected.value
  private var token = Token.none
  /// True if the current string is a key.
  private var isKey = false
  private var depth = 0
  /// One bit for each of the innermost 64 levels, the innermost lowest: set for an object.
  private var objects: UInt64 = 0
  /// The levels further out, 64 in each word.
  private var outer: [UInt64] = []
  /// The rest of a `true`, `false` or `null`, lowest byte first.
  private var wordLeft: UInt64 = 0
  /// Hexadecimal digits of an escape, or continuation bytes of a UTF-8 sequence, that are missing.
  private var missing = 0
  private var unit: UInt32 = 0
  private var needsLowSurrogate = false
  /// The range of the next continuation byte.
  private var (least, most): (UInt8, UInt8) = (0x80, 0xBF)

  /// The greatest number of levels so far.
  private(set) var deepest = 0
  /// Values so far, members and elements included.
  private(set) var values = 0
  /// True if a line ended within the text.
  private(set) var hasLineBreaks = false
  /// True if only a comma or a closing bracket can follow.
  var expectsSeparator: Bool { token == .none && expected == .separator }

  /// Scans the bytes from `start` on. Nil if the text continues after them.
  mutating func advance(in bytes: Span<UInt8>, from start: Int) -> Progress? {
    var index = start
    while index < bytes.count {
      if token == .none {
        if let reason = structural(bytes[index]) { return .invalid(reason, at: index) }
        index += 1
        if depth == 0 { return .complete(index) }
        guard token == .string else { continue }
      }
      if token == .string {
        index = JSONScanner.skipPlain(in: bytes, from: index)
        guard index < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: "\"") {
          endString()
        } else if let reason = plain(bytes[index]) {
          return .invalid(reason, at: index)
        }
        index += 1
        continue
      }
      switch token {
      case .escape, .hexadecimal, .lowSurrogate, .lowSurrogateMark, .continuation:
        if let reason = special(bytes[index]) { return .invalid(reason, at: index) }
      case .word:
        guard bytes[index] == UInt8(truncatingIfNeeded: wordLeft) else { return .invalid(.unexpectedByte, at: index) }
        wordLeft >>= 8
        if wordLeft == 0 { endValue() }
      default:
        if !number(bytes[index]) {
          guard token.endsNumber, !(bytes[index] &- UInt8(ascii: "0") < 10) else { return .invalid(.badNumber, at: index) }
          // Only the byte after a number shows its end, so that byte is scanned again.
          endValue()
          continue
        }
      }
      index += 1
    }
    return nil
  }

  /// True if the innermost value that has begun is an object.
  private var isInObject: Bool { objects & 1 == 1 }

  private mutating func endValue() { (token, expected) = (.none, .separator) }
  private mutating func endString() { (token, expected) = (.none, isKey ? .colon : .separator) }

  /// Scans a byte outside of strings, numbers and words. Returns the error if it is invalid there.
  @inline(__always) private mutating func structural(_ byte: UInt8) -> JSONError.Reason? {
    switch byte {
    case 0x20, 0x0D, 0x09: return nil
    case 0x0A: hasLineBreaks = true
    case UInt8(ascii: "\""):
      isKey = expected == .key || expected == .keyOrEnd
      guard isKey || beginValue() else { return .unexpectedByte }
      token = .string
    case UInt8(ascii: ":"):
      guard expected == .colon else { return .unexpectedByte }
      expected = .value
    case UInt8(ascii: ","):
      guard expected == .separator else { return .unexpectedByte }
      expected = isInObject ? .key : .value
    case UInt8(ascii: "}"):
      guard expected == .keyOrEnd || expected == .separator && isInObject else { return .unexpectedByte }
      close()
    case UInt8(ascii: "]"):
      guard expected == .valueOrEnd || expected == .separator && !isInObject else { return .unexpectedByte }
      close()
    default:
      guard beginValue() else { return .unexpectedByte }
      return begin(byte)
    }
    return nil
  }

  /// False if no value can begin here.
  @inline(__always) private mutating func beginValue() -> Bool {
    guard expected == .value || expected == .valueOrEnd else { return false }
    values += 1
    return true
  }

  /// Scans the first byte of a value that is not a string.
  private mutating func begin(_ byte: UInt8) -> JSONError.Reason? {
    switch byte {
    case UInt8(ascii: "1")...UInt8(ascii: "9"): token = .digits
    case UInt8(ascii: "{"): open(object: true)
    case UInt8(ascii: "["): open(object: false)
    case UInt8(ascii: "t"): (token, wordLeft) = (.word, 0x65_7572)
    case UInt8(ascii: "f"): (token, wordLeft) = (.word, 0x6573_6C61)
    case UInt8(ascii: "n"): (token, wordLeft) = (.word, 0x6C_6C75)
    case UInt8(ascii: "-"): token = .minus
    case UInt8(ascii: "0"): token = .zero
    default: return .unexpectedByte
    }
    return nil
  }

  private mutating func open(object: Bool) {
    if depth > 0, depth.isMultiple(of: 64) { outer.append(objects) }
    depth += 1
    deepest = max(deepest, depth)
    objects = objects << 1 | (object ? 1 : 0)
    expected = object ? .keyOrEnd : .valueOrEnd
  }

  private mutating func close() {
    depth -= 1
    objects >>= 1
    if depth > 0, depth.isMultiple(of: 64), let word = outer.popLast() { objects = word }
    endValue()
  }

  /// Scans a byte of an escape or of a UTF-8 sequence. Returns the error if it is invalid there.
  private mutating func special(_ byte: UInt8) -> JSONError.Reason? {
    switch token {
    case .escape:
      switch byte {
      case UInt8(ascii: "u"): (token, missing, unit) = (.hexadecimal, 4, 0)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
        UInt8(ascii: "r"), UInt8(ascii: "t"):
        token = .string
      default: return .badEscape
      }
    case .hexadecimal:
      let (digit, letter) = (byte &- UInt8(ascii: "0"), (byte | 0x20) &- UInt8(ascii: "a"))
      guard digit < 10 || letter < 6 else { return .badEscape }
      unit = unit << 4 | UInt32(digit < 10 ? digit : letter + 10)
      missing -= 1
      if missing == 0 { return endUnit() }
    case .lowSurrogate:
      guard byte == UInt8(ascii: "\\") else { return .badUnicode }
      token = .lowSurrogateMark
    case .lowSurrogateMark:
      guard byte == UInt8(ascii: "u") else { return .badUnicode }
      (token, missing, unit) = (.hexadecimal, 4, 0)
    default:
      guard (least...most).contains(byte) else { return .badUnicode }
      (least, most) = (0x80, 0xBF)
      missing -= 1
      if missing == 0 { token = .string }
    }
    return nil
  }

  /// Ends `\uXXXX`: surrogates come in pairs.
  private mutating func endUnit() -> JSONError.Reason? {
    switch unit {
    case 0xD800...0xDBFF:
      if needsLowSurrogate { return .badUnicode }
      (needsLowSurrogate, token) = (true, .lowSurrogate)
    case 0xDC00...0xDFFF:
      if !needsLowSurrogate { return .badUnicode }
      (needsLowSurrogate, token) = (false, .string)
    default:
      if needsLowSurrogate { return .badUnicode }
      token = .string
    }
    return nil
  }

  /// Scans a byte of a string, except the closing quote. UTF-8 is checked by table 3-7 of Unicode 15.
  private mutating func plain(_ byte: UInt8) -> JSONError.Reason? {
    switch byte {
    case UInt8(ascii: "\\"): token = .escape
    case 0..<0x20: return .controlCharacter
    case 0x20..<0x80: break
    case 0xC2...0xDF: sequence(1, 0x80, 0xBF)
    case 0xE0: sequence(2, 0xA0, 0xBF)
    case 0xED: sequence(2, 0x80, 0x9F)
    case 0xE1...0xEF: sequence(2, 0x80, 0xBF)
    case 0xF0: sequence(3, 0x90, 0xBF)
    case 0xF1...0xF3: sequence(3, 0x80, 0xBF)
    case 0xF4: sequence(3, 0x80, 0x8F)
    default: return .badUnicode
    }
    return nil
  }

  private mutating func sequence(_ count: Int, _ least: UInt8, _ most: UInt8) {
    (token, missing, self.least, self.most) = (.continuation, count, least, most)
  }

  /// Scans a byte that may continue a number; false if it does not.
  private mutating func number(_ byte: UInt8) -> Bool {
    let isDigit = byte &- UInt8(ascii: "0") < 10
    switch (token, byte) {
    case (.minus, _) where isDigit: token = byte == UInt8(ascii: "0") ? .zero : .digits
    case (.digits, _) where isDigit, (.fraction, _) where isDigit, (.exponentDigits, _) where isDigit: break
    case (.zero, UInt8(ascii: ".")), (.digits, UInt8(ascii: ".")): token = .point
    case (.point, _) where isDigit: token = .fraction
    case (.zero, _) where byte | 0x20 == UInt8(ascii: "e"), (.digits, _) where byte | 0x20 == UInt8(ascii: "e"),
      (.fraction, _) where byte | 0x20 == UInt8(ascii: "e"):
      token = .exponent
    case (.exponent, UInt8(ascii: "+")), (.exponent, UInt8(ascii: "-")): token = .exponentSign
    case (.exponent, _) where isDigit, (.exponentSign, _) where isDigit: token = .exponentDigits
    default: return false
    }
    return true
  }

  /// After an invalid byte, finds the index at which framing resumes: after the bracket that closes the text's first one, counting only
  /// brackets and quotes, or after a line break within a string. Nil if neither has arrived yet.
  mutating func skip(in bytes: Span<UInt8>, from start: Int) -> Int? {
    for index in start..<bytes.count {
      let byte = bytes[index]
      if token.isInString {
        if byte == 0x0A { return index + 1 }
        if token == .escape {
          token = .string
        } else if byte == UInt8(ascii: "\\") {
          token = .escape
        } else if byte == UInt8(ascii: "\"") {
          token = .none
        }
      } else if byte == UInt8(ascii: "\"") {
        token = .string
      } else if byte | 0x20 == UInt8(ascii: "{") {
        depth += 1
      } else if byte | 0x20 == UInt8(ascii: "}") {
        depth -= 1
        if depth <= 0 { return index + 1 }
      }
    }
    return nil
  }
}
