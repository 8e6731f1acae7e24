import Synchronization

/// A Bloom filter of the answers in the database (Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970). Most
/// lookups are for answers that the database does not have. Thanks to the filter, most of them do not wait for the disk. A false positive
/// only causes an unnecessary read.
final class AnswerFilter: Sendable {
  private struct State {
    /// The bits of the filter. The number of words is a power of two, or 0 while the contents of the database are not known.
    var words: [UInt64] = []
    /// The number of rows that were added since the filter was filled.
    var addedCount = 0
  }
  private let state = Mutex(State())

  /// The number of bits for each row. With 16 bits, one to two percent of lookups are false positives.
  private static let bitsPerRow = 16
  /// The number of rows that can be added after the filter was filled, before false positives become more frequent.
  private static let spareRows = 1 << 16
  /// The maximum number of bits: 1 MiB of memory. If the rows need more bits, there are more false positives.
  private static let maxBits = 1 << 23

  /// Replaces the contents with the rows that have these ids.
  func fill(_ rowIDs: [Int64]) {
    var bits = 64
    while bits < min(AnswerFilter.maxBits, (rowIDs.count + AnswerFilter.spareRows) * AnswerFilter.bitsPerRow) { bits *= 2 }
    var newState = State(words: [UInt64](repeating: 0, count: bits / 64))
    for rowID in rowIDs { AnswerFilter.add(rowID, to: &newState) }
    newState.addedCount = 0
    state.withLock { $0 = newState }
  }

  /// Clears the filter, because the contents of the database are no longer known.
  func clear() { state.withLock { $0 = State() } }

  /// Adds a row. This must be called before the row is written.
  func add(_ rowID: Int64) { state.withLock { AnswerFilter.add(rowID, to: &$0) } }

  /// False if the row is certainly not in the database. True if it may be, or if the contents of the database are not known.
  func mayContain(_ rowID: Int64) -> Bool {
    state.withLock { state in
      guard !state.words.isEmpty else { return true }
      let (firstBit, secondBit) = AnswerFilter.bits(of: rowID, in: state)
      return state.words[firstBit.word] & firstBit.mask != 0 && state.words[secondBit.word] & secondBit.mask != 0
    }
  }

  /// True if so many rows were added since the filter was filled that false positives are frequent. The filter should then be filled again.
  var isOverfull: Bool { state.withLock { $0.addedCount * AnswerFilter.bitsPerRow > $0.words.count * 64 } }

  private static func add(_ rowID: Int64, to state: inout State) {
    guard !state.words.isEmpty else { return }
    let (firstBit, secondBit) = bits(of: rowID, in: state)
    state.words[firstBit.word] |= firstBit.mask
    state.words[secondBit.word] |= secondBit.mask
    state.addedCount += 1
  }

  private typealias Bit = (word: Int, mask: UInt64)

  /// The two bits of a row, one from each half of its mixed id. The id is a hash whose halves are correlated, so its bits are mixed first,
  /// with a multiplication by 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, section 6.4).
  private static func bits(of rowID: Int64, in state: State) -> (Bit, Bit) {
    let mixed = (UInt64(bitPattern: rowID) ^ UInt64(bitPattern: rowID) >> 31) &* 0x9E37_79B9_7F4A_7C15
    func bit(_ half: UInt64) -> Bit { (Int(half >> 6) & (state.words.count - 1), 1 << (half & 63)) }
    return (bit(mixed >> 32), bit(mixed & 0xFFFF_FFFF))
  }
}
