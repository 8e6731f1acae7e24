import PlacesKit
import SQLite

/// Finds the places that match the words of a query, best first.
///
/// A place's rank is its position among all places in order of descending importance. For each term, the index has a posting list: the
/// ranks of its places, in ascending order. Each pass looks up the lists of the words and walks along their intersection; the walk ends as
/// soon as no later place can enter the top results (Turtle and Flood 1995). The passes run from the strictest to the loosest; a looser one
/// runs only if the passes before it found too few rows.
struct CandidateSearch {
  let file: IndexFile
  let filter: PlaceFilter
  let query: ParsedQuery
  let scorer: Scorer
  var top: TopResults
  /// If set, the search returns the places nearest to this point that match in any way, instead of the best matches.
  var nearestTo: Coordinate?
  /// Only places with a rank below this are candidates; more important places have lower ranks.
  private var endRank = UInt32.max
  /// Whether a number at the end of the query may be the prefix of a longer one, so that `hauptstrasse 5` matches number 50.
  private var extendsNumbers = false
  /// Whether the last searched word is complete, because other words of the query follow it, or because it names the area of a submitted
  /// address.
  var lastWordIsComplete = false
  /// Whether the query is a submitted address that ends in the name of a town, so that its last word is not the beginning of another name.
  var endsInTown = false
  /// Whether no place matches the words as typed, so that the rows match corrected words or only some of the words.
  var isGuess = false
  /// The rows that match only some of the words.
  var partialMatches: Set<UInt32> = []
  /// Whether the query names a region and its kind, such as `new york state`.
  private(set) var statesRegionKind = false
  /// Whether a row matches a whole name or whole words, as typed or with the typing errors that this search allows.
  var hasWholeMatch = false
  /// How many times a place was offered to the top results, even if it did not enter them, or was already among them.
  private(set) var offeredCount = 0
  /// Whether there are rows that match as typed, in another form (abbreviations, initials, transliterations) or with one typing error.
  private(set) var rowsMatchClosely = true

  init(file: IndexFile, filter: PlaceFilter, query: ParsedQuery, scorer: Scorer = Scorer(), limit: Int, nearestTo: Coordinate? = nil) {
    self.file = file
    self.filter = filter
    self.query = query
    self.scorer = scorer
    self.nearestTo = nearestTo
    top = TopResults(limit: limit)
  }

  /// A search for the same query that has no rows yet.
  /// - Parameter limit: nil for the limit of this search.
  func emptySearch(limit: Int? = nil) -> CandidateSearch {
    CandidateSearch(file: file, filter: filter, query: query, scorer: scorer, limit: limit ?? top.limit, nearestTo: nearestTo)
  }

  /// A looser pass runs if there are fewer rows than this.
  static let enoughRows = 3
  private var hasTooFew: Bool { top.rows.count < min(CandidateSearch.enoughRows, top.limit) }

  /// Runs all passes except those of `matchLoosely`.
  /// - Parameter words: the folded words.
  mutating func match(_ words: [String]) throws(SQLiteError) {
    guard !words.isEmpty else { return }
    var qualifiers = try areaQualifiers(words)
    // The query may be the code of a country or of an airport. The index has the code of an airport as one of its other names.
    if let weight = query.countryCodeWeight, let areas = try file.places(.area, words[0]), let countries = try file.places(.type, "country")
    {
      try walk([areas, countries], weight: weight, in: [])
    }
    if query.mayBeAirportCode, let names = try file.places(.otherName, words[0]), let airports = try file.places(.type, "airport") {
      try walk([names, airports], weight: MatchWeight.area, in: [], extent: .name)
    }
    try matchRegionKind(words, qualifiers)
    // The `state` of `victoria state` is not the beginning of an area's name, such as States of America.
    if statesRegionKind { qualifiers.removeAll { $0.weight < MatchWeight.inArea } }
    try matchAsTyped(words, qualifiers)
    if hasTooFew || query.initials == .certain || query.initials == .parts { try matchAbbreviated(words, qualifiers) }
    if top.rows.isEmpty { try matchTransliterated(words) }
    rowsMatchClosely = !top.rows.isEmpty
    if hasTooFew, query.isAlphabetic { try matchMistyped(words, qualifiers) }
  }

  // MARK: Passes

  /// Matches the words, or those before or after the name of an area, as the name of a region with a word for its kind.
  private mutating func matchRegionKind(_ words: [String], _ qualifiers: [AreaQualifier]) throws(SQLiteError) {
    for (part, areas) in [(words[...], [])] + qualifiers.map({ ($0.name, $0.areas) }) {
      guard let match = query.regionKind(part), let namedAreas = try file.places(.area, match.name.joined()),
        let regions = try file.places(.type, "administrative_area_level_1")
      else { continue }
      var countries: Set<UInt16> = []
      for code in match.countries { if let number = try file.areas.number(code) { countries.insert(number) } }
      let countBefore = offeredCount
      try walk([namedAreas, regions], weight: MatchWeight.name, in: areas + [AreaSet(countries)], extent: .name)
      if offeredCount > countBefore { statesRegionKind = true }
    }
  }

  /// Matches the words without corrections. If the last word is a number that the user may still be typing, houses whose numbers begin with
  /// it follow.
  private mutating func matchAsTyped(_ words: [String], _ qualifiers: [AreaQualifier]) throws(SQLiteError) {
    let streetRows = try streets(endingIn: words)
    if streetRows.isEmpty { try matchName(words[...], qualifiers) } else { try match(words, besides: streetRows, qualifiers) }
    guard !query.isSubmitted, !top.isFull, CandidateSearch.endsInNumber(words[...]) else { return }
    var longerNumberSearch = emptySearch(limit: max(top.limit, HouseNumberOrder.candidateCount / 2))
    longerNumberSearch.extendsNumbers = true
    try longerNumberSearch.matchName(words[...], qualifiers)
    add(try nearestHouses(longerNumberSearch.top, words), below: lowestScore)
  }

  /// Matches the words with their abbreviations and ordinals written in other ways. If initials are possible, a single letter also stands
  /// for any word that begins with it.
  private mutating func matchAbbreviated(_ words: [String], _ qualifiers: [AreaQualifier]) throws(SQLiteError) {
    guard words.count > 1, query.isAlphabetic else { return }
    let withJoinedStreets = Abbreviations.joinedStreets(in: words)
    let compounds = withJoinedStreets != words && query.rewriters.contains(.compound) ? [withJoinedStreets] : []
    let readings = [words] + query.readings(by: .abbreviation, of: words) + compounds
    for reading in readings + readings.flatMap({ query.readings(by: .ordinal, of: $0) }) {
      let qualifiers = reading == words ? qualifiers : try areaQualifiers(reading)
      if reading != words { try matchName(reading[...], qualifiers) }
      guard query.initials != .none else { continue }
      let factor = query.initials == .possible ? MatchWeight.initial : 1
      try matchInitials(reading[...], factor: factor, in: [])
      for qualifier in qualifiers { try matchInitials(qualifier.name, factor: factor * qualifier.weight, in: qualifier.areas) }
    }
  }

  /// Matches words, some of which are initials or parts (`Initials`). An initial or a part stands for any word that begins with it.
  private mutating func matchInitials(_ words: ArraySlice<String>, factor: Double, in areas: [AreaSet]) throws(SQLiteError) {
    let areParts = query.initials == .parts
    guard let lastWord = words.last, words.count > 1,
      areParts || words.dropLast().contains(where: Initials.isInitial) && !words.allSatisfy(Initials.isInitial)
    else { return }
    for lookup in query.wordLookups where !lookup.isLowConfidence {
      guard let prefixWeight = lookup.prefixWeight, mayEnter(factor * prefixWeight) else { continue }
      var lists: [PostingCursor] = []
      for word in words.dropLast() {
        let list = try areParts || Initials.isInitial(word) ? file.places(lookup.kind, startingWith: word) : file.places(lookup.kind, word)
        if let list { lists.append(list) }
      }
      guard lists.count == words.count - 1 else { continue }
      if let list = try file.places(lookup.kind, lastWord) { try walk(lists + [list], weight: factor * prefixWeight, in: areas) }
      guard mayContinue(words), let list = try file.places(lookup.kind, startingWith: lastWord) else { continue }
      try walk(lists + [list], weight: factor * prefixWeight, in: areas)
    }
  }

  /// Matches the words as names and as words in other scripts; if there are no rows, also with other transliterations.
  private mutating func matchTransliterated(_ words: [String]) throws(SQLiteError) {
    let names = TermLookup.fallbackNames(isLatin: query.isLatin, isAlphabetic: query.isAlphabetic)
    try matchName(words[...], names, factor: 1, in: [])
    try matchWords(words[...], TermLookup.fallbackWords(isLatin: query.isLatin), factor: 1, in: [])
    for rewriter in [Rewriter.longVowel, .arabicArticle] where top.rows.isEmpty {
      for reading in query.readings(by: rewriter, of: words) { try matchName(reading[...], names, factor: 1, in: []) }
    }
  }

  /// Matches words with typing errors, unless a row has all words as typed. If rows match the words as the beginning of a name, a place is
  /// added only if it is better known than all of these rows, such as London for `londn`. Its score decides where: for `sattle`, Seattle
  /// precedes Sattlerweg. Two errors are tried only if there are no such rows, and one error matches no whole name, because they cost more
  /// and are less reliable. If one error matches the beginning of a name, two errors add only well-known places.
  private mutating func matchMistyped(_ words: [String], _ qualifiers: [AreaQualifier]) throws(SQLiteError) {
    // If the words contain a number, houses with this number and a similar street name are also searched, although one matches as typed.
    guard !hasWholeMatch || words.contains(where: { $0.contains(where: \.isNumber) }) else { return }
    var mistypedSearch = emptySearch()
    mistypedSearch.lastWordIsComplete = lastWordIsComplete
    mistypedSearch.endRank = top.rows.map(\.rank).min() ?? .max
    isGuess = top.rows.isEmpty
    guard isGuess || words.joined().utf8.count >= TypoTolerance.minAlternativeLength else { return }
    for errors in 1..<MatchWeight.errors.count {
      try mistypedSearch.matchWithErrors(words[...], errors: errors, isAlternative: !isGuess, in: [])
      for qualifier in qualifiers where qualifier.weight >= MatchWeight.inArea {
        guard isGuess || qualifier.name.joined().utf8.count >= TypoTolerance.minAlternativeLength else { continue }
        try mistypedSearch.matchWithErrors(qualifier.name, errors: errors, isAlternative: !isGuess, in: qualifier.areas)
      }
      if errors == 1, !mistypedSearch.top.rows.isEmpty { rowsMatchClosely = true }
      guard isGuess, !mistypedSearch.hasWholeMatch else { break }
      if !mistypedSearch.top.rows.isEmpty {
        mistypedSearch.endRank = min(mistypedSearch.endRank, file.mapped.firstRank(below: TypoTolerance.wellKnownImportance))
      }
    }
    if isGuess { add(mistypedSearch.top, below: lowestScore) } else { for row in mistypedSearch.top.rows { top.add(row.rank, row.score) } }
  }

  // MARK: Names and words

  /// Matches the words as a name, and as a name and areas. If the area's name may be unfinished, the words before it must at first be a
  /// whole name: for `san fr`, places in France that are called San. Places in France whose names only begin with San come below all other
  /// rows, because the last word is more likely part of a name.
  mutating func matchName(_ words: ArraySlice<String>, _ qualifiers: [AreaQualifier]) throws(SQLiteError) {
    try matchName(words, factor: 1, in: [])
    for qualifier in qualifiers where !qualifier.isUnfinished {
      try matchName(qualifier.name, factor: qualifier.weight, in: qualifier.areas)
    }
    let unfinishedQualifiers = qualifiers.filter(\.isUnfinished)
    guard !unfinishedQualifiers.isEmpty else { return }
    for qualifier in unfinishedQualifiers { try matchWhole(qualifier.name, factor: qualifier.weight, in: qualifier.areas) }
    let hasNoRows = top.rows.isEmpty
    guard !top.isFull else { return }
    var unfinishedAreaSearch = emptySearch()
    for qualifier in unfinishedQualifiers {
      try unfinishedAreaSearch.matchName(qualifier.name, factor: qualifier.weight, in: qualifier.areas)
    }
    if hasNoRows { top = unfinishedAreaSearch.top } else { add(unfinishedAreaSearch.top, below: lowestScore) }
  }

  /// Matches the words as a name, written together or apart, and as words in any order.
  mutating func matchName(_ words: ArraySlice<String>, factor: Double, in areas: [AreaSet]) throws(SQLiteError) {
    try matchName(words, query.nameLookups, factor: factor, in: areas)
    let isNumbered = CandidateSearch.endsInNumber(words)
    try matchWords(words, query.wordLookups, factor: isNumbered ? factor * MatchWeight.numberedWords : factor, in: areas)
  }

  /// Matches the words as a name, written together or apart, with some kinds of names.
  mutating func matchName(
    _ words: ArraySlice<String>, _ lookups: [TermLookup], factor: Double, in areas: [AreaSet]
  ) throws(SQLiteError) {
    let key = words.joined()
    let aligned = alignedWords(words)
    for lookup in lookups {
      guard let text = query.lookupText(for: key, wordCount: words.count, in: lookup.kind) else { continue }
      if mayEnter(factor * lookup.wholeWeight * MatchWeight.area), let list = try file.places(lookup.kind, text) {
        try walk([list], weight: factor * lookup.wholeWeight, in: areas, extent: lookup.isLowConfidence ? .prefix : .name)
        if !lookup.isLowConfidence, let namedAreas = try file.places(.area, key) {
          try walk([list, namedAreas], weight: factor * lookup.wholeWeight * MatchWeight.area, in: areas, extent: .name)
        }
      }
      guard mayContinue(words, in: areas), let prefixWeight = lookup.prefixWeight else { continue }
      let weight = factor * prefixWeight * (areas.isEmpty ? 1 : MatchWeight.prefixInArea)
      guard mayEnter(weight), let list = try places(of: lookup, startingWith: text) else { continue }
      try walk([list], weight: weight, in: areas, aligned: lookup.isLowConfidence ? nil : aligned)
    }
  }

  /// Matches the words in any order, with some kinds of words.
  mutating func matchWords(
    _ words: ArraySlice<String>, _ lookups: [TermLookup], factor: Double, in areas: [AreaSet]
  ) throws(SQLiteError) {
    for lookup in lookups where mayEnter(factor * lookup.wholeWeight) {
      // A single word of a longer name in another language means nothing: `paris` is not the Estonian Päris-Soome.
      if lookup.kind == .otherWord, query.words.count == 1 { continue }
      try matchWords(words, lookup, factor: factor, in: areas)
    }
  }

  private mutating func matchWords(
    _ words: ArraySlice<String>, _ lookup: TermLookup, factor: Double, in areas: [AreaSet]
  ) throws(SQLiteError) {
    guard let lastWord = words.last else { return }
    var wholeWords: [PostingCursor] = []
    for word in words.dropLast() {
      guard let list = try file.places(lookup.kind, word) else { return }
      wholeWords.append(list)
    }
    if let list = try file.places(lookup.kind, lastWord) {
      try walk(
        wholeWords + [list], weight: factor * lookup.wholeWeight, in: areas, addressLists: addressLists(words, lastWordIsComplete: true),
        extent: lookup.isLowConfidence ? .prefix : .words)
    }
    guard mayContinue(words, in: areas), !endsWithSpace(words), let prefixWeight = lookup.prefixWeight,
      mayEnter(factor * prefixWeight)
    else { return }
    if let list = try places(of: lookup, startingWith: lastWord) {
      try walk(wholeWords + [list], weight: factor * prefixWeight, in: areas, addressLists: addressLists(words, lastWordIsComplete: false))
    }
  }

  /// The places of the terms that start with a text. Terms of low confidence count only if they are at most one and a half times as long as
  /// the text, and if the text is not a prefix of too many terms (`IndexFile.places(_:mostOf:)`). Nil if there are none.
  private func places(of lookup: TermLookup, startingWith text: String) throws(SQLiteError) -> PostingCursor? {
    lookup.isLowConfidence ? try file.places(lookup.kind, mostOf: text) : try file.places(lookup.kind, startingWith: text)
  }

  /// A check whether a place has each of the words, the last one as a prefix; nil if a place need not have them. Names are looked up
  /// without spaces, so that `newyork` is New York. The check tells La Paz, which has the words of `la p`, from Lapu-Lapu, which has only
  /// the letters.
  private func alignedWords(_ words: ArraySlice<String>) -> AlignedWords? {
    let isComplete = endsWithSpace(words)
    // A prefix of one or two letters lies in the first word of nearly every name that it begins (not of A Coruña), so it is not checked.
    guard query.isLatin, let lastWord = words.last, words.count > 1 || isComplete || lastWord.utf8.count > 2 else { return nil }
    return AlignedWords(words, lastWordIsComplete: isComplete, in: file)
  }

  /// For each of the words, or only for the numbers if there are any, the list of places that have it in their address and in no name.
  /// Empty if one of these words has no such list.
  func addressLists(_ words: ArraySlice<String>, lastWordIsComplete lastIsWhole: Bool) throws(SQLiteError) -> [PostingCursor] {
    guard file.hasAddresses else { return [] }
    // If the query has a number, other words are ignored: for `landstrasse 60 vaduz` the house precedes a shop at this address that is
    // named after Vaduz.
    let hasNumber = words.contains { $0.utf8.first?.isDigit == true }
    var lists: [PostingCursor] = []
    for (index, word) in zip(words.indices, words) where !hasNumber || word.utf8.first?.isDigit == true {
      let isWhole = lastIsWhole || index < words.endIndex - 1
      guard let list = try isWhole ? file.places(.addressWord, word) : file.places(.addressWord, startingWith: word) else { return [] }
      lists.append(list)
    }
    return lists
  }

  /// Whether the last of several words is a number, such as a house number. It is treated as the beginning of a longer number only if
  /// `extendsNumbers`.
  static func endsInNumber(_ words: ArraySlice<String>) -> Bool {
    guard words.count > 1, let lastWord = words.last else { return false }
    return lastWord.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "-") }
  }

  /// Whether the last word may be a prefix of a longer one.
  func mayContinue(_ words: ArraySlice<String>) -> Bool {
    if endsInTown, words.last == query.words.last { return false }
    return extendsNumbers || !(lastWordIsComplete || CandidateSearch.endsInNumber(words))
  }

  /// Whether the last word of a name in these areas may be a prefix of a longer one. Before an area, the name has at least three bytes:
  /// `st mol` is not Strășeni in Moldova. After an area the user may still be typing the name, so two bytes are enough: `germany be` is
  /// Berlin. One letter may also continue the area's name: `hong kong s` is not Sha Tin.
  private func mayContinue(_ words: ArraySlice<String>, in areas: [AreaSet]) -> Bool {
    guard mayContinue(words) else { return false }
    guard !areas.isEmpty, query.isLatin else { return true }
    let length = words.reduce(0) { $0 + $1.utf8.count }
    return length >= (words.last == query.words.last ? 2 : CandidateSearch.minPartLength)
  }

  /// Whether the words are the end of a query that ends with a space.
  private func endsWithSpace(_ words: ArraySlice<String>) -> Bool { query.endsWithSpace && words.last == query.words.last }

  // MARK: Walks

  /// Whether even the most important place would enter the top results with a match of this weight. If not, nothing needs to be looked up.
  func mayEnter(_ weight: Double) -> Bool { nearestTo != nil || top.admits(weight * scorer.maxBoost) }

  /// The score of the last row, or 1 if there is none. A looser pass adds its rows below this score.
  var lowestScore: Double { top.rows.last?.score ?? 1 }

  /// Adds the rows of a looser pass with scores below `score`. No score of a pass reaches twice the maximum boost, because no weight is as
  /// high as 2.
  mutating func add(_ results: TopResults, below score: Double) {
    for row in results.rows { top.add(row.rank, score * row.score / (2 * scorer.maxBoost)) }
  }

  /// The parameters of `walk` that `addBest` and `addNearest` need.
  private struct Walk {
    var weight: Double
    var areas: [AreaSet]
    var addressLists: [PostingCursor]
    var aligned: AlignedWords?
    var extent: MatchExtent
    /// The maximum proximity factor of the places in the lists.
    var maxProximityFactor = 1.0
  }

  /// Adds the places that all lists contain and that lie in all areas. If few places lie near the bias, the lists are walked twice: first
  /// only the places near it, then all places, until the highest score that is possible far from the bias cannot enter the top results.
  /// - Parameters:
  ///   - lists: one list for each word or name: the places of its term, or of the terms with its prefix.
  ///   - weight: the weight of the match (`MatchWeight`).
  ///   - areas: a place must lie in an area of each set.
  ///   - addressLists: the score of a place that all of these lists contain is lowered, because it is matched by its address. If there are
  ///     no lists, no score is lowered.
  ///   - aligned: the score of a place that does not have all of these words is lowered, because the query's letters match it across the
  ///     ends of its words. If it is nil, no score is lowered.
  ///   - extent: the part of the name that matches.
  ///   - minImportance: the minimum importance of a place that is added, 0…1.
  mutating func walk(
    _ lists: consuming [PostingCursor], weight: Double, in areas: [AreaSet], addressLists: [PostingCursor] = [],
    aligned: AlignedWords? = nil, extent: MatchExtent = .prefix, minImportance: Double = 0
  ) throws(SQLiteError) {
    let outerEndRank = endRank
    defer { endRank = outerEndRank }
    if minImportance > 0 { endRank = min(endRank, file.mapped.firstRank(below: minImportance)) }
    var parameters = Walk(weight: weight, areas: areas, addressLists: addressLists, aligned: aligned, extent: extent)
    let lists = try withFilterPostings(lists, areas)
    if let nearestTo { return try addNearest(lists, to: nearestTo, parameters) }
    guard let proximity = scorer.proximity, let shortestCount = lists.map(\.count).min(), shortestCount > PostingList.inlineCount,
      let nearbyRanks = try proximity.neighbourhood.ranks(in: file, fewerThan: shortestCount)
    else {
      parameters.maxProximityFactor = scorer.proximity?.maxFactor ?? 1
      return try addBest(lists, parameters)
    }
    parameters.maxProximityFactor = proximity.maxFactor
    try addBest([PostingCursor(ranks: nearbyRanks)] + lists, parameters)
    parameters.maxProximityFactor = proximity.maxFactorOutside
    try addBest(lists, parameters)
  }

  /// Adds the nearest places that all lists contain. All of these places are visited, since the nearest may be the least important.
  private mutating func addNearest(_ lists: [PostingCursor], to center: Coordinate, _ parameters: Walk) throws(SQLiteError) {
    var common = CommonRanks(lists)
    while let rank = try common.next(), rank < endRank {
      guard let columns = file.mapped.columns(rank), filter.admits(columns), parameters.areas.allSatisfy({ $0.contains(columns) }) else {
        continue
      }
      add(rank, 1 / (1 + file.distance(of: rank, to: center)), parameters.extent)
    }
  }

  /// Adds the places that are in all lists, the most important first, until no later one can rank high enough.
  private mutating func addBest(_ lists: consuming [PostingCursor], _ parameters: Walk) throws(SQLiteError) {
    var common = CommonRanks(lists)
    var addressRanks = CommonRanks(parameters.addressLists)
    parameters.aligned?.restart()
    while let rank = try common.next(), rank < endRank {
      guard let columns = file.mapped.columns(rank) else { continue }
      let upperBound = scorer.upperBound(
        columns, weight: parameters.weight, maxProximityFactor: parameters.maxProximityFactor, extent: parameters.extent)
      guard top.admits(upperBound) else { return }
      guard filter.admits(columns), parameters.areas.allSatisfy({ $0.contains(columns) }) else { continue }
      var score = scorer.score(columns, weight: parameters.weight, extent: parameters.extent)
      guard top.admits(score) else { continue }
      if try addressRanks.contains(rank) { score *= MatchWeight.addressWords }
      if let aligned = parameters.aligned, try !aligned.hasAllWords(rank) { score *= MatchWeight.acrossWords }
      add(rank, score, parameters.extent)
    }
  }

  private mutating func add(_ rank: UInt32, _ score: Double, _ extent: MatchExtent) {
    top.add(rank, score)
    offeredCount += 1
    if extent != .prefix { hasWholeMatch = true }
  }

  /// The lists, the shortest first. If the filter or an area set has fewer places than the shortest list, the list of these places precedes
  /// the others.
  private func withFilterPostings(_ lists: consuming [PostingCursor], _ areas: [AreaSet]) throws(SQLiteError) -> [PostingCursor] {
    if lists.count > 1 { lists.sort { $0.count < $1.count } }
    // A list that is stored with its term is so short that walking it is faster than another look-up.
    guard let shortestCount = lists.first?.count, shortestCount > PostingList.inlineCount else { return lists }
    var ranks: [UInt32]?
    for postings in filter.postings + areas.map(\.postings) {
      ranks = try postings.ranks(in: file, fewerThan: ranks?.count ?? shortestCount) ?? ranks
    }
    if let ranks { lists.insert(PostingCursor(ranks: ranks), at: 0) }
    return lists
  }
}
