/// Compares streets and towns by their words.
extension WordBuffer {
  /// The share of the distinctive words of the shorter street line that the other line also has, 0…1. Nil if one line has no such words.
  /// Words such as `street`, and numbers, are not distinctive.
  func streetSimilarity(_ a: TextSpan, _ b: TextSpan) -> Double? { containment(a, b, where: isStreetName) }

  /// The share of the shorter text's words that the other text also has, 0…1. Fillers are ignored. Nil if a text has no words.
  func containment(_ a: TextSpan, _ b: TextSpan) -> Double? { containment(a, b) { $0.kind != .filler } }

  /// Like `containment(_:_:)`, but only words that satisfy the condition count.
  func containment(_ a: TextSpan, _ b: TextSpan, where counts: (Word) -> Bool) -> Double? {
    var (countA, countB, shared) = (0.0, 0.0, 0.0)
    for j in b.words where counts(words[j]) { countB += 1 }
    guard countB > 0 else { return nil }
    for i in a.words where counts(words[i]) {
      countA += 1
      var best = 0.0
      for j in b.words where counts(words[j]) { best = max(best, similarity(words[i], words[j])) }
      shared += best
    }
    return countA > 0 ? min(1, shared / min(countA, countB)) : nil
  }

  private func isStreetName(_ word: Word) -> Bool {
    switch word.kind {
    case .filler, .legal: false
    // `5th` is the name of a street; `12` and `12a` are house numbers.
    case .number: word.length >= 3 && letters[(word.end - 2)..<word.end].allSatisfy { !(0x30...0x39).contains($0) }
    default: !WordBuffer.streetKinds.contains(word.key)
    }
  }

  /// Whether two areas have different names. False if a name is unknown, or if a name of at most three letters abbreviates the other one:
  /// `MA` for Massachusetts, `NSW` for New South Wales.
  /// - Parameters:
  ///   - a: the letters of a name, without spaces; empty if the name is unknown.
  ///   - b: the letters of the other name.
  func areDifferentAreas(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    // An abbreviation has the first letter of the name.
    guard let first = a.first, let second = b.first, letters[first] == letters[second] else { return !a.isEmpty && !b.isEmpty }
    let (short, long) = a.count < b.count ? (a, b) : (b, a)
    guard short.count <= 3 || short.count == long.count else { return true }
    var next = short.lowerBound
    for index in long where next < short.upperBound && letters[index] == letters[next] { next += 1 }
    return next < short.upperBound
  }

  /// Whether a word names a kind of street, such as `avenue`. Words that also occur in names of towns, such as West and Saint, are
  /// excluded.
  static func isStreetKind(_ word: String) -> Bool {
    let key = Word.key(of: word)
    return streetKinds.contains(key) && !ambiguousKinds.contains(key)
  }

  /// The words of `streetKinds` that have other meanings.
  private static let ambiguousKinds: Set<UInt64> = Set(
    "saint st north south east west n s e w al no nr fl unit floor block blk suite ste court ct park square".split(separator: " ").map {
      Word.key(of: $0)
    })

  /// Words for kinds of streets and their abbreviations, and other words of street lines that do not distinguish streets.
  private static let streetKinds: Set<UInt64> = Set(
    """
    street saint st str road rd avenue ave av boulevard blvd drive dr lane ln court ct place pl square sq highway hwy way parkway pkwy terrace \
    circle cir route rte suite ste unit floor fl no nr rue chemin impasse allee quai strasse straße weg platz gasse via viale piazza corso calle \
    avenida carretera ctra paseo plaza rua travessa estrada rodovia rod al straat laan plein ulica ul jalan jl thanon soi mah mahallesi cad \
    caddesi sok sokak block blk north south east west n s e w
    """.split(whereSeparator: \.isWhitespace).map { Word.key(of: $0) })
}
