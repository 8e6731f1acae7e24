/// Scans a JSON text in place, without building values. The RPC layer finds the members of a message with it, so that a request that
/// has a cached reply is never parsed into a tree.
///
/// The scanner accepts only a part of the texts that `JSONParser` accepts: keys may not have escapes, and an object may have at most 24
/// members, so that duplicate keys are found by comparing bytes. The scanner fails for any other text, valid or not. The caller then passes
/// the text to the parser.
///
/// Functions that are called for every token are inlinable, since a call into another library costs as much as the token.
public struct JSONScanner: Sendable {
  /// The index of the next byte.
  public var position: Int
  @usableFromInline var depth = 0
  @usableFromInline let limit: Int

  /// - Parameters:
  ///   - position: the index of the first byte to scan.
  ///   - depth: the maximum number of levels of nesting.
  @inlinable public init(at position: Int = 0, depth: Int = 64) {
    self.position = position
    limit = depth
  }

  /// Steps over white space, and returns the byte after it without stepping over that byte; nil at the end.
  @inlinable @inline(__always) public mutating func peek(in bytes: Span<UInt8>) -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      if byte > 0x20 || byte != 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09 { return byte }
      position &+= 1
    }
    return nil
  }

  /// Steps over white space, and over the byte after it if that equals `byte`. Returns false if it does not.
  @inlinable @inline(__always) public mutating func take(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
    guard peek(in: bytes) == byte else { return false }
    position &+= 1
    return true
  }

  /// Steps over the next value and returns its range. Returns nil if the value is incomplete or malformed, or if the scanner fails.
  @inlinable @inline(__always) public mutating func value(in bytes: Span<UInt8>) -> Range<Int>? {
    guard let byte = peek(in: bytes) else { return nil }
    let start = position
    let isWhole = byte == UInt8(ascii: "\"") ? string(in: bytes) : digits(in: bytes, from: byte) || other(byte, in: bytes)
    return isWhole ? start..<position : nil
  }

  /// Steps over a number that consists only of digits and does not begin with 0, as most numbers do. Returns false for any other text, for
  /// a number at the end of the bytes, and for 200 digits or more, which `number` does not accept either.
  @inlinable @inline(__always) mutating func digits(in bytes: Span<UInt8>, from first: UInt8) -> Bool {
    guard first &- UInt8(ascii: "1") < 9 else { return false }
    var index = position &+ 1
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
    guard index &- position < 200, index < bytes.count, bytes[index] != UInt8(ascii: "."), bytes[index] | 0x20 != UInt8(ascii: "e") else {
      return false
    }
    position = index
    return true
  }

  /// Steps over a value that is not a string and begins with this byte.
  @usableFromInline mutating func other(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
    switch byte {
    case UInt8(ascii: "{"): object(in: bytes)
    case UInt8(ascii: "["): array(in: bytes)
    case UInt8(ascii: "t"): word("true", in: bytes)
    case UInt8(ascii: "f"): word("false", in: bytes)
    case UInt8(ascii: "n"): word("null", in: bytes)
    default: number(in: bytes)
    }
  }

  /// Steps over the next value if it is an object or an array, and returns its range. The end is found by counting brackets outside of
  /// strings; the text between the brackets is not checked. Nil if the value is of another type or incomplete.
  public mutating func bracketed(in bytes: Span<UInt8>) -> Range<Int>? {
    guard let first = peek(in: bytes), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    var (index, openCount) = (position, 0)
    while index < bytes.count {
      let byte = bytes[unchecked: index]
      if byte == UInt8(ascii: "\"") {
        var string = JSONScanner(at: index)
        guard string.string(in: bytes) else { return nil }
        index = string.position
        continue
      }
      index &+= 1
      // `[` and `{` differ only in the bit 0x20, and so do `]` and `}`.
      if byte | 0x20 == UInt8(ascii: "{") {
        openCount &+= 1
      } else if byte | 0x20 == UInt8(ascii: "}") {
        openCount &-= 1
        guard openCount == 0 else { continue }
        defer { position = index }
        return position..<index
      }
    }
    return nil
  }

  /// Steps over the next object key and its colon, and returns the key as `Span.packed` packs it. Nil for a key that is empty, has more
  /// than 15 bytes, or contains anything but printable ASCII without escapes.
  @inlinable @inline(__always) public mutating func shortKey(in bytes: Span<UInt8>) -> UInt128? {
    guard peek(in: bytes) == UInt8(ascii: "\"") else { return nil }
    let start = position &+ 1
    var (low, high) = (bytes.word(at: start), UInt64(0))
    var count = JSONScanner.plainCount(low)
    if count < 8 {
      low &= ~(.max &<< UInt64(truncatingIfNeeded: 8 &* count))
    } else {
      high = bytes.word(at: start &+ 8)
      let highCount = JSONScanner.plainCount(high)
      high &= ~(.max &<< UInt64(truncatingIfNeeded: 8 &* highCount))
      count &+= highCount
    }
    position = start &+ count
    guard 1...15 ~= count, position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    position &+= 1
    return take(UInt8(ascii: ":"), in: bytes) ? UInt128(low) | UInt128(high) << 64 : nil
  }

  /// Steps over the next object key and its colon, and returns the range between the key's quotes. Nil for a key with escapes.
  private mutating func key(in bytes: Span<UInt8>) -> Range<Int>? {
    guard let key = plainString(in: bytes) else { return nil }
    return take(UInt8(ascii: ":"), in: bytes) ? key : nil
  }

  /// Steps over the next string, and returns the range between its quotes; nil for a string with escapes.
  @inlinable @inline(__always) public mutating func plainString(in bytes: Span<UInt8>) -> Range<Int>? {
    guard peek(in: bytes) == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    var plain = true
    guard string(in: bytes, plain: &plain), plain else { return nil }
    return start..<position - 1
  }

  private mutating func object(in bytes: Span<UInt8>) -> Bool {
    guard depth < limit else { return false }
    depth += 1
    position += 1
    defer { depth -= 1 }
    if take(UInt8(ascii: "}"), in: bytes) { return true }
    var keys = KeySet()
    while true {
      guard let key = key(in: bytes), keys.insert(key, of: bytes), value(in: bytes) != nil else { return false }
      if take(UInt8(ascii: "}"), in: bytes) { return true }
      guard take(UInt8(ascii: ","), in: bytes) else { return false }
    }
  }

  private mutating func array(in bytes: Span<UInt8>) -> Bool {
    guard depth < limit else { return false }
    depth += 1
    position += 1
    defer { depth -= 1 }
    if take(UInt8(ascii: "]"), in: bytes) { return true }
    while true {
      guard value(in: bytes) != nil else { return false }
      if take(UInt8(ascii: "]"), in: bytes) { return true }
      guard take(UInt8(ascii: ","), in: bytes) else { return false }
    }
  }

  @inlinable @inline(__always) mutating func string(in bytes: Span<UInt8>) -> Bool {
    var plain = true
    return string(in: bytes, plain: &plain)
  }

  /// Steps over a string whose opening quote is at the current position. Sets `plain` to false if the string has escapes.
  @inlinable @inline(__always) mutating func string(in bytes: Span<UInt8>, plain: inout Bool) -> Bool {
    position = JSONScanner.skipPlain(in: bytes, from: position + 1)
    if position < bytes.count, bytes[unchecked: position] == UInt8(ascii: "\"") {
      position += 1
      return true
    }
    return rest(in: bytes, plain: &plain)
  }

  /// Steps over the rest of a string, from the byte at which `skipPlain` stopped. Sets `plain` to false if the rest has escapes.
  @usableFromInline mutating func rest(in bytes: Span<UInt8>, plain: inout Bool) -> Bool {
    while true {
      position = JSONScanner.skipPlain(in: bytes, from: position)
      guard position < bytes.count else { return false }
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return true
      case UInt8(ascii: "\\"):
        plain = false
        guard escape(in: bytes) else { return false }
      case 0x20..<0x80: position += 1
      default: guard byte >= 0xC2, sequence(in: bytes, lead: byte) else { return false }
      }
    }
    return false
  }

  /// The index of the first byte that is not printable ASCII, or is a quote or a backslash; the count if there is none.
  @inlinable @inline(__always) public static func skipPlain(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = max(0, start)
    while true {
      let count = plainCount(index &+ 8 <= bytes.count ? bytes.load(at: index) : bytes.word(atEnd: index))
      index &+= count
      if count < 8 { return index }
    }
  }

  /// The number of a word's lowest bytes that are printable ASCII other than quotes and backslashes. Zeros after the end of a text count as
  /// control characters.
  @inlinable @inline(__always) static func plainCount(_ word: UInt64) -> Int {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    // The top bit of each byte that must not be counted. A borrow or a carry may set wrong bits above the first correct one, never below
    // it (Mycroft 1987).
    let (quotes, backslashes) = (word ^ (0x22 &* ones), word ^ (0x5C &* ones))
    let special = ((quotes &- ones) | (backslashes &- ones) | (word &- 0x20 &* ones) | (word &+ ones) | word) & highs
    return special.trailingZeroBitCount / 8
  }

  /// Steps over an escape, or over both escapes of a surrogate pair.
  private mutating func escape(in bytes: Span<UInt8>) -> Bool {
    guard position + 1 < bytes.count else { return false }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
      return true
    default:
      guard let unit = unit(in: bytes) else { return false }
      if !(0xD800...0xDFFF).contains(unit) { return true }
      guard unit < 0xDC00, let low = self.unit(in: bytes) else { return false }
      return (0xDC00...0xDFFF).contains(low)
    }
  }

  /// Steps over `\uXXXX` and returns its UTF-16 code unit.
  private mutating func unit(in bytes: Span<UInt8>) -> UInt32? {
    guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u") else { return nil }
    var unit: UInt32 = 0
    for index in position + 2..<position + 6 {
      guard let digit = hexadecimal(bytes[index]) else { return nil }
      unit = unit << 4 | digit
    }
    position += 6
    return unit
  }

  private func hexadecimal(_ byte: UInt8) -> UInt32? {
    let (digit, letter) = (byte &- UInt8(ascii: "0"), (byte | 0x20) &- UInt8(ascii: "a"))
    if digit < 10 { return UInt32(digit) }
    return letter < 6 ? UInt32(letter) + 10 : nil
  }

  /// Steps over a well-formed UTF-8 sequence of two to four bytes (Unicode 15, table 3-7).
  private mutating func sequence(in bytes: Span<UInt8>, lead: UInt8) -> Bool {
    let length =
      switch lead {
      case ..<0xE0: 2
      case ..<0xF0: 3
      default: 4
      }
    guard lead <= 0xF4, position + length <= bytes.count else { return false }
    let second = bytes[position + 1]
    let allowed: ClosedRange<UInt8> =
      switch lead {
      case 0xE0: 0xA0...0xBF
      case 0xED: 0x80...0x9F
      case 0xF0: 0x90...0xBF
      case 0xF4: 0x80...0x8F
      default: 0x80...0xBF
      }
    guard allowed.contains(second) else { return false }
    for index in position + 2..<position + max(2, length) where bytes[index] & 0xC0 != 0x80 { return false }
    position += length
    return true
  }

  private mutating func word(_ word: StaticString, in bytes: Span<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
    position += count
    return true
  }

  /// Steps over a number that a double can certainly represent: a number of fewer than 200 digits and an exponent of at most two digits is
  /// below 1e299. The parser decides about any other number.
  private mutating func number(in bytes: Span<UInt8>) -> Bool {
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position += 1 }
    let firstDigit = position
    guard digits(in: bytes) else { return false }
    guard bytes[firstDigit] != UInt8(ascii: "0") || position == firstDigit + 1 else { return false }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      guard digits(in: bytes) else { return false }
    }
    guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") else { return true }
    position += 1
    if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
    let exponentStart = position
    return digits(in: bytes) && position - exponentStart <= 2 && position - firstDigit < 200
  }

  private mutating func digits(in bytes: Span<UInt8>) -> Bool {
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position > start && position - start < 200
  }
}

/// The keys of one object that were scanned so far, as ranges of the text; at most 24.
struct KeySet {
  private var starts: InlineArray<24, Int> = InlineArray(repeating: 0)
  private var ends: InlineArray<24, Int> = InlineArray(repeating: 0)
  private var count = 0

  /// Returns false if the set already contains the key, or if it is full.
  mutating func insert(_ key: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    guard count < 24 else { return false }
    for index in 0..<count where equal(starts[index]..<ends[index], key, of: bytes) { return false }
    starts[count] = key.lowerBound
    ends[count] = key.upperBound
    count += 1
    return true
  }

  private func equal(_ a: Range<Int>, _ b: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    for offset in 0..<a.count where bytes[a.lowerBound + offset] != bytes[b.lowerBound + offset] { return false }
    return true
  }
}
