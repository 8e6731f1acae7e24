import PlacesKit

/// Finds and validates the JSON texts of a byte stream, whose bytes may arrive in any pieces. It stores no bytes.
///
/// A bracket is `{` or `[`. A text that begins with a bracket ends with the bracket that closes it. Any other text ends with its line.
/// After an invalid text, framing resumes at the next line, so that one damaged request does not affect the next. If the first invalid byte
/// is after the first line of the text, framing resumes after the closing bracket, because the remaining lines are not requests.
public struct Framer: Sendable {
  /// The result of one step of framing: a text, a problem, or the need for more bytes.
  public enum Event: Sendable, Equatable {
    /// The range of one text. A text that begins with a bracket is valid JSON. Other lines are not validated. `exceeds` is nil if the text
    /// is within the limits.
    case text(Range<Int>, exceeds: Excess?)
    /// A text is not JSON. The position in the error is the offset from the beginning of the text. The next call must continue at `end`.
    case invalid(JSONError, end: Int)
    /// A text is longer than the maximum. The next call must continue at `end`. The remainder of the text is skipped without another event.
    case tooLong(end: Int)
    /// The text is incomplete. The next call must pass the bytes from this index on again, followed by more bytes.
    case more(keeping: Int)
    /// More than 16 times the maximum size was skipped in one text, and the stream is unusable.
    case lost
  }

  /// A limit that a text exceeds.
  public enum Excess: Sendable, Equatable { case depth, values }

  /// The position of the next byte: between texts, in a text in brackets that is valid so far, in a line, or in the remainder of an invalid
  /// text, which is skipped to the end of its line or to its closing bracket.
  private enum Mode { case betweenTexts, bracketed, line, skippingLine, skippingBrackets }
  private var mode = Mode.betweenTexts
  private var scanner = JSONTextScanner()
  /// The number of scanned bytes of the current text, which the next call must pass again.
  private(set) var scannedBytes = 0
  /// The number of bytes of the current text that were scanned and need not be passed again.
  private var droppedBytes = 0
  /// True if the current text was reported as too long or invalid.
  private var isReported = false
  private let maximum: Int
  private let limits: JSONLimits

  /// - Parameters:
  ///   - maximum: the maximum number of bytes of a text.
  ///   - limits: the depth and the number of values above which a text is reported as excessive.
  public init(maximum: Int = 1 << 20, limits: JSONLimits = JSONLimits()) {
    self.maximum = maximum
    self.limits = limits
  }

  /// True if a text has begun and not ended.
  public var isInsideText: Bool { mode != .betweenTexts }

  /// Finds the next event from `start` on. After `more(keeping:)`, the next call must pass the same bytes from that index on. The
  /// remainder of a reported text has no event of its own.
  /// - Parameter outline: receives the outline of a text that begins with a bracket; nil if none is needed.
  public mutating func next(in bytes: Span<UInt8>, from start: Int, outline: RequestOutline? = nil) -> Event {
    var start = start
    // Each iteration finds the end of one text. It first begins a new text, unless the current text is incomplete.
    while true {
      if mode == .betweenTexts {
        while start < bytes.count, bytes[start].isJSONSpace { start += 1 }
        guard start < bytes.count else { return .more(keeping: start) }
        // If a complete request in the usual form begins here, the outline validates it and finds its end, and the scanner is not needed.
        if let count = outline?.scan(bytes.extracting(start...), depth: limits.depth) {
          return count > maximum ? .tooLong(end: start + count) : .text(start..<start + count, exceeds: nil)
        }
        let beginsWithBracket = bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
        beginText(beginsWithBracket ? .bracketed : .line)
      }
      let end: Int
      switch mode {
      case .bracketed:
        switch scanner.advance(in: bytes, from: start + scannedBytes) {
        case .complete(let index):
          end = index
          // The outline was not found above, because the text has arrived in parts or has another form.
          _ = outline?.scan(bytes.extracting(start..<end), depth: limits.depth)
        case .invalid(let reason, let index):
          if let event = handleInvalidByte(reason, at: index, in: bytes, from: start) { return event }
          // The text was already reported, so the search continues where framing resumes.
          start = mode == .betweenTexts && bytes[index] == 0x0A ? index + 1 : index
          continue
        case nil: return eventIfIncomplete(in: bytes, from: start)
        }
      case .skippingBrackets:
        guard let index = scanner.skip(in: bytes, from: start) else { return eventIfIncomplete(in: bytes, from: start) }
        end = index
      default:
        guard let index = bytes.index(of: 0x0A, in: start + scannedBytes..<bytes.count) else {
          return eventIfIncomplete(in: bytes, from: start)
        }
        end = mode == .line ? index : index + 1
      }
      scannedBytes = 0
      defer { mode = .betweenTexts }
      if !isReported { return end - start > maximum ? .tooLong(end: end) : .text(start..<end, exceeds: excess) }
      start = end
    }
  }

  /// Ends the stream. Returns the event for the remaining bytes; nil if there is none.
  /// - Parameter remaining: the range of the bytes from the index of the last `more(keeping:)` on.
  public mutating func finish(remaining: Range<Int>) -> Event? {
    defer { mode = .betweenTexts }
    if isReported && mode != .betweenTexts { return nil }
    switch mode {
    case .line: return remaining.count > maximum ? .tooLong(end: remaining.upperBound) : .text(remaining, exceeds: nil)
    case .bracketed: return .invalid(JSONError(.unexpectedEnd, at: remaining.count), end: remaining.upperBound)
    default: return nil
    }
  }

  private mutating func beginText(_ mode: Mode) {
    self.mode = mode
    scanner = JSONTextScanner()
    scannedBytes = 0
    droppedBytes = 0
    isReported = false
  }

  /// The limit that the current text exceeds; nil if there is none.
  private var excess: Excess? {
    if mode == .line { return nil }
    if scanner.maxDepth > limits.depth { return .depth }
    return scanner.valueCount > limits.values ? .values : nil
  }

  /// Determines where framing resumes after an invalid byte. Returns the event to report; nil if the text was already reported.
  private mutating func handleInvalidByte(_ reason: JSONError.Reason, at index: Int, in bytes: Span<UInt8>, from start: Int) -> Event? {
    let wasReported = isReported
    var end = index
    let byte = bytes[index]
    if byte == 0x0A {
      mode = .betweenTexts
      end = index + 1
    } else if scanner.expectsSeparator, index > start, bytes[index - 1] == 0x0A, byte | 0x20 == UInt8(ascii: "{") {
      // The current text was truncated, and this bracket at the beginning of a line begins the next text. `[` | 0x20 is `{`.
      mode = .betweenTexts
    } else {
      mode = scanner.hasLineBreaks ? .skippingBrackets : .skippingLine
    }
    let offset = droppedBytes + index - start
    droppedBytes = offset
    scannedBytes = 0
    isReported = true
    if wasReported { return nil }
    return offset > maximum ? .tooLong(end: end) : .invalid(JSONError(reason, at: offset), end: end)
  }

  /// The event for a text that continues after the bytes.
  private mutating func eventIfIncomplete(in bytes: Span<UInt8>, from start: Int) -> Event {
    let count = bytes.count - start
    guard isReported || count > maximum else {
      scannedBytes = count
      return .more(keeping: start)
    }
    droppedBytes += count
    scannedBytes = 0
    if isReported { return droppedBytes > 16 * maximum ? .lost : .more(keeping: bytes.count) }
    isReported = true
    return .tooLong(end: bytes.count)
  }
}

extension UInt8 {
  /// White space between JSON tokens (RFC 8259, section 2).
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
