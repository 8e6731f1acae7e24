import PlacesKit

/// The positions of the members of a JSON object, and of the members of its values that are objects. `JSONTextScanner` records them while
/// it checks the text, so that a request is scanned once. A class, so that its kilobyte is not copied; one thread uses it.
public final class JSONOutline {
  /// One member. All indices count bytes from the beginning of the text.
  fileprivate struct Member {
    /// Between the quotes.
    var (keyStart, keyEnd): (UInt32, UInt32) = (0, 0)
    var (valueStart, valueEnd): (UInt32, UInt32) = (0, 0)
  }

  /// Members in the order of the text.
  fileprivate struct Members {
    var members = InlineArray<32, Member>(repeating: Member())
    var count = 0
    var isOverfull = false
  }

  /// The level of nesting of an object whose members are recorded.
  public enum Level: Sendable {
    /// The text's outermost object.
    case outer
    /// All objects that are values of the outermost one.
    case inner
  }

  /// The maximum number of members recorded for each level.
  public static let capacity = 32

  /// The outline of the part of a text that has arrived.
  struct Part: Sendable {
    fileprivate var outer = Members()
    fileprivate var inner = Members()
  }

  @exclusivity(unchecked) private var recorded = Part()

  public init() {}

  /// Scans the beginning of a JSON text. A member whose value may continue after the end of the bytes is not recorded.
  public convenience init(of text: Span<UInt8>, from start: Int = 0) {
    self.init()
    var scanner = JSONTextScanner()
    _ = scanner.advance(in: text, from: start, textStart: 0, self)
  }

  /// The number of members recorded.
  @inline(__always) public func count(_ level: Level) -> Int { level == .outer ? recorded.outer.count : recorded.inner.count }

  /// True if there are more members than can be recorded.
  @inline(__always) public func isOverfull(_ level: Level) -> Bool {
    level == .outer ? recorded.outer.isOverfull : recorded.inner.isOverfull
  }

  /// The range of a member's key, between its quotes.
  @inline(__always) public func key(_ index: Int, _ level: Level) -> Range<Int> {
    let member = level == .outer ? recorded.outer.members[index] : recorded.inner.members[index]
    return Int(member.keyStart)..<max(Int(member.keyStart), Int(member.keyEnd))
  }

  /// The range of a member's value.
  @inline(__always) public func value(_ index: Int, _ level: Level) -> Range<Int> {
    let member = level == .outer ? recorded.outer.members[index] : recorded.inner.members[index]
    return Int(member.valueStart)..<max(Int(member.valueStart), Int(member.valueEnd))
  }

  // MARK: Recording

  func removeAll() {
    (recorded.outer.count, recorded.outer.isOverfull) = (0, false)
    (recorded.inner.count, recorded.inner.isOverfull) = (0, false)
  }

  var part: Part {
    get { recorded }
    set { recorded = newValue }
  }

  /// - Parameter depth: of the object; members of deeper objects than the second are not recorded.
  @inline(__always) func setKey(_ start: Int, _ end: Int, depth: Int) {
    if depth == 1 { recorded.outer.setKey(start, end) } else if depth == 2 { recorded.inner.setKey(start, end) }
  }

  @inline(__always) func beginValue(_ start: Int, depth: Int) {
    if depth == 1 { recorded.outer.beginValue(start) } else if depth == 2 { recorded.inner.beginValue(start) }
  }

  @inline(__always) func endValue(_ end: Int, depth: Int) {
    if depth == 1 { recorded.outer.endValue(end) } else if depth == 2 { recorded.inner.endValue(end) }
  }
}

extension JSONOutline.Members {
  // An incomplete member is stored after the complete ones, and counted when its value ends.

  @inline(__always) fileprivate mutating func setKey(_ start: Int, _ end: Int) {
    guard count < JSONOutline.capacity else { return isOverfull = true }
    (members[count].keyStart, members[count].keyEnd) = (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: end))
  }

  @inline(__always) fileprivate mutating func beginValue(_ start: Int) {
    if count < JSONOutline.capacity { members[count].valueStart = UInt32(truncatingIfNeeded: start) }
  }

  @inline(__always) fileprivate mutating func endValue(_ end: Int) {
    guard count < JSONOutline.capacity else { return }
    members[count].valueEnd = UInt32(truncatingIfNeeded: end)
    count += 1
  }
}
