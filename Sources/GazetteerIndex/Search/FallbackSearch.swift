import PlacesKit
import SQLite

/// The passes for a query that no place matches as a whole, not even with one typing error.
extension CandidateSearch {
  /// The maximum number of words of a query for which these passes run. They look up many parts of the words.
  private static let maxLooseWords = 12

  /// Adds the rows of the first of these passes that finds any. The rows of the first four passes match all words, those of the other
  /// passes some of them. A place near a named town is not certain to be meant, so rows that match some of the words follow it.
  mutating func matchLoosely(_ words: [String]) throws(SQLiteError) {
    guard (2...CandidateSearch.maxLooseWords).contains(words.count) else { return }
    isGuess = true
    if addComplete(try matchesOfCorrectedWords(words)) { return }
    if addComplete(try matchesOfCompounds(words)) { return }
    if addComplete(try wholeNamesWithOtherWordsInAddress(words)) { return }
    if addComplete(try placesNearNamedTown(words)) {
      addPartial(try wholeNamesIgnoringOtherWords(words), below: lowestScore)
      return
    }
    if words.contains(where: { $0.contains(where: \.isNumber) }) { return try matchDespiteUnknownNumber(words) }
    if addPartial(try wholeNamesIgnoringOtherWords(words)) { return }
    // Names in other languages count only for well-known places: `Köln Rhein` means the Rhine, not Ryn in Poland, once called Rhein.
    if top.rows.isEmpty { addPartial(try wholeNamesIgnoringOtherWords(words, inOtherLanguages: true)) }
  }

  /// Call it if the words contain a number, and no place has both the number and the other words. Adds the street of an unknown house, and
  /// the street's houses with the nearest numbers; or a place whose name was typed together with an unknown postcode.
  private mutating func matchDespiteUnknownNumber(_ words: [String]) throws(SQLiteError) {
    if addComplete(try townWithPostcode(in: words)) {
      addPartial(try wholeNamesIgnoringOtherWords(words), below: lowestScore)
      return
    }
    let nameWords = (PostcodeSigns.split(words)?.words ?? words).filter { !$0.contains(where: \.isNumber) && !Initials.isInitial($0) }
    // While the user types the number, more than `top.limit` houses are collected. `nearestHouses` takes those with the nearest numbers.
    var streetSearch = emptySearch(limit: query.isSubmitted ? top.limit : HouseNumberOrder.candidateCount)
    // A single word with an area is not matched, since it is a prefix of too many names in that area: `ave` in `5th ave new york`.
    if nameWords.count > 1 { try streetSearch.matchName(nameWords[...], areaQualifiers(nameWords).filter { $0.name.count > 1 }) }
    let hasStreet = addPartial(try nearestHouses(streetSearch.top, words))
    addPartial(try wholeNamesIgnoringOtherWords(words), below: hasStreet ? lowestScore : 1)
    guard top.rows.isEmpty, !nameWords.isEmpty else { return }
    var nameSearch = emptySearch()
    // A word before the number is complete: `zip 9490` is not Zipaquirá.
    nameSearch.lastWordIsComplete = nameWords.last != words.last
    try nameSearch.match(nameWords)
    if nameSearch.top.rows.isEmpty { try nameSearch.matchLoosely(nameWords) }
    addPartial(nameSearch.top)
  }

  /// The town that the words name, with or without an area, if exactly one of the words is a number, which may be its postcode. Empty if
  /// several such towns have the name, since only the postcode, which the index does not know, would tell which one is meant.
  private func townWithPostcode(in words: [String]) throws(SQLiteError) -> TopResults {
    let numbers = words.filter { $0.utf8.allSatisfy(\.isDigit) }
    guard numbers.count == 1 else { return emptySearch().top }
    let nameWords = words.filter { $0 != numbers[0] }
    // No limit applies, so that a second town of this name is found too.
    var nameSearch = emptySearch(limit: .max)
    try nameSearch.matchWholeOrInArea(nameWords[...])
    var town = emptySearch().top
    for row in nameSearch.top.rows where try file.mayHavePostcode(row.rank, numbers[0]) {
      // This is the second such town.
      guard town.rows.isEmpty else { return emptySearch().top }
      town.add(row.rank, row.score)
    }
    return town
  }

  /// The fraction of its score that a row loses for each row before it. It is too small to change the order of rows whose scores differ for
  /// another reason.
  private static let positionPenalty = 1e-9

  /// The rows, with the houses of a street ordered by how near their numbers are to the typed number; at most `top.limit` rows.
  /// - Parameter words: the words of the query, which contain the typed number.
  func nearestHouses(_ results: TopResults, _ words: [String]) throws(SQLiteError) -> TopResults {
    guard let order = HouseNumberOrder(words, in: file) else { return results }
    var nearest = TopResults(limit: top.limit)
    // The scores are lowered slightly with each position, because rows with equal scores would be ordered by importance.
    for (position, row) in try order.ordered(results.rows).enumerated() {
      nearest.add(row.rank, row.score * (1 - CandidateSearch.positionPenalty * Double(position)))
    }
    return nearest
  }

  /// Adds rows that match all words, with scores below 1. Returns whether there were any rows.
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

  /// Places whose whole name, with or without the name of their area, is the beginning or the end of the words. The other words are
  /// ignored.
  private func wholeNamesIgnoringOtherWords(_ words: [String], inOtherLanguages: Bool = false) throws(SQLiteError) -> TopResults {
    try matchesOfLongestPart(of: words) { (search, part, _) throws(SQLiteError) in
      try search.matchWholeOrInArea(part, inOtherLanguages: inOtherLanguages)
    }
  }

  /// Adds places whose whole name is these words; and, if the words begin or end with the name of an area, places in the area whose whole
  /// name is the other words.
  /// - Parameter inOtherLanguages: as for `matchWhole`.
  private mutating func matchWholeOrInArea(_ words: ArraySlice<String>, inOtherLanguages: Bool = false) throws(SQLiteError) {
    try matchWhole(words, factor: MatchWeight.partial, in: [], inOtherLanguages: inOtherLanguages)
    for qualifier in try areaQualifiers(Array(words)) where qualifier.weight >= MatchWeight.inArea {
      try matchWhole(
        qualifier.name, factor: qualifier.weight * MatchWeight.partial, in: qualifier.areas, inOtherLanguages: inOtherLanguages)
    }
  }

  /// Places whose whole name is the beginning or the end of the words, and whose other names or address have the remaining words. A name is
  /// looked up without spaces, so this finds a Mc Donald’s for `mcdonalds vaduz`.
  private func wholeNamesWithOtherWordsInAddress(_ words: [String]) throws(SQLiteError) -> TopResults {
    try matchesOfLongestPart(of: words) { (search, part, otherWords) throws(SQLiteError) in
      for lookup in query.nameLookups where !lookup.isLowConfidence {
        guard let text = query.lookupText(for: part.joined(), wordCount: part.count, in: lookup.kind),
          let namedPlaces = try file.places(lookup.kind, text)
        else { continue }
        for kind in query.wordLookups.map(\.kind) {
          let otherLists = try postingLists(of: otherWords, kind)
          guard otherLists.count == otherWords.count else { continue }
          try search.walk([namedPlaces] + otherLists, weight: lookup.wholeWeight * MatchWeight.partial, in: [])
        }
      }
    }
  }

  /// The matches of the longest part of the words that has any matches. A part is at the beginning or the end of the words.
  /// - Parameter match: adds the matches of a part to a search. It also receives the remaining words.
  private func matchesOfLongestPart(
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
  /// - Parameter inOtherLanguages: if true, only names in other languages (`TermKind.otherName`) are looked up, and only well-known places
  ///   are added; a query in another script than Latin matches none. If false, all other kinds of names are looked up, and places of any
  ///   importance are added.
  mutating func matchWhole(
    _ words: ArraySlice<String>, factor: Double, in areas: [AreaSet], inOtherLanguages: Bool = false
  ) throws(SQLiteError) {
    let key = words.joined()
    guard key.utf8.count >= CandidateSearch.minPartLength else { return }
    // Of `nameLookups`, only the names in other languages are of low confidence.
    for lookup in query.nameLookups where lookup.isLowConfidence == inOtherLanguages {
      guard let text = query.lookupText(for: key, wordCount: words.count, in: lookup.kind) else { continue }
      let minImportance = inOtherLanguages ? TypoTolerance.wellKnownImportance : 0
      // A whole name in another language counts no more than a prefix.
      let extent: MatchExtent = inOtherLanguages ? .prefix : .name
      if let list = try file.places(lookup.kind, text) {
        try walk([list], weight: factor * lookup.wholeWeight, in: areas, extent: extent, minImportance: minImportance)
      }
    }
  }

  /// For each word, the list of places that have it as a term of a kind. A word without places has no list.
  private func postingLists(of words: some Sequence<String>, _ kind: TermKind) throws(SQLiteError) -> [PostingCursor] {
    var lists: [PostingCursor] = []
    for word in words { if let list = try file.places(kind, word) { lists.append(list) } }
    return lists
  }

  // MARK: Towns nearby

  /// The maximum distance in metres between a town's centre and a place that people describe by naming the town, such as a district or a
  /// village.
  private static let townRadius = 25_000.0
  /// The maximum number of words of a place and a town. Each division of the words costs up to four searches.
  private static let maxWordsWithTown = 6

  /// Places that one part of the words names, near a better known town that the other part names: `soho london`, if the data does not
  /// place Soho in London.
  ///
  /// The searches for the town and for the places near it ignore `nearestTo`: the town that is meant is the best known of its name, and the
  /// places of the other name nearest to the user may be far from the town. `GazetteerSearch` orders the final rows by distance.
  private func placesNearNamedTown(_ words: [String]) throws(SQLiteError) -> TopResults {
    var placesNearTowns = emptySearch().top
    guard (2...CandidateSearch.maxWordsWithTown).contains(words.count), !words.contains(where: { $0.contains(where: \.isNumber) }) else {
      return placesNearTowns
    }
    let townFilter = try PlaceFilter(collection: .regions, in: file)
    for index in 1..<words.count {
      for (name, townName) in [(words[..<index], words[index...]), (words[index...], words[..<index])] {
        var townSearch = CandidateSearch(file: file, filter: townFilter, query: query, scorer: scorer, limit: 1)
        try townSearch.matchWhole(townName, factor: 1, in: [])
        guard let town = townSearch.top.rows.first, let center = file.mapped.columns(town.rank)?.point.coordinate else { continue }
        let proximity = ProximityBoost(.circle(center: center, radius: CandidateSearch.townRadius))
        var nearbySearch = CandidateSearch(
          file: file, filter: filter, query: query, scorer: Scorer(proximity: proximity, locale: scorer.locale), limit: top.limit)
        try nearbySearch.matchWhole(name, factor: MatchWeight.partial, in: [])
        // A greater rank is a less known place.
        for place in nearbySearch.top.rows
        where place.rank > town.rank && file.distance(of: place.rank, to: center) <= CandidateSearch.townRadius {
          placesNearTowns.add(place.rank, place.score)
        }
      }
    }
    return placesNearTowns
  }

  // MARK: Words that were mistyped or divided

  /// The matches of the words with two adjacent words joined into one.
  private func matchesOfCompounds(_ words: [String]) throws(SQLiteError) -> TopResults {
    var search = emptySearch()
    for reading in query.readings(by: .compound, of: words) { try search.matchName(reading[...], search.areaQualifiers(reading)) }
    return search.top
  }

  /// The matches after each word that is not known (`isKnownWord`) is replaced with a known word one typing error away. Unlike the search
  /// before these passes, this allows an error in each of two words.
  private func matchesOfCorrectedWords(_ words: [String]) throws(SQLiteError) -> TopResults {
    guard query.rewriters.contains(.mistypedWord), query.isAlphabetic, (2...CandidateSearch.maxCorrectedWords).contains(words.count) else {
      return emptySearch().top
    }
    var readings = [(words: [String](), errors: 0)]
    var mistypedCount = 0
    for (index, word) in words.enumerated() {
      var candidates = [(word: word, errors: 0)]
      if try !isKnownWord(word) {
        mistypedCount += 1
        // The last word may be unfinished instead, so it is also a candidate.
        if index < words.count - 1 { candidates = [] }
        // `MatchWeight.errors` has factors for at most two errors. A third unknown word has no candidates, unless it is the last word.
        if mistypedCount < MatchWeight.errors.count {
          candidates = try corrections(ofWordAt: index, in: words).map { (word: $0, errors: 1) } + candidates
        }
      }
      readings = readings.flatMap { reading in candidates.map { (reading.words + [$0.word], reading.errors + $0.errors) } }
    }
    var correctedSearch = emptySearch()
    for (correctedWords, errors) in readings where errors > 0 {
      let factor = MatchWeight.errors[errors]
      try correctedSearch.matchName(correctedWords[...], factor: factor, in: [])
      for qualifier in try areaQualifiers(correctedWords) {
        try correctedSearch.matchName(qualifier.name, factor: factor * qualifier.weight, in: qualifier.areas)
      }
    }
    return correctedSearch.top
  }

  /// The maximum number of words of a query whose words are corrected. Each corrected reading is searched with every division into a name
  /// and areas.
  private static let maxCorrectedWords = 8
  /// The maximum number of corrections that are tried for one word.
  private static let maxCorrections = 4

  /// Words that differ from a word by one typing error, and that either name an area or belong to a place that also has the other words.
  /// Other words that no place has are ignored, because they may be mistyped too. Empty for a short word, which would have too many
  /// corrections.
  private func corrections(ofWordAt index: Int, in words: [String]) throws(SQLiteError) -> [String] {
    guard words[index].utf8.count >= TypoTolerance.minAlternativeLength else { return [] }
    var otherWords: [String] = []
    for (otherIndex, word) in words.enumerated() where otherIndex != index {
      // Leave out the names of areas (a place in Berlin need not have the word Berlin) and a last word that may be unfinished.
      let mayBeUnfinished = otherIndex == words.count - 1 && !query.isSubmitted && !query.endsWithSpace
      if !mayBeUnfinished, try file.places(.area, word) == nil { otherWords.append(word) }
    }
    var otherLists: [(kind: TermKind, lists: [PostingCursor])] = []
    for kind in query.wordLookups.map(\.kind) { otherLists.append((kind, try postingLists(of: otherWords, kind))) }
    var correctedWords: [String] = []
    for guess in TypoTolerance.guesses(for: words[index], errors: 1, in: file.mapped.prefixes)
    where correctedWords.count < CandidateSearch.maxCorrections {
      let text = String(decoding: guess.text, as: UTF8.self)
      var isPossible = try file.places(.area, text) != nil
      for (kind, lists) in otherLists where !isPossible {
        guard let list = try file.places(kind, text) else { continue }
        var common = CommonRanks([list] + lists)
        isPossible = try common.next() != nil
      }
      if isPossible { correctedWords.append(text) }
    }
    return correctedWords
  }

  /// Whether the word needs no correction: it contains a number, it is a word of an address or of a name, or it is the name of an area.
  /// Words of names in other languages (`TermLookup.isLowConfidence`) do not count, because nearly every mistyped word is one: `eshen`,
  /// which may be typed for Eschen, is another name of Heuchin.
  private func isKnownWord(_ word: String) throws(SQLiteError) -> Bool {
    if word.contains(where: \.isNumber) { return true }
    for lookup in query.wordLookups where !lookup.isLowConfidence { if try file.places(lookup.kind, word) != nil { return true } }
    return try file.places(.area, word) != nil
  }
}
