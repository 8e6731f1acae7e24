import Synchronization

/// A Bloom filter of the answers in the database (Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970). For most
/// texts the database has no answer, and then a lookup need not wait for the disk. A false positive only causes an unnecessary read.
final class AnswerFilter: Sendable {
  private struct State {
    /// The bits of the filter. The number of words is a power of two, or 0 while the contents of the database are not known.
    var words: [UInt64] = []
    /// The number of rows that were added since the filter was filled.
    var added = 0
  }
  private let state = Mutex(State())

  /// The number of bits for each row. With 16 bits, one to two percent of lookups are false positives.
  private static let bitsPerRow = 16
  /// The number of rows that can be added after the filter was filled.
  private static let spareRows = 1 << 16
  /// The maximum size, 1 MiB. If there are so many rows that they need more, there are more false positives.
  private static let maxBits = 1 << 23

  /// Replaces the contents with the rows that have these ids.
  func fill(_ numbers: [Int64]) {
    var bits = 64
    while bits < min(AnswerFilter.maxBits, (numbers.count + AnswerFilter.spareRows) * AnswerFilter.bitsPerRow) { bits *= 2 }
    var filled = State(words: [UInt64](repeating: 0, count: bits / 64))
    for number in numbers { AnswerFilter.add(number, to: &filled) }
    filled.added = 0
    state.withLock { $0 = filled }
  }

  /// Clears the filter, because the contents of the database are no longer known.
  func forget() { state.withLock { $0 = State() } }

  /// Adds a row. This must be called before the row is written.
  func add(_ number: Int64) { state.withLock { AnswerFilter.add(number, to: &$0) } }

  /// False if the row is not in the database.
  func mayHold(_ number: Int64) -> Bool {
    state.withLock { state in
      guard !state.words.isEmpty else { return true }
      let (first, second) = AnswerFilter.bits(of: number, in: state)
      return state.words[first.word] & first.mask != 0 && state.words[second.word] & second.mask != 0
    }
  }

  /// True if enough rows were added that the filter should be rebuilt.
  var isOverfull: Bool { state.withLock { $0.added * AnswerFilter.bitsPerRow > $0.words.count * 64 } }

  private static func add(_ number: Int64, to state: inout State) {
    guard !state.words.isEmpty else { return }
    let (first, second) = bits(of: number, in: state)
    state.words[first.word] |= first.mask
    state.words[second.word] |= second.mask
    state.added += 1
  }

  private typealias Bit = (word: Int, mask: UInt64)

  /// The two bits of a row, one from each half of its id. The id is a hash whose halves are correlated, so that it must be mixed first.
  private static func bits(of number: Int64, in state: State) -> (Bit, Bit) {
    let mixed = (UInt64(bitPattern: number) ^ UInt64(bitPattern: number) >> 31) &* 0x9E37_79B9_7F4A_7C15
    func bit(_ half: UInt64) -> Bit { (Int(half >> 6) & (state.words.count - 1), 1 << (half & 63)) }
    return (bit(mixed >> 32), bit(mixed & 0xFFFF_FFFF))
  }
}
