import Merging
import PlacesAPI
import PlacesKit
import Text

/// Rates how well a row fits the text of a query. A greater rating is better.
struct PlaceRating: Comparable {
  /// How the text matches the place.
  var fit: Resolve.Match
  /// The share of the words of the place's name that occur in the text, 0…1.
  var coverage = 1.0
  /// The number of typing errors.
  var edits = 0
  /// The number of letters and digits of the text.
  private(set) var letterCount = 0
  /// True if the text is a name of the place that the row does not show, such as one in another language.
  private(set) var isOtherName = false
  /// True if the name that the row shows has all words of the text and further words, such as `Neustadt an der Weinstraße` for the text
  /// `Neustadt`.
  private(set) var isPartOfName = false
  /// True if `isPartOfName`, and one of the place's names begins with the text.
  private(set) var beginsName = false
  /// True if the text is the postcode of a town.
  private(set) var isPostcode = false
  /// True if the text lacks only articles and legal forms of the place's name: Sigma Bank AG for `sigma bank`.
  private(set) var lacksOnlyMinorWords = false
  /// True if the row ranks at most as high as a row whose match is `other`. There are three cases: the place is a stop of public transport,
  /// which may be named after the place that is meant; a word of the text is only the beginning of a word of the place; or the text has a
  /// single letter, such as an initial, that the place lacks.
  private(set) var isDoubtful = false

  /// True if the text is the whole name with one typing error. The text must have `minLetters` letters, so that few other names are as
  /// similar.
  func hasSingleEdit(minLetters: Int) -> Bool { fit == .fuzzy && coverage == 1 && edits == 1 && letterCount >= minLetters }

  /// Rates a row by the words of its name and address. If they do not contain all words of the text, the row's explanation determines the
  /// rating, because the provider may know a name that the row does not show.
  /// - Parameters:
  ///   - bias: the area whose places are preferred; nil for none.
  ///   - type: the type that the caller prefers; nil for none.
  init(_ row: PlaceRow, for text: String, near bias: Area? = nil, preferring type: PlaceType? = nil) {
    self.init(row, for: text, isAtBiasCenter: bias.map { row.isAtCenter(of: $0) } ?? false)
    if row.isStop, !row.isMeantStop(text, type) { isDoubtful = true }
  }

  /// - Parameter isAtBiasCenter: true if the place is at the centre of the bias. Then the text need not contain those words of the place's
  ///   name that name its town or region.
  private init(_ row: PlaceRow, for text: String, isAtBiasCenter: Bool) {
    let typedWords = QueryWord.words(of: text)
    func words(_ text: String?) -> [ComparedWord] { PlaceRating.words(of: text, joinedAs: typedWords) }
    // How the text matches according to the row's explanation. This decides for rows that do not show all words of the text. A row without
    // an explanation counts as an exact match.
    let explainedMatch = row.hasNameWithSuffix(text) ? .exact : row.explain?["match"]?.string.flatMap(Resolve.Match.init) ?? .exact
    letterCount = typedWords.reduce(0) { $0 + $1.word.folded.count }
    // The provider has matched only a part of the text.
    if row.explain?["partialMatch"] == .boolean(true) {
      (fit, coverage) = (.part, 0)
      return
    }
    let nameWords = words(row.values[.name]?.string)
    isPartOfName =
      !typedWords.isEmpty && typedWords.count < nameWords.count
      && typedWords.allSatisfy { word in nameWords.contains { word.edits(to: $0) == 0 } }
    beginsName = isPartOfName && explainedMatch == .prefix
    // The words of a component's long text (Parkway) and of its short text (Pkwy) both count as words of the place.
    let components = (row.values[.addressComponents]?.array ?? []).prefix(PlaceRating.maxComponents).map { component in
      Component(
        types: component["types"]?.array?.compactMap { $0.string.map { PlaceType(rawValue: $0) } } ?? [],
        texts: ["long", "short"].map { words(component[$0]?.string) }.filter { !$0.isEmpty })
    }
    // A country's name of several words counts only if the text has all of them: `state` in `victoria state` does not match United States.
    let wordsOfUntypedCountries = Set(
      components.filter { $0.types.contains("country") }.flatMap(\.texts).filter { text in
        text.count > 1 && !text.allSatisfy { word in typedWords.contains { $0.edits(to: word) != nil } }
      }.flatMap { $0 })
    let addressWords = (components.flatMap(\.words) + words(row.values[.formattedAddress]?.string)).filter {
      !wordsOfUntypedCountries.contains($0)
    }
    let placeWords = Set(nameWords + addressWords)
    let editCounts = typedWords.map { word in placeWords.lazy.compactMap(word.edits).min() }
    guard !nameWords.isEmpty, !typedWords.isEmpty, editCounts.allSatisfy({ $0 != nil }) else {
      fit = explainedMatch
      isOtherName = fit == .exact
      // A word of the text that is only the beginning of a word of the place makes the row doubtful: `triesen` does not mean Triesenberg.
      // There are three exceptions. A word of the matched name may begin with it. The names of countries and regions are often abbreviated:
      // `portland ore` means Portland, Oregon. A text in another script than the name is not compared, because a transliterated name may
      // have a further word: the row for `无锡` shows Wuxi Shi.
      let unmatchedWords = zip(typedWords, editCounts).filter { $0.1 == nil }.map { $0.0 }
      let matchedWords = words(row.explain?["matchedName"]?.string)
      // A number that the row of a town does not show is its postcode, unless it is a word of another name: `16` in Arzamas-16.
      if row.isSettlementOrRegion, typedWords.count == 1, explainedMatch == .words, typedWords[0].word.hasOnlyDigits,
        matchedWords.isEmpty || matchedWords == typedWords.map(\.word)
      {
        (fit, coverage, isOtherName, isPostcode) = (.words, PlaceRating.addressCoverage, true, true)
        return
      }
      let largeAreaWords = components.filter(\.isLargeArea).flatMap(\.words)
      let hasIncompleteWord = unmatchedWords.contains { word in
        if matchedWords.contains(where: { $0.hasPrefix(word.word) }) { return false }
        // The provider ignored an initial: `s. bend` does not mean Bend.
        if word.word.isLatinLetter { return true }
        // A word of two letters is the code of a region, and a region with this code would have matched above: `paris il` is in Illinois
        // and not in Île-de-France.
        let abbreviatesArea = word.word.folded.count > 2 && largeAreaWords.contains { $0.hasPrefix(word.word) }
        return !abbreviatesArea && placeWords.contains { $0.hasPrefix(word.word) }
      }
      if fit > .prefix, hasIncompleteWord, text.hasLatinLetters == row.values[.name]?.string?.hasLatinLetters {
        (fit, coverage, isOtherName, isDoubtful) = (.prefix, 0, false, true)
        return
      }
      // A provider also reports `words` if a word of the place only begins with a word of the text, so this is rated as `prefix`. For a row
      // without a name, the coverage is not known; 0.7 results in a confidence of 0.81, just above `Resolve.certainty`.
      if fit == .words { (fit, coverage) = nameWords.isEmpty ? (.words, 0.7) : (.prefix, 0) }
      // A provider reports `fuzzy` for any number of errors.
      if fit == .fuzzy { rateMatchedName(row.explain?["matchedName"]?.string, typedWords) }
      return
    }
    edits = editCounts.reduce(0) { $0 + ($1 ?? 0) }
    let typedPlaceWords = placeWords.filter { word in typedWords.contains { $0.edits(to: word) != nil } }
    func isTyped(_ word: ComparedWord) -> Bool { typedPlaceWords.contains(word) }
    // If the long or the short text of a component was typed, the words of its other text count as typed, but only if the name contains
    // the whole other text: `ny city` covers New York City, but not New City, New York.
    let wordsOfTypedComponents = Set(
      components.filter { $0.texts.contains { $0.allSatisfy(isTyped) } }
        .flatMap { $0.texts.filter { $0.allSatisfy { nameWords.contains($0) } }.flatMap { $0 } })
    // If the bias or the text determines the town, the text need not contain those words of the name that name the town, its region or its
    // country: `kunstmuseum vaduz` means Kunstmuseum Liechtenstein.
    let areas = row.isSettlementOrRegion ? [] : components.filter(\.isArea)
    let areaWords = Set(areas.flatMap(\.words))
    let isTownKnown = isAtBiasCenter || areas.contains { !$0.isLargeArea && $0.words.contains(where: isTyped) }
    // A typed house number does not make up for a missing word of the street's name.
    let neededWords = nameWords.filter { !(isTownKnown && areaWords.contains($0)) && !($0.isNumber && isTyped($0)) }
    let coveredCount = neededWords.count { isTyped($0) || wordsOfTypedComponents.contains($0) }
    coverage = neededWords.isEmpty ? (nameWords.contains(where: isTyped) ? 1 : 0) : Double(coveredCount) / Double(neededWords.count)
    lacksOnlyMinorWords =
      coveredCount > 0 && coveredCount < neededWords.count && !row.isSettlementOrRegion
      && neededWords.allSatisfy { isTyped($0) || wordsOfTypedComponents.contains($0) || NameVocabulary.isMinor($0.folded) }
    if lacksOnlyMinorWords { coverage = max(coverage, PlaceRating.coverageWithoutMinorWords) }
    // The text is the place's name in another spelling or language than the shown one.
    if row.explain != nil, explainedMatch == .exact, coverage < 1 || edits > 0 {
      (coverage, edits, isOtherName, lacksOnlyMinorWords) = (1, 0, true, false)
    }
    if edits > 0 {
      // If the text is also the beginning of a longer name, it need not have an error: `denner` need not mean Dennery.
      fit = explainedMatch == .prefix ? .prefix : .fuzzy
    } else if coverage == 1 {
      fit = .exact
    } else if components.haveTypedStreetAddress(isTyped) {
      // The text is the address of a place that also has a name.
      (fit, coverage) = (.words, PlaceRating.addressCoverage)
    } else {
      // If only words of the address were typed, the explanation decides.
      fit = coverage == 0 ? explainedMatch : .words
    }
  }

  /// The coverage of a place whose address, but not whole name, is in the text, and of a town whose postcode is the text. It results in a
  /// confidence of 0.87, so that the place is certain if it is the only one with this address or postcode.
  private static let addressCoverage = 0.9

  /// The coverage of a place if `lacksOnlyMinorWords`. It results in the same confidence as `addressCoverage`.
  private static let coverageWithoutMinorWords = 0.9

  /// Rates a text with typing errors by the name that the provider matched. The row need not show this name: `mnchen` matches München, and
  /// the row shows Munich. If the provider reports no name with all words of the text, the number of errors is not known, and the coverage
  /// is 0.
  private mutating func rateMatchedName(_ name: String?, _ typedWords: [QueryWord]) {
    let nameWords = PlaceRating.words(of: name, joinedAs: typedWords)
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
  /// The maximum number of address components that are compared, for the same reason.
  private static let maxComponents = 16

  /// The words of a text. Two words that the query has as one word are joined: Feldkircher Strasse if the query has `feldkircherstrasse`.
  private static func words(of text: String?, joinedAs typedWords: [QueryWord]) -> [ComparedWord] {
    Folding.words(of: text ?? "").prefix(maxWords).reduce(into: []) { words, foldedWord in
      let word = ComparedWord(foldedWord)
      if let last = words.last, typedWords.contains(where: { $0.isCompound(of: last, word) }) {
        words[words.count - 1] = ComparedWord(last.folded + foldedWord)
      } else {
        words.append(word)
      }
    }
  }

  /// The match to report. If a service on the network matched only a part of the text, `other` is reported, because the service may know
  /// the other words as spellings that its answer does not show.
  func reportedMatch(isLocal: Bool) -> Resolve.Match { fit == .part && !isLocal ? .other : fit }

  /// The estimated probability that the text means this place, if no other row has this rating. Only an exact match, and a match with at
  /// least two thirds of the name's words, reach `Resolve.certainty`.
  func confidence(isLocal: Bool) -> Double {
    if isDoubtful { return fit == .part ? 0.1 : 0.5 }
    return switch reportedMatch(isLocal: isLocal) {
    case .exact: 0.98
    case .words: 0.6 + 0.3 * coverage
    case .fuzzy: 0.6
    case .prefix, .other: 0.5
    case .part: 0.1
    }
  }

  /// The values by which ratings are ordered.
  private var order: (fit: Resolve.Match, coverage: Double, edits: Int) {
    isDoubtful ? (min(fit, .other), 1, 0) : (fit, coverage, -edits)
  }
  static func == (a: PlaceRating, b: PlaceRating) -> Bool { a.order == b.order }
  static func < (a: PlaceRating, b: PlaceRating) -> Bool { a.order < b.order }
}

/// A component of a row's address.
private struct Component {
  var types: [PlaceType]
  /// The words of its long and its short text.
  var texts: [[ComparedWord]]
  var words: [ComparedWord] { texts.flatMap { $0 } }
  var isArea: Bool { types.contains { $0.group == .region } }
  var isLargeArea: Bool { types.contains("administrative_area_level_1") || types.contains("country") }
}

extension [Component] {
  /// True if the text contains the house number and the street.
  fileprivate func haveTypedStreetAddress(_ isTyped: (ComparedWord) -> Bool) -> Bool {
    ["street_number", "route"].allSatisfy { type in
      contains { $0.types.contains(type) && $0.texts.contains { $0.allSatisfy(isTyped) } }
    }
  }
}

extension PlaceRow {
  /// True for a stop of public transport, which is often named after another place.
  fileprivate var isStop: Bool { types.first.map { PlaceRow.stops.contains($0) } ?? false }

  /// True if the preferred type is a type of this stop, or if the text has a word of its type, such as `bus`.
  fileprivate func isMeantStop(_ text: String, _ preferredType: PlaceType?) -> Bool {
    let typeWords = types.first?.rawValue.split(separator: "_").map { String($0) } ?? []
    return preferredType.map { types.contains($0) } ?? false || Folding.words(of: text).contains { typeWords.contains($0) }
  }
  private static let stops: Set<PlaceType> = ["bus_stop", "bus_station", "tram_stop", "transit_stop"]

  /// True if the bias is a circle and the place is within walking distance of its centre.
  fileprivate func isAtCenter(of bias: Area) -> Bool {
    guard case .circle = bias, let point else { return false }
    return point.distance(to: bias.center) <= Resolution.walkingDistance
  }

  /// True if this is a settlement or region whose name is the text with a suffix of one character that states the kind of place: 東京都 for
  /// the text 東京.
  fileprivate func hasNameWithSuffix(_ text: String) -> Bool {
    guard isSettlementOrRegion, text.count > 1 else { return false }
    return [values[.name]?.string, explain?["matchedName"]?.string].contains { name in
      guard let name, let suffix = name.last, PlaceRow.administrativeSuffixes.contains(suffix) else { return false }
      return name.dropLast() == text
    }
  }
  /// The last characters of the names of Chinese, Japanese and Korean provinces, districts, towns and villages.
  private static let administrativeSuffixes: Set<Character> = [
    "都", "道", "府", "県", "縣", "县", "省", "州", "市", "郡", "区", "區", "町", "鎮", "镇", "村", "도", "시", "군", "구",
  ]
}

/// A word in the forms in which it is compared.
private struct ComparedWord: Hashable {
  var folded: String
  /// The folded word with `ae` replaced by `a`, and so on, because Muenchen is a spelling of München and not a typing error.
  var plain: String
  /// Equal for an abbreviation and its long form, such as St and Saint; nil for most words.
  var meaning: UInt64?

  /// - Parameter meaning: the word that is meant; nil for the folded word itself.
  init(_ folded: String, meaning word: String? = nil) {
    self.folded = folded
    meaning = NameVocabulary.meaning(of: word ?? folded)
    plain = ["ae", "oe", "ue", "ss"].reduce(folded) { $0.replacing($1, with: $1.prefix(1)) }
  }

  var isNumber: Bool { folded.first?.isNumber == true }
  var hasOnlyDigits: Bool { folded.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  /// True for a single letter, such as an initial.
  var isLatinLetter: Bool { folded.utf8.count == 1 && folded.utf8.allSatisfy { (0x61...0x7A).contains($0) } }
  func hasPrefix(_ other: ComparedWord) -> Bool { folded.hasPrefix(other.folded) || plain.hasPrefix(other.plain) }
}

/// A word of a query.
private struct QueryWord {
  var word: ComparedWord
  /// True if a full stop follows the word, or if the word ends with `str`, which abbreviates `strasse` in German names. An abbreviated word
  /// also matches each word that begins with it.
  var isAbbreviated: Bool

  static func words(of text: String) -> [QueryWord] {
    text.split(whereSeparator: \.isWhitespace).flatMap { part in
      let words = Folding.words(of: String(part))
      // Without a full stop, `e` is the word for `and` in Italian and Portuguese.
      if words == ["e"], part.last == "." { return [QueryWord(word: ComparedWord("e", meaning: "east"), isAbbreviated: false)] }
      return words.enumerated().map { index, word in
        QueryWord(
          word: ComparedWord(word),
          isAbbreviated: word.count > 4 && word.hasSuffix("str")
            || index == words.count - 1 && word.count > 1 && part.last { $0 != "," && $0 != ";" } == ".")
      }
    }
  }

  /// True if this word is the two given words of a place, written as one.
  func isCompound(of first: ComparedWord, _ second: ComparedWord) -> Bool {
    guard word.folded.count > first.folded.count, word.hasPrefix(first) else { return false }
    return edits(to: ComparedWord(first.folded + second.folded)) == 0
  }

  /// The number of typing errors between this word and a word of a place; nil if there are too many.
  func edits(to other: ComparedWord) -> Int? {
    let (folded, otherFolded) = (word.folded, other.folded)
    if folded == otherFolded || word.plain == other.plain { return 0 }
    if let meaning = word.meaning, meaning == other.meaning { return 0 }
    if isAbbreviated, other.hasPrefix(word) { return 0 }
    // Fewer errors are allowed in a short word, because more other words are similar to it.
    let maxEdits =
      switch folded.count {
      case ..<4: 0
      case ..<8: 1
      default: 2
      }
    // A different digit is not a typing error, because the word is then another house number or postal code.
    guard maxEdits > 0, abs(folded.count - otherFolded.count) <= maxEdits, !(folded + otherFolded).contains(where: \.isNumber) else {
      return nil
    }
    let edits = typingErrors(between: folded, and: otherFolded)
    return edits <= maxEdits ? edits : nil
  }
}
