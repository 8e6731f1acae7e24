import PlacesKit

/// The parts of one request as ranges of its text, found without building a tree. Only for the usual spelling of a request; a text
/// for which there is no envelope may still be one.
public struct Envelope: Sendable, Equatable {
  /// Nil for a notification.
  public var id: Range<Int>?
  /// Between its quotes; holds no escapes.
  public var method: Range<Int>
  /// An object or an array; nil where there are none.
  public var params: Range<Int>?
  /// Where the text ends.
  public var end: Int

  /// Looks at the text that begins at `start`; what follows its end is not looked at.
  public init?(scanning bytes: Span<UInt8>, from start: Int = 0, depth: Int = 64) {
    var scanner = JSONScanner(at: start, depth: depth - 1)
    guard scanner.take(UInt8(ascii: "{"), in: bytes) else { return nil }
    var (version, method) = (false, Range<Int>?.none)
    id = nil
    params = nil
    repeat {
      guard let key = scanner.key(in: bytes), let first = scanner.peek(in: bytes), let value = scanner.value(in: bytes) else { return nil }
      switch key.count {
      case 2 where bytes.matches("id", at: key.lowerBound) && id == nil && first.beginsID: id = value
      case 6 where bytes.matches("method", at: key.lowerBound) && method == nil && bytes.isPlainString(value):
        method = value.lowerBound + 1..<value.upperBound - 1
      case 6 where bytes.matches("params", at: key.lowerBound) && params == nil && first.isBracket: params = value
      case 7 where bytes.matches("jsonrpc", at: key.lowerBound) && !version && bytes.matches("\"2.0\"", at: value.lowerBound):
        version = true
      default: return nil
      }
    } while scanner.take(UInt8(ascii: ","), in: bytes)
    guard scanner.take(UInt8(ascii: "}"), in: bytes), version, let method else { return nil }
    self.method = method
    end = scanner.position
  }

  /// The message of this envelope; nil where something is unusual after all.
  func request(of bytes: Span<UInt8>, limits: Limits) -> Message? {
    var object: JSONObject = ["jsonrpc": "2.0", "method": .string(bytes.string(in: method))]
    for index in end..<max(end, bytes.count) where !bytes[index].isJSONSpace { return nil }
    if let params {
      guard let value = bytes.json(in: params, limits: limits) else { return nil }
      object["params"] = value
    }
    guard let id else { return Message(.object(object), limits: limits) }
    guard let value = bytes.json(in: id, limits: limits) else { return nil }
    object["id"] = value
    return Message(.object(object), limits: limits, rawID: bytes.array(in: id))
  }
}

extension UInt8 {
  fileprivate var beginsID: Bool {
    self == UInt8(ascii: "\"") || self == UInt8(ascii: "-") || self == UInt8(ascii: "n") || self &- UInt8(ascii: "0") < 10
  }
  fileprivate var isBracket: Bool { self == UInt8(ascii: "{") || self == UInt8(ascii: "[") }
}

extension Span<UInt8> {
  /// Whether these bytes stand at the index.
  public func matches(_ text: StaticString, at index: Int) -> Bool {
    guard index >= 0, index + text.utf8CodeUnitCount <= count else { return false }
    for offset in 0..<text.utf8CodeUnitCount where self[index + offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// Whether the range is a JSON string without escapes.
  fileprivate func isPlainString(_ range: Range<Int>) -> Bool {
    guard self[range.lowerBound] == UInt8(ascii: "\"") else { return false }
    for index in range where self[index] == UInt8(ascii: "\\") { return false }
    return true
  }

  /// A copy of a part.
  public func array(in range: Range<Int>) -> [UInt8] {
    extracting(range).withUnsafeBufferPointer { Array($0) }
  }

  public func string(in range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  fileprivate func json(in range: Range<Int>, limits: Limits) -> JSONValue? {
    // The envelope is a level of its own.
    extracting(range).withUnsafeBufferPointer { try? JSONValue(parsing: $0, limits: JSONLimits(depth: limits.depth - 1)) }
  }
}
