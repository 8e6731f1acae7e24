import PlacesKit

/// The members of a request as ranges of its text, for the search for a cached reply. One pass both finds the members and checks the text.
///
/// The outline describes only requests in the usual form: an object of `jsonrpc`, `id`, `method` and `params` in any order, of at most
/// `maximumBytes`, and with short names without escapes. For any other text, valid or not, `scan` fails, and `Framer` and `Message` read
/// the text.
///
/// The outline is a class so that it is not copied, because it takes about a kilobyte. One thread uses it.
public final class RequestOutline {
  /// A member of the params. All ranges count bytes from the beginning of the text.
  public struct Parameter {
    /// The name, packed by `UInt128(packing:)`.
    public internal(set) var name: UInt128 = 0
    public internal(set) var value = 0..<0
  }

  /// The maximum number of bytes that are scanned. A text that arrives in parts may be scanned twice, and the limit keeps this cheap.
  static let maximumBytes = 4_096
  /// The maximum number of params. The method whose replies are cached has fewer.
  static let capacity = 24

  /// The ranges of the members, and the number of params.
  private struct Members {
    var (id, method, params) = (0..<0, 0..<0, 0..<0)
    var count = 0
  }

  // The run-time check of exclusive access is left out, because it would run at each access. No two accesses of these variables overlap.
  @exclusivity(unchecked) private var members = Members()
  @exclusivity(unchecked) private var parameters = InlineArray<24, Parameter>(repeating: Parameter())

  public init() {}

  /// The outline of a text that consists of the params only. It has no params if they do not have the usual form.
  public init(params text: Span<UInt8>) {
    var (scanner, newMembers) = (JSONScanner(), Members())
    if scanParams(&scanner, text, &newMembers) { members = newMembers }
  }

  /// The range of the id, which is a string, a number or null; empty if the outline describes no request.
  var id: Range<Int> { members.id }
  /// The range of the method's name, without the quotes.
  public var method: Range<Int> { members.method }
  /// The range of the params, which are an object; empty if absent.
  public var params: Range<Int> { members.params }
  /// The number of params.
  public var count: Int { members.count }
  public func parameter(_ index: Int) -> Parameter { parameters[index] }

  /// Scans a text from its first byte on.
  /// - Parameter depth: the maximum number of levels of nesting.
  /// - Returns: the length of the request in bytes; other bytes may follow it. The request is valid JSON, except that names of params may
  ///   occur twice. Nil if it is incomplete or has another form; then the outline describes no request.
  func scan(_ bytes: Span<UInt8>, depth: Int) -> Int? {
    let text = bytes.extracting(first: Self.maximumBytes)
    members = Members()
    // The scanner counts only the levels inside the params. The two outer levels, the request and its params, are scanned here.
    var (scanner, newMembers, hasVersion) = (JSONScanner(depth: depth - 2), Members(), false)
    guard scanner.take(UInt8(ascii: "{"), in: text) else { return nil }
    repeat {
      guard let name = Name(next: &scanner, in: text) else { return nil }
      switch name {
      case .id where newMembers.id.isEmpty:
        guard let value = scanner.value(in: text), text[value.lowerBound].beginsID else { return nil }
        newMembers.id = value
      case .method where newMembers.method.isEmpty:
        guard let value = scanner.plainString(in: text), !value.isEmpty else { return nil }
        newMembers.method = value
      case .params where newMembers.params.isEmpty:
        guard scanParams(&scanner, text, &newMembers) else { return nil }
      case .version where !hasVersion:
        // The hexadecimal number is the string "2.0" with its quotes, the first byte lowest.
        guard let value = scanner.value(in: text), value.count == 5, text.word(at: value.lowerBound) & 0xFF_FFFF_FFFF == 0x22_302E_3222
        else {
          return nil
        }
        hasVersion = true
      default: return nil
      }
    } while scanner.take(UInt8(ascii: ","), in: text)
    guard scanner.take(UInt8(ascii: "}"), in: text), hasVersion, !newMembers.id.isEmpty, !newMembers.method.isEmpty else { return nil }
    members = newMembers
    return scanner.position
  }

  /// Scans the object of the params. Returns false if it is incomplete, or does not have the usual form.
  @inline(__always)
  private func scanParams(_ scanner: inout JSONScanner, _ text: Span<UInt8>, _ newMembers: inout Members) -> Bool {
    guard scanner.take(UInt8(ascii: "{"), in: text) else { return false }
    let start = scanner.position - 1
    if !scanner.take(UInt8(ascii: "}"), in: text) {
      repeat {
        guard newMembers.count < Self.capacity, let name = scanner.shortKey(in: text), let value = scanner.value(in: text) else {
          return false
        }
        parameters[newMembers.count] = Parameter(name: name, value: value)
        newMembers.count += 1
      } while scanner.take(UInt8(ascii: ","), in: text)
      guard scanner.take(UInt8(ascii: "}"), in: text) else { return false }
    }
    newMembers.params = start..<scanner.position
    return true
  }
}

extension RequestOutline {
  /// The name of a member.
  private enum Name {
    case id, method, params, version

    /// Reads a key without escapes, and its colon. Nil for any other key.
    @inline(__always) init?(next scanner: inout JSONScanner, in text: Span<UInt8>) {
      guard scanner.peek(in: text) == UInt8(ascii: "\"") else { return nil }
      // The word consists of eight bytes, the first byte lowest. It begins with the name and the quote after it: `0x22_6469` is `id"`.
      let word = text.word(at: scanner.position &+ 1)
      let count: Int
      if word & 0xFF_FFFF == 0x22_6469 {
        (self, count) = (.id, 2)
      } else if word & 0xFF_FFFF_FFFF_FFFF == 0x22_646F_6874_656D {
        (self, count) = (.method, 6)
      } else if word & 0xFF_FFFF_FFFF_FFFF == 0x22_736D_6172_6170 {
        (self, count) = (.params, 6)
      } else if word == 0x2263_7072_6E6F_736A {
        (self, count) = (.version, 7)
      } else {
        return nil
      }
      scanner.position &+= count &+ 2
      guard scanner.take(UInt8(ascii: ":"), in: text) else { return nil }
    }
  }
}

extension UInt8 {
  /// True if a string, a number or null begins with this byte.
  fileprivate var beginsID: Bool {
    self == UInt8(ascii: "\"") || self == UInt8(ascii: "-") || self == UInt8(ascii: "n") || self &- UInt8(ascii: "0") < 10
  }
}
