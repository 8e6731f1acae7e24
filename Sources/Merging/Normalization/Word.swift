import Text

/// One folded word of a name or address.
struct Word: Sendable {
  /// The range of its letters in `WordBuffer.letters`.
  var start: Int
  var end: Int
  /// A key that is equal for equal words: the letters of a word of up to seven letters, otherwise an FNV-1a hash with the top bit set.
  var key: UInt64
  var kind: Kind
  /// The kinds of places that the word means, as the bits of their groups of types (`CategoryTable.bit`); 0 for any other word.
  var groups: UInt32 = 0
  /// The weight in comparisons: 1 for a distinctive word, less for words that many names share.
  var weight: Double

  enum Kind: UInt8, Sendable {
    case name
    /// An article, preposition or conjunction: the, of, de…
    case filler
    /// A legal form: Inc, GmbH…
    case legal
    /// A word for a kind of place: restaurant, bank…
    case generic
    /// A word for something that may be a part of a larger place: ATM, pharmacy, entrance…
    case part
    /// A number: in digits, with letters before or after them, as a word, or Roman. Its key is that of the digits.
    case number
    /// A word that distinguishes neighbours: north, upper, old…
    case modifier
    /// A picture, arrow or shape.
    case symbol
  }

  var length: Int { end - start }

  /// Whether this is a word of at least three letters that few names share.
  var isDistinctiveName: Bool { kind == .name && length >= 3 }

  /// The word from `start` to the end of the letters.
  init(letters: [UInt8], start: Int) {
    self.start = start
    end = letters.count
    if NumberWord.isDigit(letters[start]) || NumberWord.isDigit(letters[end - 1]) {
      key = Word.key(of: letters, NumberWord.significantPart(letters, start..<end))
      kind = .number
      weight = 0.8
      return
    }
    key = Word.key(of: letters, start..<end)
    if letters[start] >= 0x80, SymbolNormalization.isPicture(letters[start..<end]) {
      (kind, weight) = (.symbol, 0.1)
      return
    }
    if let known = WordTable.entries[key] {
      kind = known.kind
      weight = known.weight
      groups = known.groups
      key = known.key ?? key
    } else {
      kind = .name
      weight = Word.weight(ofName: end - start)
    }
  }

  /// The weight of a distinctive word with this many letters.
  static func weight(ofName length: Int) -> Double { length < 3 ? 0.5 : 1 }

  /// The key of a word, for tables.
  static func key(of word: some StringProtocol) -> UInt64 {
    let letters = word.utf8
    return letters.count <= 7 ? letters.reduce(0) { $0 << 8 | UInt64($1) } : FNV1a.hash(letters) | 1 << 63
  }

  /// The key of the word in a range of letters.
  static func key(of letters: [UInt8], _ range: Range<Int>) -> UInt64 {
    guard range.count <= 7 else { return FNV1a.hash(letters[range]) | 1 << 63 }
    var key: UInt64 = 0
    for index in range { key = key << 8 | UInt64(letters[index]) }
    return key
  }
}
