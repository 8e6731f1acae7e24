/// Follows brackets and strings up to the partner of the first bracket.
struct BracketScan: Sendable {
  enum End: Equatable {
    /// The text ends before this index.
    case complete(Int)
    /// What came can be no JSON text. The next one begins at this index or, where `resumes` is false, on a later line.
    case broken(end: Int, resumes: Bool)
    /// The lines up to this index can be no JSON text, but its brackets may still close on others, which are part of it.
    case damaged(Int)
  }

  private var depth = 0
  /// One bit for each of the innermost 64 levels, the innermost lowest: set for an object.
  private var objects: UInt64 = 0
  /// The levels further out, 64 a word.
  private var outer: [UInt64] = []
  private var inString = false
  private var escaped = false
  /// Whether a value or a key ended and neither comma nor colon came yet.
  private var afterValue = false
  /// Whether the last byte was a line break.
  private var lineStarts = false
  private var grammar = LineGrammar()
  /// How many bytes of the text the grammar has taken.
  private var taken = 0

  /// Looks at the bytes from `index` on. Nil where the end has not come yet.
  /// - Parameter start: where the text begins; nil where its beginning is no longer there, and it is its brackets alone that count.
  mutating func advance(in bytes: Span<UInt8>, from index: Int, text start: Int?) -> End? {
    var index = index
    while index < bytes.count {
      let byte = bytes[index]
      if inString {
        if escaped {
          escaped = false
        } else if byte == UInt8(ascii: "\\") {
          escaped = true
        } else if byte == UInt8(ascii: "\"") {
          inString = false
          afterValue = true
        }
        if byte == 0x0A { return .broken(end: index + 1, resumes: true) }
      } else if let end = token(byte, at: index) {
        return end
      } else if byte == 0x0A, let start {
        // Who sent a whole line waits for an answer. A text of several lines is one all the same: nothing in it is asked for by itself.
        guard grammar.accepts(bytes.extracting(start + taken..<index)) else {
          lineStarts = true
          return taken == 0 ? .broken(end: index + 1, resumes: true) : .damaged(index + 1)
        }
        taken = index + 1 - start
      }
      lineStarts = byte == 0x0A
      index += 1
    }
    return nil
  }

  private mutating func token(_ byte: UInt8, at index: Int) -> End? {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if afterValue { return .broken(end: lineStarts ? index : index + 1, resumes: lineStarts) }
      if depth > 0, depth.isMultiple(of: 64) { outer.append(objects) }
      depth += 1
      objects = objects << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
    case UInt8(ascii: "\""):
      if afterValue { return .broken(end: index + 1, resumes: false) }
      inString = true
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      close(object: byte == UInt8(ascii: "}"))
      if depth == 0 { return .complete(index + 1) }
      afterValue = true
    case UInt8(ascii: ","), UInt8(ascii: ":"): afterValue = false
    case 0x20, 0x09, 0x0A, 0x0D: break
    default: afterValue = true
    }
    return nil
  }

  /// A bracket closes its nearest partner and all that is open inside; one without partner ends the text. Either way it is the
  /// parser that says what is wrong.
  private mutating func close(object: Bool) {
    let wanted: UInt64 = object ? 1 : 0
    while depth > 0 {
      let matches = objects & 1 == wanted
      depth -= 1
      objects >>= 1
      if depth > 0, depth.isMultiple(of: 64), let word = outer.popLast() { objects = word }
      if matches { return }
    }
  }
}
