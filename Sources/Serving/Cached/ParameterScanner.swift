/// Walks over the JSON of a request's parameters without building a tree. Every method gives nil for what is not the usual
/// spelling of a value; such a request goes the long road, which has the last word on what is valid.
struct ParameterScanner: ~Escapable {
  let bytes: Span<UInt8>
  private(set) var position: Int

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// The next byte that is not white space.
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return bytes[position]
      }
    }
    return nil
  }

  /// Steps over a byte, if it is the next one.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  /// What stands between the quotes of a string without escapes and control characters.
  mutating func plainString() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return start..<position - 1
      }
      if byte == UInt8(ascii: "\\") || byte < 0x20 { return nil }
      position += 1
    }
    return nil
  }

  /// The key of a member, with its colon.
  mutating func key() -> Range<Int>? {
    guard let key = plainString(), take(UInt8(ascii: ":")) else { return nil }
    return key
  }

  /// A whole number, also one spelt `1.0` or `1e2`.
  mutating func integer() -> Int64? {
    _ = peek()
    let start = position
    var value: Int64 = 0
    var index = position
    while index < bytes.count, index - start < 18, bytes[index] &- 0x30 < 10 {
      value = value * 10 + Int64(bytes[index] - 0x30)
      index += 1
    }
    let leadingZero = bytes.count > start && bytes[start] == 0x30 && index - start > 1
    if index > start, index < bytes.count, !leadingZero, !Self.belongsToNumber(bytes[index]) {
      position = index
      return value
    }
    return number().flatMap { Int64(exactly: $0) }
  }

  /// A number as JSON spells it.
  mutating func number() -> Double? {
    _ = peek()
    let start = position
    while position < bytes.count, Self.belongsToNumber(bytes[position]) { position += 1 }
    guard position > start, position - start <= 32, Self.isNumber(bytes, start..<position) else { return nil }
    return bytes.extracting(start..<position).withUnsafeBufferPointer { Double(String(decoding: $0, as: UTF8.self)) }
  }

  mutating func boolean() -> Bool? {
    switch peek() {
    case UInt8(ascii: "t"): word("true") ? true : nil
    case UInt8(ascii: "f"): word("false") ? false : nil
    default: nil
    }
  }

  private mutating func word(_ word: StaticString) -> Bool {
    guard bytes.holds(word, at: position) else { return false }
    position += word.utf8CodeUnitCount
    return true
  }

  private static func belongsToNumber(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      || byte | 0x20 == UInt8(ascii: "e")
  }

  /// The grammar of RFC 8259, section 6.
  private static func isNumber(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    func digits() -> Int {
      let start = index
      while index < range.upperBound, bytes[index] &- 0x30 < 10 { index += 1 }
      return index - start
    }
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    let count = digits()
    guard count > 0, count == 1 || bytes[first] != 0x30 else { return false }
    if index < range.upperBound, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard digits() > 0 else { return false }
    }
    if index < range.upperBound, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < range.upperBound, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      guard digits() > 0 else { return false }
    }
    return index == range.upperBound
  }
}

extension Span<UInt8> {
  /// Whether these bytes stand at an index.
  func holds(_ text: StaticString, at index: Int) -> Bool {
    guard index >= 0, index + text.utf8CodeUnitCount <= count else { return false }
    for offset in 0..<text.utf8CodeUnitCount where self[index + offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// Whether one part sorts before another, byte by byte.
  func precedes(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    for (i, j) in zip(a, b) where self[i] != self[j] { return self[i] < self[j] }
    return a.count < b.count
  }
}
