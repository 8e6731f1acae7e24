import Text

/// One folded word of a name or address.
struct Word: Sendable {
  /// Where its letters lie in `Words.letters`.
  var start: Int
  var end: Int
  /// Equal for equal words: up to seven letters as they are, longer ones as an FNV-1a hash.
  var key: UInt64
  var kind: Kind
  /// How much it tells: about 1 for a name of its own, less for words that many places share.
  var weight: Double

  enum Kind: UInt8, Sendable {
    case name
    /// The, of, de…
    case filler
    /// Inc, GmbH…
    case legal
    /// Restaurant, bank…: what a place is.
    case generic
    /// ATM, pharmacy, entrance…: a part of a larger place where it stands in one name only.
    case part
    /// A number, in digits, as a word or Roman; the key is that of the digits.
    case number
    /// North, upper, old…: what tells neighbours apart.
    case sibling
  }

  var length: Int { end - start }

  init(letters: [UInt8], start: Int) {
    self.start = start
    end = letters.count
    var key: UInt64 = 0
    if end - start <= 7 {
      for index in start..<end { key = key << 8 | UInt64(letters[index]) }
    } else {
      key = FNV1a.hash(letters[start..<end]) | 1 << 63
    }
    self.key = key
    let first = letters[start]
    if (0x30...0x39).contains(first) {
      kind = .number
      weight = 0.8
    } else if let known = WordTable.entries[key] {
      kind = known.kind
      weight = known.weight
      self.key = known.key ?? key
    } else {
      kind = .name
      weight = end - start < 3 ? 0.5 : 1
    }
  }

  /// The key of a word, for tables.
  static func key(of word: some StringProtocol) -> UInt64 {
    var key: UInt64 = 0
    let letters = word.utf8
    if letters.count <= 7 {
      for letter in letters { key = key << 8 | UInt64(letter) }
      return key
    }
    key = 0xCBF2_9CE4_8422_2325
    for letter in letters { key = (key ^ UInt64(letter)) &* 0x100_0000_01B3 }
    return key | 1 << 63
  }
}
