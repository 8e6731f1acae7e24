import PlacesKit

/// Where the parts of a request stand in its text, found on the way past and not judged in full: only the usual spelling of a request
/// has an envelope, and whether its `params` are JSON is left to whoever reads them. For requests whose answer is known already; any
/// other text is framed and parsed.
struct Envelope: Equatable {
  /// A JSON string, number or null.
  private(set) var id = 0..<0
  /// Between its quotes; holds no escapes.
  private(set) var method = 0..<0
  /// From bracket to bracket; empty where there are none.
  private(set) var params = 0..<0
  /// Where the text ends.
  private(set) var end = 0

  /// Looks at the text that begins at `start`; what follows its end is not looked at.
  init?(skimming bytes: Span<UInt8>, from start: Int = 0) {
    var (scanner, hasVersion) = (JSONScanner(at: start), false)
    guard scanner.take(UInt8(ascii: "{"), in: bytes) else { return nil }
    repeat {
      guard let key = scanner.key(in: bytes), let first = scanner.peek(in: bytes) else { return nil }
      let value = scanner.position
      switch bytes.word(of: key) {
      case Word.id where id.isEmpty && first.beginsID:
        guard let range = scanner.value(in: bytes) else { return nil }
        id = range
      case Word.method where method.isEmpty && first == UInt8(ascii: "\""):
        guard let range = scanner.plainString(in: bytes) else { return nil }
        method = range
      case Word.params where params.isEmpty:
        guard let range = scanner.bracketed(in: bytes) else { return nil }
        params = range
      case Word.version where !hasVersion && bytes.matches("\"2.0\"", at: value):
        scanner.position += 5
        hasVersion = true
      default: return nil
      }
    } while scanner.take(UInt8(ascii: ","), in: bytes)
    guard scanner.take(UInt8(ascii: "}"), in: bytes), hasVersion, !id.isEmpty, !method.isEmpty else { return nil }
    end = scanner.position
  }
}

/// The names of a request's members, as numbers that are compared at once.
enum Word {
  static let id: UInt64 = 0x6469
  static let method: UInt64 = 0x646F_6874_656D
  static let params: UInt64 = 0x736D_6172_6170
  static let version: UInt64 = 0x63_7072_6E6F_736A
}

extension UInt8 {
  fileprivate var beginsID: Bool {
    self == UInt8(ascii: "\"") || self == UInt8(ascii: "-") || self == UInt8(ascii: "n") || self &- UInt8(ascii: "0") < 10
  }
}

extension Span<UInt8> {
  /// Up to eight bytes as a number, the first one lowest; 0 for a longer range.
  @inline(__always) func word(of range: Range<Int>) -> UInt64 {
    guard 1...8 ~= range.count else { return 0 }
    if range.lowerBound + 8 <= count {
      let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self))
      return word & (.max >> UInt64(64 - 8 * range.count))
    }
    return range.reversed().reduce(0) { $0 << 8 | UInt64(self[$1]) }
  }

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
