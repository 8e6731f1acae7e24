import Synchronization

/// Which answers the database may hold, so that nobody waits for a disk to hear that there is nothing: most of what is typed was
/// never asked before. It errs on one side alone, and then the disk is asked in vain (Bloom, "Space/time trade-offs in hash coding
/// with allowable errors", 1970).
final class AnswerFilter: Sendable {
  private struct State {
    /// A power of two of them; none while nobody knows what the database holds.
    var words: [UInt64] = []
    /// Rows that came since it was filled.
    var added = 0
  }
  private let state = Mutex(State())

  /// Bits for each row: of a hundred rows that are not there, one or two are taken for there.
  private static let bitsPerRow = 16
  /// Room for new rows beside those that are there at first.
  private static let spareRows = 1 << 16
  /// 1 MiB: with more rows than that is meant for, it errs more often.
  private static let mostBits = 1 << 23

  /// Takes these for all rows that there are.
  func fill(_ numbers: [Int64]) {
    var bits = 64
    while bits < min(AnswerFilter.mostBits, (numbers.count + AnswerFilter.spareRows) * AnswerFilter.bitsPerRow) { bits *= 2 }
    var filled = State(words: [UInt64](repeating: 0, count: bits / 64))
    for number in numbers { AnswerFilter.add(number, to: &filled) }
    filled.added = 0
    state.withLock { $0 = filled }
  }

  /// The database may hold anything.
  func forget() { state.withLock { $0 = State() } }

  /// The row is about to be written.
  func add(_ number: Int64) { state.withLock { AnswerFilter.add(number, to: &$0) } }

  /// False where the row is certainly not there.
  func mayHold(_ number: Int64) -> Bool {
    state.withLock { state in
      guard !state.words.isEmpty else { return true }
      let (first, second) = AnswerFilter.bits(of: number, in: state)
      return state.words[first.word] & first.mask != 0 && state.words[second.word] & second.mask != 0
    }
  }

  /// Whether so many rows came, perhaps in the place of others, that it should be filled anew.
  var isCrowded: Bool { state.withLock { $0.added * AnswerFilter.bitsPerRow > $0.words.count * 64 } }

  private static func add(_ number: Int64, to state: inout State) {
    guard !state.words.isEmpty else { return }
    let (first, second) = bits(of: number, in: state)
    state.words[first.word] |= first.mask
    state.words[second.word] |= second.mask
    state.added += 1
  }

  private typealias Bit = (word: Int, mask: UInt64)

  /// Two bits from the halves of a number that is a hash already, mixed once more, since its halves have much in common.
  private static func bits(of number: Int64, in state: State) -> (Bit, Bit) {
    let mixed = (UInt64(bitPattern: number) ^ UInt64(bitPattern: number) >> 31) &* 0x9E37_79B9_7F4A_7C15
    func bit(_ half: UInt64) -> Bit { (Int(half >> 6) & (state.words.count - 1), 1 << (half & 63)) }
    return (bit(mixed >> 32), bit(mixed & 0xFFFF_FFFF))
  }
}
