import Text

/// A Bloom filter of prefixes and terms (Bloom 1970; blocked as by Putze, Sanders and Singler 2007). Each prefix or term sets up to four
/// bits of one word, so that a look-up is one memory access. About three of a hundred look-ups of absent texts are answered wrongly.
///
/// It contains, as FNV-1a hashes: the prefixes of terms that typing errors are corrected to, without their kind; the prefixes of all terms
/// whose kind has prefixes (`TermKind.hasPrefixes`), with their kind; and every term, and every prefix with a list of its own, with its
/// kind and a zero byte at the end.
struct PrefixFilter: Sendable {
  /// Longer prefixes are not in the filter.
  static let maxLength = 20
  /// The longest prefix with a kind: longer prefixes hardly distinguish terms.
  static let maxKindPrefixLength = 12

  private let words: MappedRegion
  /// The index of the filter's first word.
  private let first: Int
  /// The number of words, a power of two, minus one.
  private let mask: UInt64

  /// The filter in `count` words from `first` on; nil unless the count is a power of two.
  init?(_ words: MappedRegion, from first: Int, count: Int) {
    guard count > 0, count & (count - 1) == 0, first >= 0, first + count <= words.count else { return nil }
    self.words = words
    self.first = first
    mask = UInt64(count - 1)
  }

  /// Whether a text with this hash may be in the filter. False is certain.
  func mayContain(_ hash: UInt64) -> Bool {
    let (word, bits) = PrefixFilter.bits(hash)
    return words[first + Int(word & mask)] & bits == bits
  }

  /// The hash of the empty prefix; `extended` adds a byte.
  static var seed: UInt64 { FNV1a.seed }
  static func extended(_ hash: UInt64, _ byte: UInt8) -> UInt64 { FNV1a.extended(hash, UInt64(byte)) }

  /// Whether a term with this first byte and text may exist.
  func mayHold(_ kind: UInt8, _ text: String) -> Bool {
    mayContain(PrefixFilter.hashOfWhole(FNV1a.hash(text.utf8, after: PrefixFilter.extended(PrefixFilter.seed, kind))))
  }

  /// Whether a term of a kind may begin with a text.
  func mayBegin(_ kind: TermKind, _ text: String) -> Bool {
    let start = text.utf8.prefix(PrefixFilter.maxKindPrefixLength)
    return mayContain(FNV1a.hash(start, after: PrefixFilter.extended(PrefixFilter.seed, kind.rawValue)))
  }

  /// The hash of a whole term, given the hash of its bytes as a prefix. A zero byte marks the end, because no text contains one.
  static func hashOfWhole(_ hash: UInt64) -> UInt64 { extended(hash, 0) }

  /// The number of the word for a hash, before it is cut to the size of the filter, and the bits in that word.
  fileprivate static func bits(_ hash: UInt64) -> (word: UInt64, bits: UInt64) {
    // The high bits of FNV are poorly mixed for short texts.
    var mixed = hash ^ (hash >> 32)
    mixed = mixed &* 0x9E37_79B9_7F4A_7C15
    let bits = (1 << (mixed & 63)) | (1 << (mixed >> 6 & 63)) | (1 << (mixed >> 12 & 63)) | (1 << (mixed >> 18 & 63)) as UInt64
    return (mixed >> 24, bits)
  }
}

/// Fills a filter.
struct PrefixFilterBuilder {
  private(set) var words: [UInt64]

  /// An empty filter with at least eight bits for each hash. Since some hashes are repeated, these are ten or more bits for each distinct
  /// hash.
  /// - Parameter capacity: the number of hashes that will be inserted, repetitions included.
  init(capacity: Int) {
    var size = 64
    while size * 64 < capacity * 8 { size *= 2 }
    words = [UInt64](repeating: 0, count: size)
  }

  mutating func insert(_ hash: UInt64) {
    let (word, bits) = PrefixFilter.bits(hash)
    words[Int(word & UInt64(words.count - 1))] |= bits
  }
}
