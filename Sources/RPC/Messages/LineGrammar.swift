import PlacesKit

/// Whether the lines of a text that has not ended can begin a JSON text. No token of JSON holds a line break, so that each line is
/// looked at alone and once.
struct LineGrammar: Sendable {
  private enum Next { case value, valueOrEnd, key, keyOrEnd, colon, separator }
  private var next = Next.value
  /// The brackets that are open, the innermost last: true for an object.
  private var objects: [Bool] = []

  /// Takes the next line, without its break.
  mutating func accepts(_ line: Span<UInt8>) -> Bool {
    var scanner = JSONScanner()
    while let byte = scanner.peek(in: line) {
      switch (byte, next) {
      case (UInt8(ascii: "{"), .value), (UInt8(ascii: "{"), .valueOrEnd): open(object: true)
      case (UInt8(ascii: "["), .value), (UInt8(ascii: "["), .valueOrEnd): open(object: false)
      case (UInt8(ascii: "}"), .keyOrEnd), (UInt8(ascii: "]"), .valueOrEnd): close()
      case (UInt8(ascii: "}"), .separator) where objects.last == true: close()
      case (UInt8(ascii: "]"), .separator) where objects.last == false: close()
      case (UInt8(ascii: ","), .separator): next = objects.last == true ? .key : .value
      case (UInt8(ascii: ":"), .colon): next = .value
      case (UInt8(ascii: "\""), .key), (UInt8(ascii: "\""), .keyOrEnd), (_, .value), (_, .valueOrEnd):
        guard LineGrammar.pass(&scanner, in: line) else { return false }
        next = next == .key || next == .keyOrEnd ? .colon : .separator
        continue
      default: return false
      }
      scanner.position += 1
    }
    return true
  }

  private mutating func open(object: Bool) {
    objects.append(object)
    next = object ? .keyOrEnd : .valueOrEnd
  }

  private mutating func close() {
    _ = objects.popLast()
    next = .separator
  }

  /// Steps over a string, a number or a word.
  private static func pass(_ scanner: inout JSONScanner, in line: Span<UInt8>) -> Bool {
    let start = scanner.position
    if scanner.value(in: line) != nil { return true }
    // Of numbers alone the scanner leaves some to the parser.
    var end = start
    while end < line.count, line[end].isPartOfNumber { end += 1 }
    scanner.position = end
    return (try? JSONValue(parsing: line.array(in: start..<end))) != nil
  }
}

extension UInt8 {
  fileprivate var isPartOfNumber: Bool {
    self &- UInt8(ascii: "0") < 10 || self | 0x20 == UInt8(ascii: "e") || [0x2B, 0x2D, 0x2E].contains(self)
  }
}
