import PlacesKit

/// Where the parts of a request stand in its text, found on the way past and not judged in full: only the usual spelling of a request
/// has an envelope, and whether its `params` are JSON is left to whoever reads them. For requests whose answer is known already; any
/// other text is framed and parsed.
public struct Envelope: Equatable {
  /// A JSON string, number or null.
  public private(set) var id = 0..<0
  /// Between its quotes; holds no escapes.
  public private(set) var method = 0..<0
  /// From bracket to bracket; empty where there are none.
  public private(set) var params = 0..<0
  /// Where the text ends.
  public private(set) var end = 0

  /// Looks at the text that begins at `start`; what follows its end is not looked at.
  public init?(skimming bytes: Span<UInt8>, from start: Int = 0) {
    var (scanner, hasVersion) = (JSONScanner(at: start), false)
    guard scanner.take(UInt8(ascii: "{"), in: bytes) else { return nil }
    repeat {
      guard scanner.peek(in: bytes) == UInt8(ascii: "\"") else { return nil }
      let word = bytes.word(at: scanner.position + 1)
      if word & 0xFF_FFFF == Name.id, id.isEmpty {
        guard let first = scanner.pass(2, in: bytes), first.beginsID, let range = scanner.value(in: bytes) else { return nil }
        id = range
      } else if word & 0xFF_FFFF_FFFF_FFFF == Name.method, method.isEmpty {
        guard scanner.pass(6, in: bytes) != nil, let range = scanner.plainString(in: bytes), !range.isEmpty else { return nil }
        method = range
      } else if word & 0xFF_FFFF_FFFF_FFFF == Name.params, params.isEmpty {
        guard scanner.pass(6, in: bytes) != nil, let range = scanner.bracketed(in: bytes) else { return nil }
        params = range
      } else if word == Name.version, !hasVersion {
        guard scanner.pass(7, in: bytes) != nil, bytes.word(at: scanner.position) & 0xFF_FFFF_FFFF == Name.two else { return nil }
        scanner.position += 5
        hasVersion = true
      } else {
        return nil
      }
    } while scanner.take(UInt8(ascii: ","), in: bytes)
    guard scanner.take(UInt8(ascii: "}"), in: bytes), hasVersion, !id.isEmpty, !method.isEmpty else { return nil }
    end = scanner.position
  }

  /// Whether a text that begins at `start` is within the limits of a request.
  public func fits(_ limits: Limits, from start: Int) -> Bool { end - start <= limits.requestBytes && id.count <= limits.idBytes }
}

/// The names of a request's members, each with the quote behind it, and the version, as numbers that are compared at once.
private enum Name {
  static let id: UInt64 = 0x22_6469
  static let method: UInt64 = 0x22_646F_6874_656D
  static let params: UInt64 = 0x22_736D_6172_6170
  static let version: UInt64 = 0x2263_7072_6E6F_736A
  /// `"2.0"`
  static let two: UInt64 = 0x22_302E_3222
}

extension JSONScanner {
  /// Steps over a name of so many bytes, its quotes and the colon; gives the first byte of the value.
  @inline(__always) fileprivate mutating func pass(_ count: Int, in bytes: Span<UInt8>) -> UInt8? {
    position += count + 2
    return take(UInt8(ascii: ":"), in: bytes) ? peek(in: bytes) : nil
  }
}

extension UInt8 {
  fileprivate var beginsID: Bool {
    self == UInt8(ascii: "\"") || self == UInt8(ascii: "-") || self == UInt8(ascii: "n") || self &- UInt8(ascii: "0") < 10
  }
}

extension Span<UInt8> {
  /// Whether these bytes stand at the index.
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
