import Text

/// A Bloom filter of prefixes and terms (Bloom 1970; blocked as Putze, Sanders and Singler 2007): each sets four bits of one word, so that a look
/// is one memory access. It says "no" for certain and "yes" wrongly in about three of a hundred cases.
///
/// It holds the prefixes of what may be mistyped, whatever its kind; the prefixes of each kind; and every term, so that what nobody is called
/// is not looked for among the terms.
struct PrefixFilter: Sendable {
  /// Longer prefixes are not kept.
  static let longest = 20
  /// Longer ones of a kind are not kept either: few that begin with so many letters of another text go on otherwise.
  static let longestOfKind = 12

  private let words: MappedRegion
  private let first: Int
  private let mask: UInt64

  /// The filter that `count` of the words are, from the word at `first` on; nil unless their number is a power of two.
  init?(_ words: MappedRegion, from first: Int, count: Int) {
    guard count > 0, count & (count - 1) == 0, first >= 0, first + count <= words.count else { return nil }
    self.words = words
    self.first = first
    mask = UInt64(count - 1)
  }

  func mayContain(_ hash: UInt64) -> Bool {
    let (word, bits) = PrefixFilter.bits(hash)
    return words[first + Int(word & mask)] & bits == bits
  }

  /// The hash of the empty prefix; `extended` adds a byte.
  static var seed: UInt64 { FNV1a.seed }
  static func extended(_ hash: UInt64, _ byte: UInt8) -> UInt64 { FNV1a.extended(hash, UInt64(byte)) }

  /// Whether there may be a term of these bytes: a kind, or a kind of prefixes, and a text.
  func mayHold(_ kind: UInt8, _ text: String) -> Bool {
    mayContain(PrefixFilter.ended(FNV1a.hash(text.utf8, after: PrefixFilter.extended(PrefixFilter.seed, kind))))
  }

  /// Whether a term of a kind may begin with a text.
  func mayBegin(_ kind: TermKind, _ text: String) -> Bool {
    let start = text.utf8.prefix(PrefixFilter.longestOfKind)
    return mayContain(FNV1a.hash(start, after: PrefixFilter.extended(PrefixFilter.seed, kind.rawValue)))
  }

  /// The hash of a whole term from that of its letters; no text holds a zero.
  static func ended(_ hash: UInt64) -> UInt64 { extended(hash, 0) }

  fileprivate static func bits(_ hash: UInt64) -> (word: UInt64, bits: UInt64) {
    // FNV mixes its high bits badly for short texts.
    var mixed = hash ^ (hash >> 32)
    mixed = mixed &* 0x9E37_79B9_7F4A_7C15
    let bits = (1 << (mixed & 63)) | (1 << (mixed >> 6 & 63)) | (1 << (mixed >> 12 & 63)) | (1 << (mixed >> 18 & 63)) as UInt64
    return (mixed >> 24, bits)
  }
}

/// A filter that is being filled.
struct PrefixFilterBuilder {
  private(set) var words: [UInt64]

  /// Room for so many hashes at eight bits each or more, and at ten or more for those that differ: a prefix comes again with every kind.
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
