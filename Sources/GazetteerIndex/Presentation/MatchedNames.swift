import PlacesKit
import SQLite
import Text

/// Finds the names by which a query found a place, if the row does not show them: another name of the place; areas such as `ma` and `usa`
/// in `boston, ma, usa`; and a postcode. Merging compares rows with the query and needs these names.
struct MatchedNames {
  /// The words of the query that name areas, and for each word the areas that it names.
  private var areas: [(word: String, set: AreaSet)] = []
  /// The words of the query that state the kind of settlement (`SettlementPrefixes`).
  private var settlementWords: [String] = []
  /// The words of the query that state the kind of region (`RegionKinds`), and the countries with such regions.
  private var regionKind: RegionKinds.Match?
  /// The numbers of the query, which may be postcodes.
  private var numbers: [String] = []
  /// The places that have the query as a whole name, one list for each kind of name.
  private var wholeNameLists: [PostingCursor] = []
  private let query: SearchText
  private let file: IndexFile

  /// The query or a part of it, in the forms that are compared with names.
  private struct SearchText {
    /// The folded words.
    let words: [String]
    /// The words without spaces.
    let key: [UInt8]
    /// The first letter before folding, in lower case; nil if there is none.
    let firstLetter: UInt32?

    init(_ words: [String], firstLetter: UInt32?) {
      self.words = words
      key = Array(words.joined().utf8)
      self.firstLetter = firstLetter
    }
  }

  /// - Parameter words: the folded words of the query.
  init(_ query: String, _ words: [String], in file: IndexFile) throws(SQLiteError) {
    self.query = SearchText(words, firstLetter: FirstLetter.of(query.utf8))
    let key = words.joined()
    self.file = file
    for kind in [TermKind.name, .localName, .otherName, .scriptName] {
      if let list = try file.places(kind, key) { wholeNameLists.append(list) }
    }
    // A query of one word cannot name both a place and its area.
    guard (2...MatchedNames.maxWords).contains(words.count) else { return }
    numbers = words.filter { $0.utf8.allSatisfy(\.isDigit) }
    // The words for a region and its kind may be all words, or the first ones.
    regionKind = RegionKinds.split(words[...]) ?? words.indices.dropFirst(2).lazy.compactMap { RegionKinds.split(words[..<$0]) }.first
    let withoutPrefixes = SettlementPrefixes.removed(from: query)
    if withoutPrefixes != query { settlementWords = Array(Set(words).subtracting(Folding.words(of: withoutPrefixes))).sorted() }
    for word in words {
      guard let list = try file.places(.area, word) else { continue }
      let set = try file.areas(list)
      if !set.isEmpty { areas.append((word, set)) }
    }
  }

  /// The maximum number of words of a query in which areas, postcodes and kinds are recognized. Each word is looked up.
  private static let maxWords = 8
  /// The minimum length in bytes of a word that counts as shown if it is a prefix of a shown word. A shorter one, such as `ma`, may be such a
  /// prefix by chance.
  private static let minShownPrefixLength = 4

  /// The name to list first among a row's other names; nil if the row already shows the name by which the query found it.
  /// - Parameters:
  ///   - rank: the rank of the row's place.
  ///   - title: the name that the row shows, and the parts of it that match the query.
  ///   - text: the whole text of the row.
  ///   - isPartial: whether the place matches only some of the words. If so, a number in the query is not treated as the place's postcode.
  func name(
    _ rank: UInt32, _ title: FormattedText?, _ text: FormattedText, isPartial: Bool = false
  ) throws(SQLiteError) -> String? {
    guard let columns = file.mapped.columns(rank) else { return nil }
    if query.words.count == 1, query.key.allSatisfy(\.isDigit), try file.hasPostcode(rank, query.words[0]) {
      return "\(title?.text ?? text.text), \(query.words[0])"
    }
    let areaWords = areas.filter { $0.set.contains(columns) }.map(\.word)
    let shownWords = areaWords.isEmpty ? [] : Folding.words(of: text.text)
    let hiddenAreas = areaWords.filter { word in
      word.utf8.count < MatchedNames.minShownPrefixLength || !shownWords.contains { $0.hasPrefix(word) }
    }
    var postcodes: [String] = []
    if !isPartial { for number in numbers where try file.mayHavePostcode(rank, number) { postcodes.append(number) } }
    // The words of the query that the row does not show, although they describe the place.
    let hiddenWords = hiddenAreas + settlementWords + (try kindWords(rank, columns)) + postcodes
    if !hiddenWords.isEmpty {
      var placeName = title?.text ?? text.text
      let nameWords = query.words.filter { !hiddenWords.contains($0) && !areaWords.contains($0) }
      if title?.matches.isEmpty == true || !postcodes.isEmpty && Folding.words(of: placeName) != nameWords {
        let beginsQuery = nameWords.first == query.words.first
        let firstLetter = beginsQuery ? query.firstLetter : nameWords.first.flatMap { FirstLetter.of($0.utf8) }
        placeName = try otherName(rank, matching: SearchText(nameWords, firstLetter: firstLetter)) ?? placeName
      }
      return "\(placeName), \(hiddenWords.joined(separator: " "))"
    }
    guard let title else { return nil }
    // The query may be the whole of another name, and only a prefix or a word of the title.
    if !title.matches.isEmpty {
      guard try wholeNameLists.anyContains(rank), !Folding.key(title.text).utf8.elementsEqual(query.key) else { return nil }
    }
    guard let matchedName = try otherName(rank, matching: query) else { return nil }
    // A misspelling of the title is more likely than a prefix of another name: `johanesburg` means Johannesburg, not Johanesburgo.
    let isMisspelledTitle = isSimilar(title.text, to: query.words.joined()) && !Folding.key(matchedName).utf8.elementsEqual(query.key)
    return isMisspelledTitle ? nil : matchedName
  }

  /// Whether a title differs from a text by so few typing errors that the search corrects them.
  private func isSimilar(_ title: String, to text: String) -> Bool {
    let maxErrors = TypoTolerance.allowedErrors(text.utf8.count)
    // Folding is slow, and changes the length of few titles by more than three bytes.
    guard maxErrors > 0, abs(title.utf8.count - text.utf8.count) <= maxErrors + 3 else { return false }
    return typingErrors(between: Folding.key(title), and: text) <= maxErrors
  }

  /// The words of the query that state the kind of a region, if the place is a region of this kind; otherwise none.
  private func kindWords(_ rank: UInt32, _ columns: PlaceColumns) throws(SQLiteError) -> [String] {
    guard let regionKind, columns.region > 0, try file.areas.entry(columns.region)?.rank == rank,
      let country = try file.areas.entry(columns.country)?.code, regionKind.countries.contains(country)
    else { return [] }
    return regionKind.kindWords
  }

  /// The importance of a city of 100,000 people.
  private static let cityImportance = 0.64

  /// Whether a place is a town that is less important than a city of 100,000 people.
  private func isSmallTown(_ columns: PlaceColumns) throws(SQLiteError) -> Bool {
    guard columns.relativeImportance < MatchedNames.cityImportance else { return false }
    return try file.types.types(columns.types).first == "locality"
  }

  /// The name of the place that equals the searched words, if possible in the same script; otherwise the shortest name that begins with
  /// these words, or with which they begin. Nil if there is none.
  private func otherName(_ rank: UInt32, matching searchText: SearchText) throws(SQLiteError) -> String? {
    guard !searchText.key.isEmpty, let columns = file.mapped.columns(rank), let stored = try file.place(rank)?.stored else { return nil }
    let isGerman = PlaceTerms.germanCountries.contains(try file.areas.entry(columns.country)?.code ?? "")
    var best: (name: String, length: Int)?
    for section in RecordSections(stored[...]) {
      for (field, bytes) in FieldSequence(section.fields) {
        guard let name = field.name(in: bytes), couldMatch(name.text, searchText) else { continue }
        // A name of unknown language may be a mistake or a long forgotten name: Gowanda in New York was once called Persia.
        if field == .otherName, try isSmallTown(columns) { continue }
        let text = String(decoding: name.text, as: UTF8.self)
        for form in PlaceTerms.forms(of: text, isGerman: isGerman) {
          let words = Folding.words(of: form)
          let key = words.joined()
          if key.utf8.elementsEqual(searchText.key) {
            // Merging may transliterate differently, so a name in the script of the query is preferred.
            if FirstLetter.of(name.text) == searchText.firstLetter { return form }
            best = (form, 0)
          }
          guard key.utf8.starts(with: searchText.key) || searchText.words.starts(with: words), form.count < best?.length ?? .max else {
            continue
          }
          best = (form, form.count)
        }
      }
    }
    return best?.name
  }

  /// A quick check before a name is folded, which is slow. False only if the name does not begin with the searched words, and they do
  /// not begin with it.
  private func couldMatch(_ name: ArraySlice<UInt8>, _ searchText: SearchText) -> Bool {
    var matchedCount = 0
    for byte in name where matchedCount < searchText.key.count {
      guard byte < 0x80 else { return matchedCount > 0 || couldShareFirstLetter(name, searchText) }
      guard Folding.isPlainLetter(byte) else { continue }
      guard Folding.lowercased(byte) == searchText.key[matchedCount] else { return false }
      matchedCount += 1
    }
    return matchedCount > 0
  }

  /// The quick check for a name that begins with a letter outside ASCII: whether both begin with the same letter, or both with a Latin
  /// letter.
  private func couldShareFirstLetter(_ name: ArraySlice<UInt8>, _ searchText: SearchText) -> Bool {
    guard let letter = FirstLetter.of(name), let searchLetter = searchText.firstLetter else { return false }
    // The blocks from Basic Latin to Latin Extended-B, and Latin Extended Additional.
    let isLatin = { (letter: UInt32) in letter < 0x250 || (0x1E00..<0x1F00).contains(letter) }
    return letter == searchLetter || isLatin(letter) && isLatin(searchLetter)
  }
}
