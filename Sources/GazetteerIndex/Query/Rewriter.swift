/// The rules that read a query differently from how the user typed it.
///
/// The rules that are tried if few rows match are also tried if an initial has a full stop, as in `s. paulo`, or if the query consists of two
/// short parts, as `ba-wü` does (`Initials.certain` and `Initials.parts`).
///
/// Each rule has a case in `RewriterTests`, and in Tests/Quality for `make quality`, that fails without it.
package enum Rewriter: String, CaseIterable, Sendable {
  /// `г. Москва` is Москва. It is applied before all other rules.
  case settlementPrefix
  /// `landstr 97` is Landstrasse 97. It is applied after `settlementPrefix` and before all other rules.
  case germanStreet
  /// `rose st` is Rose Street, which comes before places in an area that begins with `st`, and `landstr` is also all of Landstrasse.
  case streetAbbreviation
  /// `new york state` and `province of québec` are regions.
  case regionKind
  /// `sta marta` is Santa Marta. It is tried if few rows match.
  case abbreviation
  /// `fifth ave` is 5th Avenue, and `w 42 street` is West 42nd Street. It is tried if few rows match, and after `streetAbbreviation`.
  case ordinal
  /// `n las vegas` is North Las Vegas. It is tried if few rows match.
  case initial
  /// `とうきょう`, which transliterates to toukyou, is Tokyo. It is tried if no row matches.
  case longVowel
  /// `قاهرة` is القاهرة. It is tried if no row matches.
  case arabicArticle
  /// `東京都新宿区` is `東京都 新宿区`. It is tried if no row matches.
  case hanSegments
  /// `dorf strasse 60` is Dorfstrasse 60. A street is tried if few rows match, other words if they match nothing together.
  case compound
  /// `landstrase 97 schaan` is Landstrasse 97 in Schaan. It is tried if the words match nothing together.
  case mistypedWord

  package static let all = Set(allCases)

  /// The readings of the words by this rule; empty if it does not apply. Rules that are applied elsewhere, since they need the index or the
  /// typed text, have no readings here.
  func readings(of words: [String], in query: ParsedQuery) -> [[String]] {
    switch self {
    case .streetAbbreviation: QueryAbbreviations.street(endingIn: words).map { [$0] } ?? []
    case .abbreviation: QueryAbbreviations.readings(of: words)
    case .ordinal: OrdinalWords.readings(of: words)
    case .longVowel: ScriptVariants.withoutLongVowels(words, typed: query.spelling).map { [$0] } ?? []
    case .arabicArticle: ScriptVariants.withArticle(words, typed: query.spelling).map { [$0] } ?? []
    case .compound: Rewriter.compounds(of: words)
    case .settlementPrefix, .germanStreet, .regionKind, .initial, .hanSegments, .mistypedWord: []
    }
  }

  /// For each pair of neighbouring words without digits, the words with this pair joined to one word. Empty for fewer than three words.
  private static func compounds(of words: [String]) -> [[String]] {
    guard words.count > 2 else { return [] }
    return zip(words.indices, words.indices.dropFirst()).compactMap { index, nextIndex in
      guard !words[index...nextIndex].contains(where: { $0.contains(where: \.isNumber) }) else { return nil }
      return Array(words[..<index]) + [words[index...nextIndex].joined()] + words[(nextIndex + 1)...]
    }
  }
}
