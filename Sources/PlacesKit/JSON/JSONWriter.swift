import Glibc

/// Writes a JSON text into bytes without building a tree. It inserts the commas itself.
public struct JSONWriter: ~Copyable, @unchecked Sendable {
  /// The written bytes, followed by free space. A text is written in about a hundred pieces; as long as a piece fits in the free space,
  /// nothing is allocated. Invariant: only this writer refers to the memory, a writer is never copied, and the first `count` bytes are
  /// initialized.
  @usableFromInline var buffer: UnsafeMutableBufferPointer<UInt8>
  @usableFromInline var count = 0
  /// True if a comma must precede the next key or element.
  @usableFromInline var needsComma = false

  public init(reserving capacity: Int = 256) { buffer = JSONWriter.buffer(for: capacity, in: nil) }

  deinit { free(buffer.baseAddress) }

  /// Allocates or enlarges a buffer. Swift's own allocation with its larger alignment costs three times as much.
  private static func buffer(for capacity: Int, in old: UnsafeMutablePointer<UInt8>?) -> UnsafeMutableBufferPointer<UInt8> {
    // No reply can be written without memory. Swift's own allocator ends the process in this case too.
    guard let start = realloc(old, capacity) else { preconditionFailure("no memory for a JSON text") }
    return UnsafeMutableBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: capacity)
  }

  /// The bytes written so far.
  public var bytes: [UInt8] { Array(buffer[..<count]) }

  // Functions for the members of a reply are inlinable: a call into another library would cost as much as the write, and an inlined write
  // of a constant key takes one or two store instructions.

  /// Writes `{`, what `body` writes, and `}`.
  @inlinable public mutating func object(_ body: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    body(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes `[`, what `body` writes, and `]`.
  @inlinable public mutating func array(_ body: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    body(&self)
    close(UInt8(ascii: "]"))
  }

  @inlinable mutating func open(_ bracket: UInt8) {
    let comma = needsComma
    write(atMost: 2) { cursor in
      if comma { cursor.put(UInt8(ascii: ",")) }
      cursor.put(bracket)
    }
    needsComma = false
  }

  @inlinable mutating func close(_ bracket: UInt8) {
    write(atMost: 1) { $0.put(bracket) }
    needsComma = true
  }

  /// Writes the key of a member. The caller writes its value next.
  @_disfavoredOverload public mutating func key(_ key: String) {
    separate()
    quote(key)
    write(atMost: 1) { $0.put(UInt8(ascii: ":")) }
    needsComma = false
  }

  /// Writes a constant key that needs no escapes.
  @inlinable @inline(__always) public mutating func key(_ key: StaticString) {
    let (text, comma) = (UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount), needsComma)
    // Two quotes, a colon and a comma.
    write(atMost: text.count + 4) { $0.put(key: text, comma: comma) }
    needsComma = false
  }

  public mutating func string(_ value: String) {
    separate()
    quote(value)
    needsComma = true
  }

  public mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }
  public mutating func null() { raw("null") }

  public mutating func integer(_ value: Int) {
    let comma = needsComma
    // A comma, a sign and at most 20 digits.
    write(atMost: 22) { cursor in
      if comma { cursor.put(UInt8(ascii: ",")) }
      if value < 0 { cursor.put(UInt8(ascii: "-")) }
      cursor.put(digits: UInt64(value.magnitude), atLeast: 1)
    }
    needsComma = true
  }

  /// Writes the shortest spelling that reads back as the same double. A whole number is written without `.0`. Infinity and not-a-number,
  /// which JSON cannot represent, are written as null.
  public mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return integer(whole) }
    if !fraction(value) { raw(value.description) }
  }

  /// Writes a number that has at most seven decimals, such as a coordinate. Writes nothing and returns false for any other number, and for
  /// a number whose magnitude is below 0.0001, because its shortest spelling has an exponent.
  ///
  /// Different decimal numbers of at most 15 digits are different doubles (IEEE 754, 53 bits). So if a decimal number of at most 15 digits
  /// reads back as the same double, it is the shortest spelling once the zeros at its end are removed.
  private mutating func fraction(_ value: Double) -> Bool {
    let shifted = (value.magnitude * 1e7).rounded()
    guard value.magnitude >= 1e-4, shifted < 1e15, shifted / 1e7 == value.magnitude else { return false }
    var (digits, decimals) = (UInt64(shifted), 7)
    while digits % 10 == 0 { (digits, decimals) = (digits / 10, decimals - 1) }
    var unit: UInt64 = 1
    for _ in 0..<decimals { unit *= 10 }
    let comma = needsComma
    write(atMost: 24) { cursor in
      if comma { cursor.put(UInt8(ascii: ",")) }
      if value < 0 { cursor.put(UInt8(ascii: "-")) }
      cursor.put(digits: digits / unit, atLeast: 1)
      cursor.put(UInt8(ascii: "."))
      cursor.put(digits: digits % unit, atLeast: decimals)
    }
    needsComma = true
    return true
  }

  /// Writes bytes that are already the text of a JSON value.
  public mutating func raw(_ text: [UInt8]) {
    separate()
    text.withUnsafeBufferPointer { append($0) }
    needsComma = true
  }

  private mutating func raw(_ text: String) {
    separate()
    var text = text
    text.withUTF8 { append($0) }
    needsComma = true
  }

  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .boolean(let value): boolean(value)
    case .integer(let value): integer(Int(value))
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .array(let elements): array { for element in elements { $0.value(element) } }
    case .object(let object):
      self.object {
        for member in object.members {
          $0.key(member.key)
          $0.value(member.value)
        }
      }
    }
  }

  @inlinable public mutating func member(_ key: StaticString, _ value: String) {
    self.key(key)
    string(value)
  }

  @inlinable public mutating func member(_ key: StaticString, _ value: Int) {
    self.key(key)
    integer(value)
  }

  public mutating func member(_ key: StaticString, _ value: Double) {
    self.key(key)
    number(value)
  }

  public mutating func member(_ key: StaticString, _ value: Bool) {
    self.key(key)
    boolean(value)
  }

  public mutating func member(_ key: StaticString, _ value: JSONValue) {
    self.key(key)
    self.value(value)
  }

  // Members whose keys are not constants.

  @_disfavoredOverload public mutating func member(_ key: String, _ value: String) {
    self.key(key)
    string(value)
  }

  @_disfavoredOverload public mutating func member(_ key: String, _ value: Int) {
    self.key(key)
    integer(value)
  }

  @_disfavoredOverload public mutating func member(_ key: String, _ value: Double) {
    self.key(key)
    number(value)
  }

  @_disfavoredOverload public mutating func member(_ key: String, _ value: Bool) {
    self.key(key)
    boolean(value)
  }

  @_disfavoredOverload public mutating func member(_ key: String, _ value: JSONValue) {
    self.key(key)
    self.value(value)
  }

  /// Writes the comma before the next key or element, if it needs one.
  private mutating func separate() {
    if needsComma { write(atMost: 1) { $0.put(UInt8(ascii: ",")) } }
  }

  /// Writes a string in quotes. Most strings need no escapes and are written at once.
  private mutating func quote(_ string: String) {
    var string = string
    string.withUTF8 { utf8 in
      var end = JSONWriter.plainEnd(of: utf8, from: 0)
      guard end < utf8.count else { return write(atMost: end + 2) { $0.put(quoted: utf8) } }
      write(atMost: 1) { $0.put(UInt8(ascii: "\"")) }
      var start = 0
      while true {
        append(UnsafeBufferPointer(rebasing: utf8[start..<end]))
        guard end < utf8.count else { break }
        escape(utf8[end])
        start = end + 1
        end = JSONWriter.plainEnd(of: utf8, from: start)
      }
      write(atMost: 1) { $0.put(UInt8(ascii: "\"")) }
    }
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) { write(atMost: text.count) { $0.put(text) } }

  /// Calls `body` with a cursor that has room for `most` bytes.
  @inlinable @inline(__always) mutating func write(atMost most: Int, _ body: (inout ByteCursor) -> Void) {
    if buffer.count - count < most { grow(by: most) }
    var cursor = ByteCursor(buffer: buffer, count: count)
    body(&cursor)
    count = cursor.count
  }

  @usableFromInline @inline(never) mutating func grow(by bytes: Int) {
    buffer = JSONWriter.buffer(for: buffer.count + max(bytes, buffer.count), in: buffer.baseAddress)
  }

  /// The index of the first byte from `start` on that must be escaped; `utf8.count` if there is none. Eight bytes are checked at a time
  /// while at least eight remain.
  private static func plainEnd(of utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var index = start
    let raw = UnsafeRawBufferPointer(utf8)
    while index + 8 <= utf8.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let (quotes, backslashes, deletes) = (word ^ 0x22 &* ones, word ^ 0x5C &* ones, word ^ 0x7F &* ones)
      // The top bit of each byte that is a quote, a backslash, DEL or a control character. A borrow may set wrong bits above the first
      // correct one, never below it.
      let special =
        ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (deletes &- ones) & ~deletes | (word &- 0x20 &* ones) & ~word)
        & highs
      guard special == 0 else { break }
      index += 8
    }
    while index < utf8.count {
      let byte = utf8[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F { return index }
      index += 1
    }
    return index
  }

  private mutating func escape(_ byte: UInt8) {
    let letter: UInt8? =
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
      case 0x08: UInt8(ascii: "b")
      case 0x09: UInt8(ascii: "t")
      case 0x0A: UInt8(ascii: "n")
      case 0x0C: UInt8(ascii: "f")
      case 0x0D: UInt8(ascii: "r")
      default: nil
      }
    write(atMost: 6) { cursor in
      cursor.put(UInt8(ascii: "\\"))
      if let letter { return cursor.put(letter) }
      for unit in "u00".utf8 { cursor.put(unit) }
      for digit in [byte >> 4, byte & 15] { cursor.put(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)) }
    }
  }
}

/// Writes bytes into a buffer that has room for them.
@frozen @usableFromInline struct ByteCursor {
  @usableFromInline let buffer: UnsafeMutableBufferPointer<UInt8>
  @usableFromInline var count: Int

  @inlinable @inline(__always) init(buffer: UnsafeMutableBufferPointer<UInt8>, count: Int) {
    self.buffer = buffer
    self.count = count
  }

  @inlinable @inline(__always) mutating func put(_ byte: UInt8) {
    buffer[count] = byte
    count &+= 1
  }

  @inlinable @inline(__always) mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
    guard let from = text.baseAddress, let start = buffer.baseAddress else { return }
    (start + count).update(from: from, count: text.count)
    count &+= text.count
  }

  /// Writes a text that needs no escapes, between quotes.
  @inlinable @inline(__always) mutating func put(quoted text: UnsafeBufferPointer<UInt8>) {
    put(UInt8(ascii: "\""))
    put(text)
    put(UInt8(ascii: "\""))
  }

  /// Writes a key that needs no escapes with its quotes and colon and, if `comma` is true, a comma before it.
  @inlinable @inline(__always) mutating func put(key: UnsafeBufferPointer<UInt8>, comma: Bool) {
    if comma { put(UInt8(ascii: ",")) }
    put(quoted: key)
    put(UInt8(ascii: ":"))
  }

  /// Writes the digits of a number, with leading zeros up to at least `least` digits.
  @inlinable @inline(__always) mutating func put(digits value: UInt64, atLeast least: Int) {
    var (digits, rest) = (1, value / 10)
    while rest > 0 { (digits, rest) = (digits &+ 1, rest / 10) }
    digits = max(digits, least)
    rest = value
    for index in (count..<count &+ digits).reversed() {
      buffer[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count &+= digits
  }
}

extension JSONValue {
  /// This value as a JSON text on one line.
  public var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
