import PlacesAPI
import PlacesKit
import Text

/// Rates how well a row fits the text of a query. A greater rating is better.
struct PlaceRating: Comparable {
  var fit: Resolve.Match
  /// The share of the words of the place's name that occur in the text, 0…1.
  var coverage = 1.0
  /// The number of typing errors.
  var edits = 0
  /// The number of letters of the text.
  private(set) var letterCount = 0
  /// True if the text is a name of the place that the row does not show, such as one in another language.
  private(set) var isOtherName = false
  /// True if the name that the row shows has all words of the text and further ones: `Neustadt` and `Neustadt an der Weinstraße`.
  private(set) var isPartOfName = false

  /// True if the text is the whole name with one typing error, and has enough letters that few other names are as similar.
  func isSingleError(minLetters: Int) -> Bool { fit == .fuzzy && coverage == 1 && edits == 1 && letterCount >= minLetters }

  /// Rates a row by the words of its name and address. If they do not contain all words of the text, the provider may know a name that the
  /// row does not show, and the engine's explanation determines the rating.
  init(_ row: PlaceRow, for text: String) {
    // How the text matches according to the engine's explanation. This is used for rows whose texts do not show all words.
    let match = row.explain?["match"]?.string.flatMap(Resolve.Match.init) ?? .exact
    let typedWords = QueryWord.words(of: text)
    letterCount = typedWords.reduce(0) { $0 + $1.word.folded.count }
    // The provider has matched only a part of the text.
    if row.explain?["partialMatch"] == .boolean(true) {
      (fit, coverage) = (.part, 0)
      return
    }
    let nameWords = PlaceRating.words(of: row.values[.name]?.string)
    isPartOfName =
      !typedWords.isEmpty && typedWords.count < nameWords.count
      && typedWords.allSatisfy { word in nameWords.contains { word.edits(to: $0) == 0 } }
    // The words of a street's short text (Pkwy) and of its long text (Parkway) both count as words of the place.
    let components = (row.values[.addressComponents]?.array ?? []).prefix(PlaceRating.maxComponents).map { component in
      ["long", "short"].map { PlaceRating.words(of: component[$0]?.string) }
    }
    let addressWords = components.flatMap { $0.flatMap { $0 } } + PlaceRating.words(of: row.values[.formattedAddress]?.string)
    let placeWords = Set(nameWords + addressWords)
    let editCounts = typedWords.map { word in placeWords.lazy.compactMap(word.edits).min() }
    guard !nameWords.isEmpty, !typedWords.isEmpty, editCounts.allSatisfy({ $0 != nil }) else {
      fit = match
      isOtherName = fit == .exact
      // The engine's `words` includes words that only begin with a typed word, and its `fuzzy` has no number of errors. For a row without a
      // name, the share of the words is not known; 0.7 makes the place just certain.
      if fit == .words { (fit, coverage) = nameWords.isEmpty ? (.words, 0.7) : (.prefix, 0) }
      if fit == .fuzzy { rateHiddenName(row.explain?["matchedName"]?.string, typedWords) }
      return
    }
    edits = editCounts.reduce(0) { $0 + ($1 ?? 0) }
    let typedPlaceWords = placeWords.filter { word in typedWords.contains { $0.edits(to: word) != nil } }
    func isTyped(_ word: ComparedWord) -> Bool { typedPlaceWords.contains(word) }
    // If one text of a component was typed, the words of its other text count as typed.
    let wordsOfTypedComponents = Set(components.filter { $0.contains { $0.allSatisfy(isTyped) } }.flatMap { $0.flatMap { $0 } })
    let coveredCount = nameWords.count { isTyped($0) || wordsOfTypedComponents.contains($0) }
    coverage = Double(coveredCount) / Double(nameWords.count)
    // The text is the place's name in another spelling or language than the shown one.
    if row.explain != nil, match == .exact, coverage < 1 || edits > 0 { (coverage, edits, isOtherName) = (1, 0, true) }
    if edits > 0 {
      // `denner` is not Dennery with an error, but the beginning of many names.
      fit = match == .prefix ? .prefix : .fuzzy
    } else if coverage == 1 {
      fit = .exact
    } else {
      fit = coveredCount == 0 ? match : .words
    }
  }

  /// Rates a text with typing errors by the name that it means, if that is known: `mnchen` is München, which the row calls Munich. Otherwise
  /// the number of errors is not known.
  private mutating func rateHiddenName(_ name: String?, _ typedWords: [QueryWord]) {
    let nameWords = PlaceRating.words(of: name)
    let editCounts = typedWords.compactMap { word in nameWords.lazy.compactMap(word.edits).min() }
    guard !typedWords.isEmpty, editCounts.count == typedWords.count else {
      coverage = 0
      return
    }
    edits = editCounts.reduce(0, +)
    let typedCount = nameWords.count { word in typedWords.contains { $0.edits(to: word) != nil } }
    coverage = Double(typedCount) / Double(nameWords.count)
    isOtherName = true
  }

  /// The maximum number of words of one text that are compared. The work grows with the number of pairs of words, and a service may send
  /// long texts. No name or part of an address has so many words.
  private static let maxWords = 32
  private static let maxComponents = 16

  private static func words(of text: String?) -> [ComparedWord] {
    Folding.words(of: text ?? "").prefix(maxWords).map(ComparedWord.init)
  }

  /// The match to report. A service that matched a part of the text may know the other words as spellings that its answer does not show.
  func match(isLocal: Bool) -> Resolve.Match { fit == .part && !isLocal ? .other : fit }

  /// The estimated probability that the text means this place, if no other row has this rating. Only an exact match, and one with two
  /// thirds of the name's words, reach `Resolve.certainty`.
  func confidence(isLocal: Bool) -> Double {
    switch match(isLocal: isLocal) {
    case .exact: 0.98
    case .words: 0.6 + 0.3 * coverage
    case .fuzzy: 0.6
    case .prefix, .other: 0.5
    case .part: 0.1
    }
  }

  static func == (a: PlaceRating, b: PlaceRating) -> Bool { (a.fit, a.coverage, a.edits) == (b.fit, b.coverage, b.edits) }
  static func < (a: PlaceRating, b: PlaceRating) -> Bool { (a.fit, a.coverage, -a.edits) < (b.fit, b.coverage, -b.edits) }
}

/// A word in the two forms in which words are compared.
private struct ComparedWord: Hashable {
  var folded: String
  /// The folded word with `ae` replaced by `a`, and so on, because Muenchen is a spelling of München and not a typing error.
  var plain: String

  init(_ folded: String) {
    self.folded = folded
    plain = ["ae", "oe", "ue", "ss"].reduce(folded) { $0.replacing($1, with: $1.prefix(1)) }
  }
}

/// A word of a query.
private struct QueryWord {
  var word: ComparedWord
  /// True if a full stop follows the word, or if it ends like an abbreviated German street (`str`). An abbreviated word also matches each
  /// word that begins with it.
  var isAbbreviated: Bool

  static func words(of text: String) -> [QueryWord] {
    text.split(whereSeparator: \.isWhitespace).flatMap { part in
      let words = Folding.words(of: String(part))
      return words.enumerated().map { index, word in
        QueryWord(
          word: ComparedWord(word),
          isAbbreviated: word.count > 4 && word.hasSuffix("str")
            || index == words.count - 1 && part.drop { $0 != "." }.first == "." && word.count > 1)
      }
    }
  }

  /// The number of typing errors between this word and a word of a place; nil if they are too many.
  func edits(to other: ComparedWord) -> Int? {
    let (folded, word) = (self.word.folded, other.folded)
    if folded == word || self.word.plain == other.plain { return 0 }
    if isAbbreviated, word.hasPrefix(folded) || other.plain.hasPrefix(self.word.plain) { return 0 }
    let maxEdits =
      switch folded.count {
      case ..<4: 0
      case ..<8: 1
      default: 2
      }
    // A different digit is not a typing error, because it makes another house number or postal code.
    guard maxEdits > 0, abs(folded.count - word.count) <= maxEdits, !(folded + word).contains(where: \.isNumber) else { return nil }
    let edits = typingErrors(between: folded, and: word)
    return edits <= maxEdits ? edits : nil
  }
}
