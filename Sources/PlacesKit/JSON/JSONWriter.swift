/// Writes a JSON text into bytes without building a tree; commas are put where they belong.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  public init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  /// Writes `{`, what `body` writes, and `}`.
  public mutating func object(_ body: (inout JSONWriter) -> Void) { bracket(UInt8(ascii: "{"), UInt8(ascii: "}"), body) }

  /// Writes `[`, what `body` writes, and `]`.
  public mutating func array(_ body: (inout JSONWriter) -> Void) { bracket(UInt8(ascii: "["), UInt8(ascii: "]"), body) }

  private mutating func bracket(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  /// Writes the key of a member; its value comes next.
  public mutating func key(_ key: String) {
    separate()
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func string(_ value: String) {
    separate()
    quote(value)
    needsComma = true
  }

  public mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }
  public mutating func null() { raw("null") }
  public mutating func integer(_ value: Int) { raw(String(value)) }

  /// Writes the shortest spelling that reads back as the same double; a whole number without its `.0`. Not-a-number and
  /// infinity, which JSON lacks, become null.
  public mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return raw(String(whole)) }
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
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .boolean(let value): boolean(value)
    case .integer(let value): raw(String(value))
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

  public mutating func member(_ key: String, _ value: String) {
    self.key(key)
    string(value)
  }

  public mutating func member(_ key: String, _ value: Int) {
    self.key(key)
    integer(value)
  }

  public mutating func member(_ key: String, _ value: Double) {
    self.key(key)
    number(value)
  }

  public mutating func member(_ key: String, _ value: Bool) {
    self.key(key)
    boolean(value)
  }

  public mutating func member(_ key: String, _ value: JSONValue) {
    self.key(key)
    self.value(value)
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func quote(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices {
        let byte = utf8[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F else { continue }
        bytes.append(contentsOf: utf8[start..<index])
        start = index + 1
        escape(byte)
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
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

extension JSONValue {
  /// This value as a JSON text on one line.
  public var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
