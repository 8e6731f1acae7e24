import Glibc
import PlacesKit

/// The members of a message that JSON-RPC defines, as ranges of its text. Members with other names are ignored.
struct MessageMembers {
  // The range of each member's value; nil if the member is absent.
  private(set) var version: Range<Int>?
  private(set) var id: Range<Int>?
  private(set) var method: Range<Int>?
  private(set) var params: Range<Int>?
  private(set) var result: Range<Int>?
  private(set) var error: Range<Int>?
  /// The name of a member that occurs twice; nil if there is none.
  private(set) var repeatedName: String?

  /// - Parameter text: a JSON text, which may have duplicate keys, or the beginning of such a text. A member whose value may continue after
  ///   the text is treated as absent. If the text is not an object, all members are absent.
  init(of text: Span<UInt8>, from start: Int = 0) {
    var scanner = JSONScanner(at: start)
    guard scanner.take(UInt8(ascii: "{"), in: text) else { return }
    repeat {
      guard scanner.peek(in: text) == UInt8(ascii: "\""), let key = scanner.value(in: text), scanner.take(UInt8(ascii: ":"), in: text),
        let value = scanner.skipValue(in: text)
      else { return }
      guard let name = Self.name(key, in: text) else { continue }
      switch name {
      case "jsonrpc": if Self.set(&version, value) { repeatedName = name }
      case "id": if Self.set(&id, value) { repeatedName = name }
      case "method": if Self.set(&method, value) { repeatedName = name }
      case "params": if Self.set(&params, value) { repeatedName = name }
      case "result": if Self.set(&result, value) { repeatedName = name }
      case "error": if Self.set(&error, value) { repeatedName = name }
      default: break
      }
    } while scanner.take(UInt8(ascii: ","), in: text)
  }

  private static let names: [StaticString] = ["jsonrpc", "id", "method", "params", "result", "error"]

  /// The decoded name of a key; nil if it cannot be the name of one of the members.
  /// - Parameter key: the range of the key, which is a JSON string.
  private static func name(_ key: Range<Int>, in text: Span<UInt8>) -> String? {
    let packed = text.packed(in: key.lowerBound + 1..<key.upperBound - 1)
    if let name = names.first(where: { UInt128(packing: $0) == packed }) { return name.description }
    // With its quotes, the longest name, `jsonrpc`, has 44 bytes if every letter is escaped as `\uXXXX`.
    guard key.count <= 44, key.contains(where: { text[$0] == UInt8(ascii: "\\") }) else { return nil }
    return (try? JSONValue(parsing: text.array(in: key)))?.string
  }

  /// Sets a member. Returns true if it was set before.
  private static func set(_ member: inout Range<Int>?, _ value: Range<Int>) -> Bool {
    defer { member = value }
    return member != nil
  }
}

extension JSONScanner {
  /// Skips the next value of a text that is known to be JSON, and returns its range; nil if the value reaches the end of the bytes,
  /// where it may be cut off.
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
  /// True if these bytes contain `text` at `index`.
  func matches(_ text: StaticString, at index: Int) -> Bool {
    guard index >= 0, index + text.utf8CodeUnitCount <= count else { return false }
    return withUnsafeBytes { bytes -> Bool in
      guard let start = bytes.baseAddress else { return text.utf8CodeUnitCount == 0 }
      return memcmp(start + index, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
  }

  /// A copy of the bytes in a range.
  public func array(in range: Range<Int>) -> [UInt8] {
    extracting(range).withUnsafeBufferPointer { Array($0) }
  }

  public func string(in range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
