import Text

/// A query in the form that the search uses: its folded words, and the kinds of names that they can match.
struct ParsedQuery {
  /// The language that the client requested, without its country; empty if it requested none.
  let language: String
  /// The words, folded and normalised.
  let words: [String]
  /// The number of words before the first comma; nil unless there are words on both of its sides.
  let wordsBeforeComma: Int?
  /// Whether all letters are Latin.
  let isLatin: Bool
  /// Whether the script is an alphabet in which typing errors are corrected: Latin, Greek, Cyrillic, Armenian, Georgian.
  let isAlphabetic: Bool
  /// The query in lower case with its marks and its script, without spaces; nil if folding changes nothing but case.
  let spelling: String?
  /// Whether a space follows the last word, which is then complete.
  let endsWithSpace: Bool
  /// Whether the query was submitted, so no word of it is unfinished.
  let isSubmitted: Bool
  /// Whether single letters may stand for words.
  let initials: Initials
  /// The weight of a match with the code of a country; nil if the query does not have the form of such a code.
  let countryCodeWeight: Double?
  /// Whether the query has the form of an airport's code (IATA, ICAO): three or four capitals. An airport precedes its city then.
  let mayBeAirportCode: Bool
  /// The enabled rules for alternative readings.
  let rewriters: Set<Rewriter>
  /// The kinds of terms in which names are looked up, in descending order of weight.
  let nameLookups: [TermLookup]
  /// The kinds of terms in which words are looked up, in descending order of weight.
  let wordLookups: [TermLookup]

  /// - Parameter isSubmitted: whether the query was submitted; otherwise the user may still be typing its last word.
  init(_ typed: String, language: String?, isSubmitted: Bool = false, rewriters: Set<Rewriter> = Rewriter.all) {
    let query = rewriters.contains(.settlementPrefix) ? SettlementPrefixes.removed(from: typed) : typed
    let foldedWords = Folding.words(of: query)
    self.isSubmitted = isSubmitted
    self.rewriters = rewriters
    self.language = language.map { LanguageChoice.base($0) } ?? ""
    endsWithSpace = !isSubmitted && query.last?.isWhitespace == true
    isLatin = LatinScript.only(in: query)
    // The blocks of Greek, Cyrillic and Armenian end before U+0590. Georgian has a block of its own.
    isAlphabetic = isLatin || query.unicodeScalars.allSatisfy { $0.value < 0x590 || (0x10A0..<0x1100).contains($0.value) }
    spelling = Folding.spelling(of: query)
    words =
      rewriters.contains(.germanStreet)
      ? Abbreviations.writtenOut(foldedWords, lastWordIsComplete: isSubmitted || endsWithSpace) : foldedWords
    wordsBeforeComma = ParsedQuery.wordsBeforeComma(in: query, of: words.count)
    initials = isAlphabetic && rewriters.contains(.initial) ? Initials(query, foldedWords) : .none
    let areCapitals = query.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    // A country's code is two or three capitals, or three letters in any case.
    if words.count > 1 || !isLatin {
      countryCodeWeight = nil
    } else if areCapitals && (2...3).contains(query.utf8.count) {
      countryCodeWeight = MatchWeight.area
    } else {
      countryCodeWeight = words.first?.utf8.count == 3 ? MatchWeight.countryCode : nil
    }
    mayBeAirportCode = areCapitals && (3...4).contains(query.utf8.count)
    nameLookups = TermLookup.names(language: self.language, isLatin: isLatin, isAlphabetic: isAlphabetic, hasMarks: spelling != nil)
    wordLookups = TermLookup.words(showsLocalNames: self.language.isEmpty, isLatin: isLatin, isAlphabetic: isAlphabetic)
  }

  /// - Parameter count: the number of the query's words.
  private static func wordsBeforeComma(in query: String, of count: Int) -> Int? {
    guard let comma = query.firstIndex(of: ",") else { return nil }
    let countBefore = Folding.words(of: String(query[..<comma])).count
    return countBefore > 0 && countBefore < count ? countBefore : nil
  }

  /// The words as a kind of region and the region's name; nil if no word is a kind, or if a comma divides the words.
  func regionKind(_ words: ArraySlice<String>) -> RegionKinds.Match? {
    guard rewriters.contains(.regionKind), isLatin else { return nil }
    // If there is a comma, only the words before it are read: `victoria state, australia` names a state, and `Canton, Ohio` a town.
    guard wordsBeforeComma.map({ words.startIndex == 0 && words.count <= $0 }) ?? true else { return nil }
    return RegionKinds.split(words)
  }

  /// The alternative readings of the words by a rewriter; empty if it does not apply or is disabled.
  func readings(by rewriter: Rewriter, of words: [String]) -> [[String]] {
    rewriters.contains(rewriter) ? rewriter.readings(of: words, in: self) : []
  }

  /// The text by which a name is looked up among the terms of a kind; nil if no term of the kind can be this name.
  /// - Parameters:
  ///   - key: the words of the name, joined.
  ///   - count: the number of these words.
  func lookupText(for key: String, wordCount count: Int, in kind: TermKind) -> String? {
    switch kind {
    case .localisedName: PlaceTerms.localised(key, language)
    // `spelling` is that of the whole query, so a part of the query has none.
    case .spelledName: count == words.count ? spelling : nil
    default: key
    }
  }
}
