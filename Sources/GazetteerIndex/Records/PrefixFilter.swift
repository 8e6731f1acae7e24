import Text

/// A Bloom filter of prefixes and terms (Bloom 1970; blocked as by Putze, Sanders and Singler 2007). Each prefix or term sets up to four
/// bits of one word, so that a look-up is one memory access. About three in a hundred look-ups of absent texts return true.
///
/// It contains these texts as FNV-1a hashes:
/// - the prefixes of terms that typing errors are corrected to (`TermKind.isFuzzy`), without their kind;
/// - the prefixes of all terms whose kind has prefixes (`TermKind.hasPrefixes`), with their kind;
/// - every term, and every prefix with a list of its own, with its kind and a zero byte at the end.
struct PrefixFilter: Sendable {
  /// The maximum length in bytes of a prefix without its kind.
  static let maxLength = 20
  /// The maximum length in bytes of a prefix with its kind, which is not counted. Longer prefixes would exclude few more texts.
  static let maxKindPrefixLength = 12

  private let words: MappedRegion
  /// The index of the filter's first word.
  private let firstWord: Int
  /// The number of words, which is a power of two, minus one.
  private let mask: UInt64

  /// The filter in `count` words from `firstWord` on; nil unless the count is a power of two.
  init?(_ words: MappedRegion, from firstWord: Int, count: Int) {
    guard count > 0, count & (count - 1) == 0, firstWord >= 0, firstWord + count <= words.count else { return nil }
    self.words = words
    self.firstWord = firstWord
    mask = UInt64(count - 1)
  }

  /// Whether a text with this hash may be in the filter. If false, the filter certainly lacks it.
  func mayContain(_ hash: UInt64) -> Bool {
    let (word, bits) = PrefixFilter.bits(hash)
    return words[firstWord + Int(word & mask)] & bits == bits
  }

  /// The hash of the empty prefix; `extended` adds a byte.
  static var seed: UInt64 { FNV1a.seed }
  static func extended(_ hash: UInt64, _ byte: UInt8) -> UInt64 { FNV1a.extended(hash, UInt64(byte)) }

  /// Whether a term with this first byte and text may exist. If false, the filter certainly lacks it.
  func mayHaveTerm(_ kind: UInt8, _ text: String) -> Bool {
    mayContain(PrefixFilter.hashOfWhole(FNV1a.hash(text.utf8, after: PrefixFilter.extended(PrefixFilter.seed, kind))))
  }

  /// Whether a term of a kind may begin with a text. If false, the filter certainly lacks it.
  func mayHavePrefix(_ kind: TermKind, _ text: String) -> Bool {
    let start = text.utf8.prefix(PrefixFilter.maxKindPrefixLength)
    return mayContain(FNV1a.hash(start, after: PrefixFilter.extended(PrefixFilter.seed, kind.rawValue)))
  }

  /// The hash of a whole term, given the hash of its bytes as a prefix. A zero byte marks the end, because no text contains one.
  static func hashOfWhole(_ hash: UInt64) -> UInt64 { extended(hash, 0) }

  /// The bits for a hash, and the number of their word, which the caller reduces modulo the size of the filter.
  fileprivate static func bits(_ hash: UInt64) -> (word: UInt64, bits: UInt64) {
    // The high bits of an FNV hash of a short text are poorly mixed.
    var mixed = hash ^ (hash >> 32)
    mixed = mixed &* 0x9E37_79B9_7F4A_7C15
    let bits = (1 << (mixed & 63)) | (1 << (mixed >> 6 & 63)) | (1 << (mixed >> 12 & 63)) | (1 << (mixed >> 18 & 63)) as UInt64
    return (mixed >> 24, bits)
  }
}

/// Fills the words of a `PrefixFilter`.
struct PrefixFilterBuilder {
  private(set) var words: [UInt64]

  /// Creates an empty filter with at least eight bits for each hash. Since some hashes are repeated, each distinct hash has ten or more
  /// bits.
  /// - Parameter capacity: the number of hashes that will be inserted, repetitions included.
  init(capacity: Int) {
    var wordCount = 64
    while wordCount * 64 < capacity * 8 { wordCount *= 2 }
    words = [UInt64](repeating: 0, count: wordCount)
  }

  mutating func insert(_ hash: UInt64) {
    let (word, bits) = PrefixFilter.bits(hash)
    words[Int(word & UInt64(words.count - 1))] |= bits
  }
}
