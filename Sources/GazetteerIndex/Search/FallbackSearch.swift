import PlacesKit
import SQLite

/// The passes that run if no place matches all words of the query, with at most one typing error.
extension CandidateSearch {
  /// Adds the rows of the first of these passes that finds any. The first four passes account for all words, the others for some of them.
  mutating func matchLoosely(_ words: [String]) throws(SQLiteError) {
    guard (2...12).contains(words.count) else { return }
    isGuess = true
    if addComplete(try correctedWords(words)) { return }
    if addComplete(try compounds(of: words)) { return }
    if addComplete(try wholeNamesBesideOtherWords(in: words)) { return }
    if addComplete(try wholeNames(nearTownsIn: words)) {
      addPartial(try wholeNames(in: words), below: lowestScore)
      return
    }
    if words.contains(where: { $0.contains(where: \.isNumber) }) { return try matchWithoutNumbers(words) }
    if addPartial(try wholeNames(in: words)) { return }
    // Names in other languages count only for well-known places: `Köln Rhein` means the Rhine, not Ryn in Poland, once called Rhein.
    if top.rows.isEmpty { addPartial(try wholeNames(in: words, inOtherLanguages: true)) }
  }

  /// Adds the street of a house that the index does not have, and the street's houses with the nearest numbers; or a place whose name was
  /// typed together with an unknown postcode.
  private mutating func matchWithoutNumbers(_ words: [String]) throws(SQLiteError) {
    if addComplete(try townBesidePostcode(in: words)) {
      addPartial(try wholeNames(in: words), below: lowestScore)
      return
    }
    let nameWords = (PostcodeSigns.split(words)?.words ?? words).filter { !$0.contains(where: \.isNumber) && !Initials.isInitial($0) }
    // A single word with an area is not matched, since it is a prefix of too many names there: `ave` in `5th ave new york`.
    // While the number is being typed, the nearest ones are chosen among more houses.
    var street = emptySearch(limit: query.isFinished ? top.limit : HouseNumberOrder.candidateCount)
    if nameWords.count > 1 { try street.matchName(nameWords[...], areaQualifiers(nameWords).filter { $0.name.count > 1 }) }
    let hasStreet = addPartial(try nearestHouses(street.top, words))
    addPartial(try wholeNames(in: words), below: hasStreet ? lowestScore : 1)
    guard top.rows.isEmpty, !nameWords.isEmpty else { return }
    var others = emptySearch()
    try others.match(nameWords)
    if others.top.rows.isEmpty { try others.matchLoosely(nameWords) }
    addPartial(others.top)
  }

  /// The town that the words name, with or without an area, apart from one number that may be its postcode. Empty if several such towns
  /// have the name, since only the postcode, which the index does not know, would tell which one is meant.
  private func townBesidePostcode(in words: [String]) throws(SQLiteError) -> TopResults {
    // All places of the name count, not only as many as are wanted.
    var (named, found) = (emptySearch(limit: .max), emptySearch())
    let numbers = words.filter { $0.utf8.allSatisfy(\.isDigit) }
    guard numbers.count == 1 else { return found.top }
    let nameWords = words.filter { $0 != numbers[0] }
    try named.matchWholeOrInArea(nameWords[...])
    for row in named.top.rows where try file.mayHavePostcode(row.rank, numbers[0]) {
      guard found.top.rows.isEmpty else { return emptySearch().top }
      found.top.add(row.rank, row.score)
    }
    return found.top
  }

  /// The best of the found rows. Of the houses of a street, these are the ones with the nearest numbers.
  /// - Parameter words: the words of the query, which contain the typed number.
  func nearestHouses(_ results: TopResults, _ words: [String]) throws(SQLiteError) -> TopResults {
    guard let order = HouseNumberOrder(words, in: file) else { return results }
    var nearest = TopResults(limit: top.limit)
    // Scores fall slightly with each position, since rows with equal scores would be ordered by importance.
    for (position, row) in try order.ordered(results.rows).enumerated() { nearest.add(row.rank, row.score * (1 - 1e-9 * Double(position))) }
    return nearest
  }

  /// Adds rows that account for all words, with scores below 1. Returns whether there were any rows.
  private mutating func addComplete(_ results: TopResults) -> Bool {
    add(results, below: 1)
    return !results.rows.isEmpty
  }

  /// Adds rows that match only some of the words, and remembers them in `partialMatches`. Returns whether there were any rows.
  @discardableResult private mutating func addPartial(_ results: TopResults, below score: Double = 1) -> Bool {
    let completeMatches = Set(top.rows.map(\.rank)).subtracting(partialMatches)
    partialMatches.formUnion(Set(results.rows.map(\.rank)).subtracting(completeMatches))
    add(results, below: score)
    return !results.rows.isEmpty
  }

  // MARK: Whole names among the words

  /// The minimum length in bytes of a part of the words that is matched alone. A shorter part names too many places by chance.
  static let minPartLength = 3

  /// Places whose whole name is the beginning or the end of the words, with or without their area.
  private func wholeNames(in words: [String], inOtherLanguages: Bool = false) throws(SQLiteError) -> TopResults {
    try longestPart(of: words) { (search, part, _) throws(SQLiteError) in
      try search.matchWholeOrInArea(part, inOtherLanguages)
    }
  }

  /// Adds places whose whole name is these words, or the words beside an area in which they lie.
  private mutating func matchWholeOrInArea(_ words: ArraySlice<String>, _ inOtherLanguages: Bool = false) throws(SQLiteError) {
    try matchWhole(words, factor: MatchWeight.partial, in: [], inOtherLanguages)
    for qualifier in try areaQualifiers(Array(words)) where qualifier.weight >= MatchWeight.inArea {
      try matchWhole(qualifier.name, factor: qualifier.weight * MatchWeight.partial, in: qualifier.areas, inOtherLanguages)
    }
  }

  /// Places whose whole name is the beginning or the end of the words, and whose other names or address have the remaining words. A name is
  /// looked up without spaces, so this finds a Mc Donald’s for `mcdonalds vaduz`.
  private func wholeNamesBesideOtherWords(in words: [String]) throws(SQLiteError) -> TopResults {
    try longestPart(of: words) { (search, part, otherWords) throws(SQLiteError) in
      for lookup in query.nameLookups where !lookup.isVague {
        guard let text = query.lookupText(for: part.joined(), wordCount: part.count, in: lookup.kind),
          let namedPlaces = try file.places(lookup.kind, text)
        else { continue }
        for kind in query.wordLookups.map(\.kind) {
          let others = try lists(of: otherWords, kind)
          if others.count == otherWords.count { try search.walk([namedPlaces] + others, lookup.wholeWeight * MatchWeight.partial, []) }
        }
      }
    }
  }

  /// The matches of the longest part of the words that has any matches. A part is at the beginning or the end of the words.
  /// - Parameter match: adds the matches of a part to a search. It also gets the remaining words.
  private func longestPart(
    of words: [String],
    _ match: (_ search: inout CandidateSearch, _ part: ArraySlice<String>, _ otherWords: ArraySlice<String>) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> TopResults {
    for count in (1..<words.count).reversed() {
      var search = emptySearch()
      for (part, otherWords) in [(words.suffix(count), words.dropLast(count)), (words.prefix(count), words.dropFirst(count))]
      where part.joined().utf8.count >= CandidateSearch.minPartLength {
        try match(&search, part, otherWords)
      }
      if !search.top.rows.isEmpty { return search.top }
    }
    return emptySearch().top
  }

  /// Adds places whose whole name is these words.
  /// - Parameter inOtherLanguages: whether the names in other languages are looked up, and only well-known places are added. Otherwise all
  ///   other names are looked up, and places of any importance are added.
  mutating func matchWhole(
    _ words: ArraySlice<String>, factor: Double, in areas: [AreaSet], _ inOtherLanguages: Bool = false
  ) throws(SQLiteError) {
    let key = words.joined()
    guard key.utf8.count >= CandidateSearch.minPartLength else { return }
    // Only the list of names in other languages is vague.
    for lookup in query.nameLookups where lookup.isVague == inOtherLanguages {
      guard let text = query.lookupText(for: key, wordCount: words.count, in: lookup.kind) else { continue }
      let minImportance = inOtherLanguages ? TypoTolerance.wellKnown : 0
      if let list = try file.places(lookup.kind, text) {
        try walk(
          [list], factor * lookup.wholeWeight, areas, extent: inOtherLanguages ? .prefix : .name, minImportance: minImportance)
      }
    }
  }

  /// The list of places for each word; a word without places is left out.
  private func lists(of words: some Sequence<String>, _ kind: TermKind) throws(SQLiteError) -> [PostingCursor] {
    var lists: [PostingCursor] = []
    for word in words { if let list = try file.places(kind, word) { lists.append(list) } }
    return lists
  }

  // MARK: Towns nearby

  /// The maximum distance in metres between a town's centre and a place that people describe by the town, such as a district or a village.
  private static let townReach = 25_000.0

  /// Places that some words name, near a better known place that the other words name: `soho london`, if the data does not place Soho in
  /// London.
  private func wholeNames(nearTownsIn words: [String]) throws(SQLiteError) -> TopResults {
    var found = emptySearch()
    guard (2...6).contains(words.count), !words.contains(where: { $0.contains(where: \.isNumber) }) else { return found.top }
    let townFilter = try PlaceFilter(collection: .regions, in: file)
    for index in 1..<words.count {
      for (name, townName) in [(words[..<index], words[index...]), (words[index...], words[..<index])] {
        var towns = CandidateSearch(file: file, filter: townFilter, query: query, scorer: scorer, limit: 1)
        try towns.matchWhole(townName, factor: 1, in: [])
        guard let town = towns.top.rows.first, let center = file.mapped.columns(town.rank)?.point.coordinate else { continue }
        let around = ProximityBoost(.circle(center: center, radius: CandidateSearch.townReach))
        var near = CandidateSearch(
          file: file, filter: filter, query: query, scorer: Scorer(proximity: around, locale: scorer.locale), limit: top.limit)
        try near.matchWhole(name, factor: MatchWeight.partial, in: [])
        for place in near.top.rows
        where place.rank > town.rank && file.distance(of: place.rank, to: center) <= CandidateSearch.townReach {
          found.top.add(place.rank, place.score)
        }
      }
    }
    return found.top
  }

  // MARK: Words that were mistyped or divided

  /// The matches of the words with two adjacent ones joined to one.
  private func compounds(of words: [String]) throws(SQLiteError) -> TopResults {
    var search = emptySearch()
    for reading in query.readings(by: .compound, of: words) { try search.matchName(reading[...], search.areaQualifiers(reading)) }
    return search.top
  }

  /// The matches after each word that fails `isShownWord` was replaced with a word that differs from it by one typing error.
  private func correctedWords(_ words: [String]) throws(SQLiteError) -> TopResults {
    var found = emptySearch()
    guard query.rewriters.contains(.mistypedWord), query.isAlphabetic, (2...8).contains(words.count) else { return found.top }
    var readings = [(words: [String](), errors: 0)]
    var mistypedCount = 0
    for (index, word) in words.enumerated() {
      var candidates = [(word: word, errors: 0)]
      if try !isShownWord(word) {
        mistypedCount += 1
        // The last word may be unfinished instead.
        if index < words.count - 1 { candidates = [] }
        if mistypedCount < MatchWeight.errors.count {
          candidates = try corrections(ofWordAt: index, in: words).map { (word: $0, errors: 1) } + candidates
        }
      }
      readings = readings.flatMap { reading in candidates.map { (reading.words + [$0.word], reading.errors + $0.errors) } }
    }
    for (words, errors) in readings where errors > 0 {
      let factor = MatchWeight.errors[errors]
      try found.matchName(words[...], factor: factor, in: [])
      for qualifier in try areaQualifiers(words) {
        try found.matchName(qualifier.name, factor: factor * qualifier.weight, in: qualifier.areas)
      }
    }
    return found.top
  }

  /// The maximum number of corrections tried for one word.
  private static let maxCorrections = 4

  /// Words that differ from this one by one typing error and that either name an area, or belong to a place that has the query's other
  /// words, too. Empty for a short word, which would have too many corrections.
  private func corrections(ofWordAt index: Int, in words: [String]) throws(SQLiteError) -> [String] {
    guard words[index].utf8.count >= TypoTolerance.minAlternativeLength else { return [] }
    var others: [String] = []
    for (otherIndex, word) in words.enumerated() where otherIndex != index {
      // Areas are left out, because the places in them need not have their names as words; and so is a last word that may be unfinished.
      let mayBeUnfinished = otherIndex == words.count - 1 && !query.isFinished && !query.endsWithSpace
      if !mayBeUnfinished, try file.places(.area, word) == nil { others.append(word) }
    }
    var otherLists: [(kind: TermKind, lists: [PostingCursor])] = []
    for kind in query.wordLookups.map(\.kind) { otherLists.append((kind, try lists(of: others, kind))) }
    var corrections: [String] = []
    for guess in TypoTolerance.guesses(for: words[index], errors: 1, in: file.mapped.prefixes)
    where corrections.count < CandidateSearch.maxCorrections {
      let text = String(decoding: guess.text, as: UTF8.self)
      var isPossible = try file.places(.area, text) != nil
      for (kind, lists) in otherLists where !isPossible {
        guard let list = try file.places(kind, text) else { continue }
        var common = CommonRanks([list] + lists)
        isPossible = try common.next() != nil
      }
      if isPossible { corrections.append(text) }
    }
    return corrections
  }

  /// Whether an address, or a name that rows show, contains the word, or an area has it as a name. The vague lists, with the words of names
  /// in other languages, are not searched, because they contain nearly every mistyped word: `eshen`, which may be typed for Eschen, is in
  /// them because Eshen is another name of Heuchin.
  private func isShownWord(_ word: String) throws(SQLiteError) -> Bool {
    if word.contains(where: \.isNumber) { return true }
    for lookup in query.wordLookups where !lookup.isVague { if try file.places(lookup.kind, word) != nil { return true } }
    return try file.places(.area, word) != nil
  }
}
