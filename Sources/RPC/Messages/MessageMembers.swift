import PlacesKit

/// Where the members of a message stand in its text, found in one pass and without building values. Members with other names are passed over.
struct MessageMembers {
  /// Each is the range of a JSON value; nil if the member is absent.
  private(set) var version: Range<Int>?
  private(set) var id: Range<Int>?
  private(set) var method: Range<Int>?
  private(set) var params: Range<Int>?
  private(set) var result: Range<Int>?
  private(set) var error: Range<Int>?
  /// The name of a member that stands twice.
  private(set) var repeated: String?

  /// - Parameter bytes: begins with an object that is JSON as far as it goes. A member whose value is not followed by another byte counts as
  ///   absent, because it may be incomplete.
  init(of bytes: Span<UInt8>, from start: Int = 0) {
    var scanner = JSONScanner(at: start)
    guard scanner.take(UInt8(ascii: "{"), in: bytes) else { return }
    while scanner.peek(in: bytes) == UInt8(ascii: "\"") {
      let keyStart = scanner.position
      guard let key = scanner.value(in: bytes), scanner.take(UInt8(ascii: ":"), in: bytes), let value = scanner.skipValue(in: bytes) else {
        return
      }
      switch key.count {
      case 4 where bytes.matches("\"id\"", at: keyStart): if Self.set(&id, value) { repeated = "id" }
      case 8 where bytes.matches("\"method\"", at: keyStart): if Self.set(&method, value) { repeated = "method" }
      case 8 where bytes.matches("\"params\"", at: keyStart): if Self.set(&params, value) { repeated = "params" }
      case 9 where bytes.matches("\"jsonrpc\"", at: keyStart): if Self.set(&version, value) { repeated = "jsonrpc" }
      case 8 where bytes.matches("\"result\"", at: keyStart): if Self.set(&result, value) { repeated = "result" }
      case 7 where bytes.matches("\"error\"", at: keyStart): if Self.set(&error, value) { repeated = "error" }
      // The longest name with every letter as an escape.
      case 9...44: setEscaped(bytes.array(in: key), value)
      default: break
      }
      guard scanner.take(UInt8(ascii: ","), in: bytes) else { return }
    }
  }

  /// True if the member was set before.
  private static func set(_ member: inout Range<Int>?, _ value: Range<Int>) -> Bool {
    defer { member = value }
    return member != nil
  }

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
  /// The range of the next value of a text that is known to be JSON; nil if nothing stands behind it.
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
  /// True if these bytes stand at the index.
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
