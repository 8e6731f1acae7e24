/// Splits a stream of bytes into lines. It does no I/O.
struct LineSplitter {
  private var incompleteLine: [UInt8] = []
  /// The maximum length of a line, in bytes without the line feed.
  let maxLength: Int

  init(maxLength: Int) { self.maxLength = maxLength }

  /// Returns the lines that the piece completes, without their line feeds. Empty lines are dropped.
  /// - Throws: `ProtocolFault` as soon as a line is longer than allowed, complete or not.
  mutating func add(_ piece: [UInt8]) throws(ProtocolFault) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = 0
    while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
      try append(piece[start..<end])
      if !incompleteLine.isEmpty { lines.append(incompleteLine) }
      incompleteLine = []
      start = end + 1
    }
    try append(piece[start...])
    return lines
  }

  private mutating func append(_ part: ArraySlice<UInt8>) throws(ProtocolFault) {
    guard incompleteLine.count + part.count <= maxLength else { throw ProtocolFault("it wrote a line longer than \(maxLength) bytes") }
    incompleteLine += part
  }
}
