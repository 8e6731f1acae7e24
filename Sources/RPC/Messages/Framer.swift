/// Finds where each JSON text of a stream ends, however the bytes arrive; it reads nothing, keeps no bytes and judges no text.
///
/// A text that begins with a bracket ends with its partner; any other ends with its line. What cannot be JSON in any
/// continuation is given up when its line ends at the latest (a value behind a value at once), and the stream is taken up
/// again where the next line begins, so that one damaged request costs no other; that of several lines, behind its last bracket.
public struct Framer: Sendable {
  public enum Event: Sendable, Equatable {
    /// One text: the bytes of this range.
    case text(Range<Int>)
    /// What came cannot be a JSON text; go on at this index.
    case broken(end: Int)
    /// A text is longer than allowed; go on at this index. What is left of the text is skipped without another word.
    case tooLong(end: Int)
    /// The bytes from this index on are needed again, with more behind them.
    case more(keeping: Int)
    /// So much was skipped without finding an end that the stream is given up.
    case lost
  }

  private enum Mode { case outside, bracketed, line, skipping }
  private var mode = Mode.outside
  private var brackets = BracketScan()
  /// Bytes of the current text that were looked at already.
  private var scanned = 0
  /// Bytes of the current text that were skipped, because it is too long or broken.
  private var skipped = 0
  private let maximum: Int

  /// Texts may have so many bytes.
  public init(maximum: Int = 1 << 20) { self.maximum = maximum }

  /// Whether a text has begun and not ended.
  public var isInside: Bool { mode != .outside }

  /// How many bytes of a text in brackets that has begun were looked at, all of which were kept; nil where there is no such text.
  var kept: Int? { mode == .bracketed && skipped == 0 ? scanned : nil }

  /// The text that has begun was taken up without this.
  mutating func leaveText() { begin(.outside) }

  /// Looks for the text that begins at `start`. After `more(keeping:)`, the next call gives the same bytes from that index on.
  public mutating func next(in bytes: Span<UInt8>, from start: Int) -> Event {
    var start = start
    while true {
      if mode == .outside {
        while start < bytes.count, bytes[start].isJSONSpace { start += 1 }
        guard start < bytes.count else { return .more(keeping: start) }
        begin(bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") ? .bracketed : .line)
      }
      let reported = skipped > 0
      switch find(in: bytes, from: start) {
      case nil: return unfinished(bytes.count - start, keeping: start, end: bytes.count)
      case .complete(let end):
        begin(.outside)
        if !reported { return end - start > maximum ? .tooLong(end: end) : .text(start..<end) }
        start = end
      case .broken(let end, let resumes):
        begin(resumes ? .outside : .skipping)
        if !resumes { skipped = 1 }
        if !reported { return .broken(end: end) }
        start = end
      case .damaged(let end):
        skipped += end - start
        scanned = 0
        return .broken(end: end)
      }
    }
  }

  /// The stream has ended, and these bytes were kept: the text that they make, or nil where there is none.
  public mutating func finish(kept: Range<Int>) -> Event? {
    defer { begin(.outside) }
    switch mode {
    case .line where skipped == 0: return .text(kept)
    case .bracketed where skipped == 0: return .broken(end: kept.upperBound)
    default: return nil
    }
  }

  private mutating func begin(_ mode: Mode) {
    self.mode = mode
    brackets = BracketScan()
    scanned = 0
    skipped = 0
  }

  private mutating func find(in bytes: Span<UInt8>, from start: Int) -> BracketScan.End? {
    if mode == .bracketed { return brackets.advance(in: bytes, from: start + scanned, text: skipped == 0 ? start : nil) }
    var index = start + scanned
    while index < bytes.count {
      // What follows the line that is skipped begins behind the line's end; a text of one line ends before it.
      if bytes[index] == 0x0A { return .complete(mode == .skipping ? index + 1 : index) }
      index += 1
    }
    return nil
  }

  private mutating func unfinished(_ count: Int, keeping start: Int, end: Int) -> Event {
    guard skipped > 0 || count > maximum else {
      scanned = count
      return .more(keeping: start)
    }
    let reported = skipped > 0
    skipped += count
    scanned = 0
    if !reported { return .tooLong(end: end) }
    return skipped > 16 * maximum ? .lost : .more(keeping: end)
  }
}

extension UInt8 {
  /// White space between JSON tokens (RFC 8259, section 2).
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
