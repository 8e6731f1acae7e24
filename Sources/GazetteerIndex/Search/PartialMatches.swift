import PlacesKit
import SQLite

/// The fallback if no place matches all words with at most one error: places that match some of the words.
extension CandidateSearch {
  /// Adds the rows of the first of these passes that finds some.
  mutating func matchPart(of words: [String]) throws(SQLiteError) {
    guard (2...12).contains(words.count) else { return }
    isGuess = true
    if addBelow(try mistypedWords(words)) { return }
    if addBelow(try compounds(of: words)) { return }
    if addBelow(try partInRest(of: words)) { return }
    if addBelow(try nearTown(words)) { return appendPartial(try part(of: words)) }
    if words.contains(where: { $0.contains(where: \.isNumber) }) { return try matchNumberedPart(of: words) }
    if addPartial(try part(of: words)) { return }
    // Other names count only for well-known places: in `Köln Rhein`, the Rhine is meant, not Ryn in Poland, a former Rhein.
    if top.rows.isEmpty { addPartial(try part(of: words, byOtherNames: true)) }
  }

  /// As above, for words with numbers among them.
  private mutating func matchNumberedPart(of words: [String]) throws(SQLiteError) {
    // A postcode may be unknown, and a letter may precede it, as in D-10115.
    let named = words.filter { !$0.contains(where: \.isNumber) && !Initials.isInitial($0) }
    // The street of an unknown house. A single word before an area would be a prefix of anything there: the `ave` of `5th ave new york`.
    var street = another(limit: query.isFinished ? top.limit : HouseNumberOrder.candidates)
    if named.count > 1 { try street.matchName(named[...], areaQualifiers(named).filter { $0.name.count > 1 }) }
    let hasStreet = addPartial(try nearestHouses(street.top, words))
    let parts = try part(of: words)
    if hasStreet { appendPartial(parts) } else { addPartial(parts) }
    guard top.rows.isEmpty, !named.isEmpty else { return }
    var others = another()
    try others.match(named)
    if others.top.rows.isEmpty { try others.matchPart(of: named) }
    appendPartial(others.top)
  }

  /// The best rows, of the houses among them those with the nearest numbers.
  func nearestHouses(_ found: TopResults, _ words: [String]) throws(SQLiteError) -> TopResults {
    guard let order = HouseNumberOrder(words, in: file) else { return found }
    var nearest = TopResults(limit: top.limit)
    // Equal scores would be in the order of importance.
    for (position, row) in try order.ordered(found.rows).enumerated() { nearest.add(row.rank, row.score * (1 - 1e-9 * Double(position))) }
    return nearest
  }

  /// Adds rows with scores below those of complete matches. Returns whether there were any.
  @discardableResult private mutating func addBelow(_ parts: TopResults) -> Bool {
    for row in parts.rows { top.add(row.rank, below(1, row.score)) }
    return !parts.rows.isEmpty
  }

  /// As above, for places that match only some of the words.
  @discardableResult private mutating func addPartial(_ parts: TopResults) -> Bool {
    mark(parts)
    return addBelow(parts)
  }

  private mutating func appendPartial(_ parts: TopResults) {
    mark(parts)
    appendBelow(parts)
  }

  private mutating func mark(_ parts: TopResults) {
    let complete = Set(top.rows.map(\.rank)).subtracting(partial)
    partial.formUnion(Set(parts.rows.map(\.rank)).subtracting(complete))
  }

  // MARK: Whole names among the words

  /// The shortest text that is matched as a part; shorter ones name too many places by chance.
  static let minPartLength = 3

  /// Places whose whole name is the end or the beginning of the words, with or without their area.
  private func part(of words: [String], byOtherNames: Bool = false) throws(SQLiteError) -> TopResults {
    try longestPart(of: words) { (parts, part, _) throws(SQLiteError) in
      try parts.matchWhole(part, factor: MatchWeight.partial, in: [], byOtherNames)
      for qualifier in try areaQualifiers(Array(part)) where qualifier.weight >= MatchWeight.inArea {
        try parts.matchWhole(qualifier.name, factor: qualifier.weight * MatchWeight.partial, in: qualifier.areas, byOtherNames)
      }
    }
  }

  /// Places whose whole name is the end or the beginning of the words, and that have the other words in another name or the address:
  /// `triesen dorf strasse 60`.
  private func partInRest(of words: [String]) throws(SQLiteError) -> TopResults {
    try longestPart(of: words) { (parts, part, rest) throws(SQLiteError) in
      for lookup in query.names where !lookup.isVague {
        guard let text = query.text(part.joined(), words: part.count, in: lookup.kind), let list = try file.places(lookup.kind, text)
        else { continue }
        for kind in query.wordLookups.map(\.kind) {
          var lists: [PostingCursor] = []
          for word in rest { if let words = try file.places(kind, word) { lists.append(words) } }
          if lists.count == rest.count { try parts.walk([list] + lists, lookup.whole * MatchWeight.partial, []) }
        }
      }
    }
  }

  /// The matches of the longest sequence of words at the beginning or the end.
  private func longestPart(
    of words: [String],
    _ match: (_ parts: inout CandidateSearch, _ part: ArraySlice<String>, _ rest: ArraySlice<String>) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> TopResults {
    for count in (1..<words.count).reversed() {
      var parts = another()
      for (part, rest) in [(words.suffix(count), words.dropLast(count)), (words.prefix(count), words.dropFirst(count))]
      where part.joined().utf8.count >= CandidateSearch.minPartLength {
        try match(&parts, part, rest)
      }
      if !parts.top.rows.isEmpty { return parts.top }
    }
    return another().top
  }

  /// Adds places whose whole name the words are: a name of the query's language or the place's own, or any other name of a well-known place.
  mutating func matchWhole(
    _ words: ArraySlice<String>, factor: Double, in areas: [AreaSet], _ byOtherNames: Bool = false
  ) throws(SQLiteError) {
    let key = words.joined()
    guard key.utf8.count >= CandidateSearch.minPartLength else { return }
    for lookup in query.names where lookup.isVague == byOtherNames {
      guard let text = query.text(key, words: words.count, in: lookup.kind) else { continue }
      let least = byOtherNames ? TypoTolerance.wellKnown : 0
      if let list = try file.places(lookup.kind, text) { try walk([list], factor * lookup.whole, areas, least: least) }
    }
  }

  // MARK: Towns nearby

  /// The maximum distance in metres between a town's centre and a district, or a village that people describe by the town.
  private static let townReach = 25_000.0

  /// Places that match some words near a better known place that matches the other words: `soho london`, if the data does not place Soho in
  /// London.
  private func nearTown(_ words: [String]) throws(SQLiteError) -> TopResults {
    var found = another()
    guard (2...6).contains(words.count), !words.contains(where: { $0.contains(where: \.isNumber) }) else { return found.top }
    let anyTown = try PlaceFilter(countries: [], restriction: nil, collection: .regions, in: file)
    for index in 1..<words.count {
      for (name, town) in [(words[..<index], words[index...]), (words[index...], words[..<index])] {
        var towns = CandidateSearch(file: file, filter: anyTown, query: query, scorer: scorer, limit: 1)
        try towns.matchWhole(town, factor: 1, in: [])
        guard let row = towns.top.rows.first, let center = file.mapped.columns(row.rank)?.point.coordinate else { continue }
        let around = ProximityBoost(.circle(center: center, radius: CandidateSearch.townReach))
        var near = CandidateSearch(
          file: file, filter: filter, query: query, scorer: Scorer(proximity: around, locale: scorer.locale), limit: top.limit)
        try near.matchWhole(name, factor: MatchWeight.partial, in: [])
        for place in near.top.rows
        where place.rank > row.rank && file.distance(of: place.rank, to: center) <= CandidateSearch.townReach {
          found.top.add(place.rank, place.score)
        }
      }
    }
    return found.top
  }

  // MARK: Words that were mistyped or divided

  /// The matches with two adjacent words joined to one.
  private func compounds(of words: [String]) throws(SQLiteError) -> TopResults {
    var search = another()
    for reading in query.readings(by: .compound, of: words) { try search.matchName(reading[...], search.areaQualifiers(reading)) }
    return search.top
  }

  /// The maximum number of corrections tried for one word.
  private static let maxCorrections = 4

  /// The matches after correcting words that no place has, with one error each.
  private func mistypedWords(_ words: [String]) throws(SQLiteError) -> TopResults {
    var found = another()
    guard query.rewriters.contains(.mistypedWord), query.isAlphabetic, (2...8).contains(words.count) else { return found.top }
    var readings = [(words: [String](), errors: 0)]
    var mistyped = 0
    for (index, word) in words.enumerated() {
      var meant = [(word, 0)]
      if try !isWord(word) {
        mistyped += 1
        // The last word may be unfinished instead.
        let unfinished = index == words.count - 1 ? meant : []
        meant = mistyped < MatchWeight.errors.count ? try corrections(of: word).map { ($0, 1) } + unfinished : unfinished
      }
      readings = readings.flatMap { reading in meant.map { (reading.words + [$0.0], reading.errors + $0.1) } }
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

  /// Known words with one error less; none for a short word, which has too many.
  private func corrections(of word: String) throws(SQLiteError) -> [String] {
    guard word.utf8.count >= TypoTolerance.minLengthBesideOthers else { return [] }
    var known: [String] = []
    for guess in TypoTolerance.guesses(for: word, errors: 1, in: file.mapped.prefixes) where known.count < CandidateSearch.maxCorrections {
      let text = String(decoding: guess.text, as: UTF8.self)
      if try isWord(text) { known.append(text) }
    }
    return known
  }

  /// Whether a name, an address or the name of an area has the word.
  private func isWord(_ word: String) throws(SQLiteError) -> Bool {
    if word.contains(where: \.isNumber) { return true }
    for lookup in query.wordLookups { if try file.places(lookup.kind, word) != nil { return true } }
    return try file.places(.area, word) != nil
  }
}
