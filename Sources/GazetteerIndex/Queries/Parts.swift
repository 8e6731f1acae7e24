import SQLite

extension Matcher {
  /// What is left where the words do not match together with one error, beside what may have been typed with two: a word that is written apart;
  /// a name that is written apart or together, and where it is; a name and the town nearby; the street of a house that nobody knows; words at
  /// the end and at the beginning that are the whole name of a place, with or without its area, as many as possible; else what is left so
  /// without the numbers, since a postcode may be known to nobody, and without letters beside them, as of D-10115. A name that no row shows
  /// says nothing here but of places which all the world knows: the Rhine behind Köln is not Ryn in Poland, which has been called Rhein.
  mutating func matchPart(of words: [String]) throws(SQLiteError) {
    guard (2...12).contains(words.count) else { return }
    isGuess = true
    let compounds = try compounds(of: words)
    guard compounds.rows.isEmpty else { return addParts(compounds) }
    let apart = try part(of: words, isInRest: true)
    guard apart.rows.isEmpty else { return addParts(apart) }
    let near = try nearTown(words)
    guard near.rows.isEmpty else {
      addParts(near)
      return append(try part(of: words, isInRest: false))
    }
    let hasNumbers = words.contains { $0.contains(where: \.isNumber) }
    let named = hasNumbers ? words.filter { !$0.contains(where: \.isNumber) && !Initials.isOne($0) } : words
    var street = another()
    // A word before an area is the beginning of anything there: the `ave` of `5th ave new york`.
    if named.count > 1, hasNumbers { try street.matchName(named[...], areaSplits(named).filter { $0.name.count > 1 }) }
    addParts(street.top)
    let parts = try part(of: words, isInRest: false)
    guard parts.rows.isEmpty else { return street.top.rows.isEmpty ? addParts(parts) : append(parts) }
    guard top.rows.isEmpty else { return }
    guard hasNumbers else { return addParts(try part(of: words, isInRest: false, byOtherNames: true)) }
    guard !named.isEmpty else { return }
    var others = another()
    try others.match(named)
    if others.top.rows.isEmpty { try others.matchPart(of: named) }
    append(others.top)
  }

  private mutating func addParts(_ parts: TopList) {
    for row in parts.rows { top.add(row.rank, below(1, row.score)) }
  }

  /// Places whose whole name is the end or the beginning of the words, by as many of them as possible; `isInRest` only those of which the other
  /// words tell where they are: of `dorf strasse 60 triesen` the house at Dorfstrasse in Triesen.
  private func part(of words: [String], isInRest: Bool, byOtherNames: Bool = false) throws(SQLiteError) -> TopList {
    for count in (1..<words.count).reversed() {
      var parts = another()
      for (part, rest) in [(words.suffix(count), words.dropLast(count)), (words.prefix(count), words.dropFirst(count))] {
        let key = part.joined()
        guard key.utf8.count >= Matcher.shortestPart else { continue }
        guard isInRest else {
          try parts.matchWhole(part, times: MatchWeight.part, in: [], byOtherNames)
          for split in try areaSplits(Array(part)) where split.weight >= MatchWeight.inArea {
            try parts.matchWhole(split.name, times: split.weight * MatchWeight.part, in: split.areas, byOtherNames)
          }
          continue
        }
        for lookup in reading.names where !lookup.isVague {
          guard let text = reading.text(key, words: count, in: lookup.kind), let list = try file.places(lookup.kind, text) else { continue }
          for kind in reading.words.map(\.kind) {
            var lists: [PostingCursor] = []
            for word in rest { if let words = try file.places(kind, word) { lists.append(words) } }
            if lists.count == rest.count { try parts.walk([list] + lists, lookup.whole * MatchWeight.part, []) }
          }
        }
      }
      if !parts.top.rows.isEmpty { return parts.top }
    }
    return another().top
  }

  /// Places whose whole name the words are, or any other name of those which all the world knows.
  mutating func matchWhole(
    _ words: ArraySlice<String>, times: Double, in areas: [AreaSet], _ byOtherNames: Bool = false
  ) throws(SQLiteError) {
    let key = words.joined()
    guard key.utf8.count >= Matcher.shortestPart else { return }
    for lookup in reading.names where lookup.isVague == byOtherNames {
      guard let text = reading.text(key, words: words.count, in: lookup.kind) else { continue }
      let least = byOtherNames ? TypingErrors.known : 0
      if let list = try file.places(lookup.kind, text) { try walk([list], times * lookup.whole, areas, least: least) }
    }
  }

  /// Shorter words name too many places by chance.
  static let shortestPart = 3
}
