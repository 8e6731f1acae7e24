/// Collects the bytes of a stream and gives its JSON texts, for streams that are read as they come: a child's pipe, a client's socket.
public struct FrameBuffer: Sendable {
  /// What a stream gave.
  public enum Frame: Sendable, Equatable {
    case text([UInt8])
    /// Something that is no JSON text was skipped.
    case broken
    /// A text longer than allowed was, or is being, skipped.
    case tooLong
    /// The stream is given up; nothing more comes.
    case lost
  }

  private var bytes: [UInt8] = []
  private var start = 0
  private var framer: Framer
  private var isLost = false

  /// Texts may have so many bytes; little more than that is ever kept.
  public init(maximum: Int = 1 << 20) { framer = Framer(maximum: maximum) }

  public mutating func append(_ more: some Collection<UInt8>) {
    guard !isLost else { return }
    bytes.removeSubrange(0..<start)
    start = 0
    bytes.append(contentsOf: more)
  }

  /// The next text, or nil until more is appended.
  public mutating func next() -> Frame? {
    guard !isLost else { return nil }
    var framer = self.framer
    let event = framer.next(in: bytes.span, from: start)
    self.framer = framer
    switch event {
    case .text(let range):
      start = range.upperBound
      return .text(Array(bytes[range]))
    case .broken(let end):
      start = end
      return .broken
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

  /// The stream has ended: what its last bytes make, or nil.
  public mutating func finish() -> Frame? {
    guard !isLost else { return nil }
    let kept = start..<bytes.count
    switch framer.finish(kept: kept) {
    case .text(let range): return .text(Array(bytes[range]))
    case nil: return nil
    default: return .broken
    }
  }
}
