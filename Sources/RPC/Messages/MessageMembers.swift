import PlacesKit

/// The members of a message that JSON-RPC defines, as ranges of its text. Members with other names are ignored.
struct MessageMembers {
  /// Each is the range of a JSON value; nil if the member is absent.
  private(set) var version: Range<Int>?
  private(set) var id: Range<Int>?
  private(set) var method: Range<Int>?
  private(set) var params: Range<Int>?
  private(set) var result: Range<Int>?
  private(set) var error: Range<Int>?
  /// The name of a member that occurs twice.
  private(set) var repeated: String?
  /// True if the message has more members than an outline records, so that members above may be missing.
  let isIncomplete: Bool

  /// - Parameter outline: of the text.
  init(_ outline: JSONOutline, of text: Span<UInt8>) {
    isIncomplete = outline.isOverfull(.outer)
    for index in 0..<outline.count(.outer) {
      let (key, value) = (outline.key(index, .outer), outline.value(index, .outer))
      switch key.count {
      case 2 where text.matches("id", at: key.lowerBound): if Self.set(&id, value) { repeated = "id" }
      case 6 where text.matches("method", at: key.lowerBound): if Self.set(&method, value) { repeated = "method" }
      case 6 where text.matches("params", at: key.lowerBound): if Self.set(&params, value) { repeated = "params" }
      case 7 where text.matches("jsonrpc", at: key.lowerBound): if Self.set(&version, value) { repeated = "jsonrpc" }
      case 6 where text.matches("result", at: key.lowerBound): if Self.set(&result, value) { repeated = "result" }
      case 5 where text.matches("error", at: key.lowerBound): if Self.set(&error, value) { repeated = "error" }
      // The longest name has 42 bytes if every letter is escaped.
      case 7...42: setEscaped(text.array(in: key.lowerBound - 1..<key.upperBound + 1), value)
      default: break
      }
    }
  }

  /// - Parameter text: the beginning of a JSON object. A member whose value may continue after the text is treated as absent.
  init(of text: Span<UInt8>, from start: Int = 0) { self.init(JSONOutline(of: text, from: start), of: text) }

  /// True if the member was set before.
  private static func set(_ member: inout Range<Int>?, _ value: Range<Int>) -> Bool {
    defer { member = value }
    return member != nil
  }

  /// - Parameter key: a JSON string.
  private mutating func setEscaped(_ key: [UInt8], _ value: Range<Int>) {
    guard key.contains(UInt8(ascii: "\\")), let name = (try? JSONValue(parsing: key))?.string else { return }
    switch name {
    case "jsonrpc": if Self.set(&version, value) { repeated = name }
    case "id": if Self.set(&id, value) { repeated = name }
    case "method": if Self.set(&method, value) { repeated = name }
    case "params": if Self.set(&params, value) { repeated = name }
    case "result": if Self.set(&result, value) { repeated = name }
    case "error": if Self.set(&error, value) { repeated = name }
    default: break
    }
  }
}

extension JSONScanner {
  /// The range of the next value of a text that is known to be JSON; nil if no byte follows it.
  public mutating func skipValue(in bytes: Span<UInt8>) -> Range<Int>? {
    switch peek(in: bytes) {
    case nil: return nil
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard let range = bracketed(in: bytes), position < bytes.count else { return nil }
      return range
    case UInt8(ascii: "\""):
      guard let range = value(in: bytes), position < bytes.count else { return nil }
      return range
    default:
      let start = position
      while position < bytes.count {
        switch bytes[position] {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09, 0x0A, 0x0D:
          return position > start ? start..<position : nil
        default: position += 1
        }
      }
      return nil
    }
  }
}

extension Span<UInt8> {
  /// True if these bytes are at the index.
  @inlinable public func matches(_ text: StaticString, at index: Int) -> Bool {
    guard index >= 0, index + text.utf8CodeUnitCount <= count else { return false }
    for offset in 0..<text.utf8CodeUnitCount where self[index + offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// A copy of a part.
  public func array(in range: Range<Int>) -> [UInt8] {
    extracting(range).withUnsafeBufferPointer { Array($0) }
  }

  public func string(in range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
