/// Collects the bytes of a stream and returns its JSON texts.
public struct FrameBuffer: Sendable {
  /// A JSON text, or the report of a problem with the stream.
  public enum Frame: Sendable, Equatable {
    case text([UInt8])
    /// A text that is not JSON was skipped (`Framer.Event.invalid`).
    case invalid
    /// A text is longer than the maximum, and is skipped. Its last bytes may not have arrived yet.
    case tooLong
    /// The stream is unusable (`Framer.Event.lost`), and no more frames follow.
    case lost
  }

  private var bytes: [UInt8] = []
  /// The index of the first byte that has not been returned or skipped.
  private var start = 0
  private var framer: Framer
  private var isLost = false

  /// - Parameter maximum: the maximum number of bytes of one text. The buffer grows to about the same size.
  public init(maximum: Int = 1 << 20) { framer = Framer(maximum: maximum) }

  /// True if the buffer contains no bytes, and no text is incomplete.
  public var isEmpty: Bool { start == bytes.count && !framer.isInsideText && !isLost }

  public mutating func append(_ newBytes: some Collection<UInt8>) {
    guard !isLost else { return }
    bytes.removeSubrange(0..<start)
    start = 0
    bytes.append(contentsOf: newBytes)
  }

  /// Removes and returns the next frame; nil if there is none until more bytes are appended.
  public mutating func next() -> Frame? {
    guard !isLost else { return nil }
    var framer = self.framer
    let event = framer.next(in: bytes.span, from: start)
    self.framer = framer
    switch event {
    case .text(let range, _):
      start = range.upperBound
      return .text(Array(bytes[range]))
    case .invalid(_, let end):
      start = end
      return .invalid
    case .tooLong(let end):
      start = end
      return .tooLong
    case .more(let keeping):
      start = keeping
      return nil
    case .lost:
      bytes = []
      start = 0
      isLost = true
      return .lost
    }
  }

  /// Ends the stream. Returns the frame of the bytes that remain, such as a last line without a line break; nil if there is none.
  public mutating func finish() -> Frame? {
    guard !isLost else { return nil }
    let remaining = start..<bytes.count
    switch framer.finish(remaining: remaining) {
    case .text(let range, _): return .text(Array(bytes[range]))
    case .tooLong: return .tooLong
    case nil: return nil
    default: return .invalid
    }
  }
}
