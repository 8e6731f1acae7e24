import Synchronization

/// A Bloom filter of the answers in the database, so that a lookup does not wait for the disk if there is no answer, which is the case for
/// most texts. A false positive only causes an unnecessary read (Bloom, "Space/time trade-offs in hash coding with allowable errors",
/// 1970).
final class AnswerFilter: Sendable {
  private struct State {
    /// A power of two words; empty while the contents of the database are not known.
    var words: [UInt64] = []
    /// Rows added since the filter was filled.
    var added = 0
  }
  private let state = Mutex(State())

  /// Bits per row, for a false positive rate of one to two percent.
  private static let bitsPerRow = 16
  /// Room for rows that are added after the filter was filled.
  private static let spareRows = 1 << 16
  /// 1 MiB. With more rows the false positive rate rises.
  private static let maxBits = 1 << 23

  /// Replaces the contents with these rows.
  func fill(_ numbers: [Int64]) {
    var bits = 64
    while bits < min(AnswerFilter.maxBits, (numbers.count + AnswerFilter.spareRows) * AnswerFilter.bitsPerRow) { bits *= 2 }
    var filled = State(words: [UInt64](repeating: 0, count: bits / 64))
    for number in numbers { AnswerFilter.add(number, to: &filled) }
    filled.added = 0
    state.withLock { $0 = filled }
  }

  /// Clears the filter: the database may contain any row.
  func forget() { state.withLock { $0 = State() } }

  /// Call it before the row is written.
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

  /// Two bits from the halves of the number. It is already a hash, but its halves are correlated, so it is mixed once more.
  private static func bits(of number: Int64, in state: State) -> (Bit, Bit) {
    let mixed = (UInt64(bitPattern: number) ^ UInt64(bitPattern: number) >> 31) &* 0x9E37_79B9_7F4A_7C15
    func bit(_ half: UInt64) -> Bit { (Int(half >> 6) & (state.words.count - 1), 1 << (half & 63)) }
    return (bit(mixed >> 32), bit(mixed & 0xFFFF_FFFF))
  }
}
