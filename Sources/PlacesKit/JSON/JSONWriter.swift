/// Writes a JSON text into bytes without building a tree; commas are put where they belong.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  public init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  // A closure that is called in another library costs as much as what it writes, so these two are inlinable.

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

  @usableFromInline mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  @usableFromInline mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  /// Writes the key of a member; its value comes next.
  @_disfavoredOverload public mutating func key(_ key: String) {
    separate()
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// The same for a key that stands in the program, and holds nothing that would have to be escaped.
  public mutating func key(_ key: StaticString) {
    let (text, comma) = (UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount), needsComma)
    bytes.append(addingCapacity: text.count + 4) { $0.append(key: text, comma: comma) }
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
    separate()
    var unit: UInt = 1
    while value.magnitude / unit >= 10 { unit *= 10 }
    bytes.append(addingCapacity: 20) { text in
      if value < 0 { text.append(UInt8(ascii: "-")) }
      while unit > 0 {
        text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value.magnitude / unit % 10))
        unit /= 10
      }
    }
    needsComma = true
  }

  /// Writes the shortest spelling that reads back as the same double; a whole number without its `.0`. Not-a-number and
  /// infinity, which JSON lacks, become null.
  public mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return integer(whole) }
    raw(value.description)
  }

  /// Writes bytes that are a JSON value already.
  public mutating func raw(_ text: [UInt8]) {
    separate()
    bytes.append(contentsOf: text)
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

  public mutating func member(_ key: StaticString, _ value: String) {
    let (name, comma) = (UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount), needsComma)
    var text = value
    let isWritten = text.withUTF8 { utf8 in
      guard JSONWriter.plainEnd(of: utf8, from: 0) == utf8.count else { return false }
      // Most members are this: room for all of it is made once.
      bytes.append(addingCapacity: name.count + utf8.count + 6) { room in
        room.append(key: name, comma: comma)
        room.append(quoted: utf8)
      }
      return true
    }
    if isWritten {
      needsComma = true
    } else {
      self.key(key)
      string(value)
    }
  }

  public mutating func member(_ key: StaticString, _ value: Int) {
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

  // The same for keys that are not known before.

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

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func quote(_ string: String) {
    var string = string
    string.withUTF8 { utf8 in
      var end = JSONWriter.plainEnd(of: utf8, from: 0)
      guard end < utf8.count else { return bytes.append(addingCapacity: end + 2) { $0.append(quoted: utf8) } }
      bytes.append(UInt8(ascii: "\""))
      var start = 0
      while true {
        append(UnsafeBufferPointer(rebasing: utf8[start..<end]))
        guard end < utf8.count else { break }
        escape(utf8[end])
        start = end + 1
        end = JSONWriter.plainEnd(of: utf8, from: start)
      }
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(addingCapacity: text.count) { $0.append(text) }
  }

  /// The index of the first byte from `start` on that must be escaped, found by eights as long as there are eight.
  private static func plainEnd(of utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var index = start
    let raw = UnsafeRawBufferPointer(utf8)
    while index + 8 <= utf8.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let (quotes, backslashes, deletes) = (word ^ 0x22 &* ones, word ^ 0x5C &* ones, word ^ 0x7F &* ones)
      // Wherever there is a quote, a backslash, a DEL or a control character, a bit is set here, and now and then behind one.
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
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends a key that needs no escapes, its quotes and colon, and the comma before it where one is wanted, for which there is room.
  @inline(__always) fileprivate mutating func append(key: UnsafeBufferPointer<UInt8>, comma: Bool) {
    if comma { append(UInt8(ascii: ",")) }
    append(quoted: key)
    append(UInt8(ascii: ":"))
  }

  /// Appends a text that needs no escapes between quotes, for which there is room.
  @inline(__always) fileprivate mutating func append(quoted text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    append(text)
    append(UInt8(ascii: "\""))
  }

  /// Appends bytes for which there is room.
  @inline(__always) fileprivate mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    withUnsafeMutableBufferPointer { room, count in
      UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[count...]).copyMemory(from: UnsafeRawBufferPointer(text))
      count += text.count
    }
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
