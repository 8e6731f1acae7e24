import SQLite

extension Matcher {
  /// What is left where the words do not match together with one error, beside what may have been typed with two: the first of these steps that
  /// finds something.
  mutating func matchPart(of words: [String]) throws(SQLiteError) {
    guard (2...12).contains(words.count) else { return }
    isGuess = true
    // A word or two that nothing has, with an error in each.
    if addParts(try mistypedWords(words)) { return }
    // A word that is written apart.
    if addParts(try compounds(of: words)) { return }
    // A name that is written apart or together, and where it is.
    if addParts(try partInRest(of: words)) { return }
    // A name and the town nearby, and below these what is called so anywhere.
    if addParts(try nearTown(words)) { return append(try part(of: words)) }
    if words.contains(where: { $0.contains(where: \.isNumber) }) { return try matchNumberedPart(of: words) }
    // The whole name of a place, with or without its area.
    if addParts(try part(of: words)) { return }
    // A name that no row shows says nothing here but of places which all the world knows: the Rhine behind Köln is not Ryn in Poland, which
    // has been called Rhein.
    if top.rows.isEmpty { addParts(try part(of: words, byOtherNames: true)) }
  }

  /// The same of words with numbers among them.
  private mutating func matchNumberedPart(of words: [String]) throws(SQLiteError) {
    // A postcode may be known to nobody, and letters may stand beside it, as in D-10115.
    let named = words.filter { !$0.contains(where: \.isNumber) && !Initials.isOne($0) }
    // The street of a house that nobody knows. A word before an area is the beginning of anything there: the `ave` of `5th ave new york`.
    var street = another()
    if named.count > 1 { try street.matchName(named[...], areaSplits(named).filter { $0.name.count > 1 }) }
    let hasStreet = addParts(street.top)
    // The whole name of a place, below the street.
    let parts = try part(of: words)
    if hasStreet { append(parts) } else { addParts(parts) }
    // What the words say without the numbers.
    guard top.rows.isEmpty, !named.isEmpty else { return }
    var others = another()
    try others.match(named)
    if others.top.rows.isEmpty { try others.matchPart(of: named) }
    append(others.top)
  }

  /// Returns whether there were any.
  @discardableResult private mutating func addParts(_ parts: TopList) -> Bool {
    for row in parts.rows { top.add(row.rank, below(1, row.score)) }
    return !parts.rows.isEmpty
  }

  /// Places whose whole name is the end or the beginning of the words, with or without its area.
  private func part(of words: [String], byOtherNames: Bool = false) throws(SQLiteError) -> TopList {
    try longestPart(of: words) { (parts, part, _) throws(SQLiteError) in
      try parts.matchWhole(part, times: MatchWeight.part, in: [], byOtherNames)
      for split in try areaSplits(Array(part)) where split.weight >= MatchWeight.inArea {
        try parts.matchWhole(split.name, times: split.weight * MatchWeight.part, in: split.areas, byOtherNames)
      }
    }
  }

  /// Places whose whole name is the end or the beginning of the words, of which the others tell where they are: of `dorf strasse 60 triesen` the
  /// house at Dorfstrasse in Triesen.
  private func partInRest(of words: [String]) throws(SQLiteError) -> TopList {
    try longestPart(of: words) { (parts, part, rest) throws(SQLiteError) in
      for lookup in reading.names where !lookup.isVague {
        guard let text = reading.text(part.joined(), words: part.count, in: lookup.kind), let list = try file.places(lookup.kind, text)
        else { continue }
        for kind in reading.words.map(\.kind) {
          var lists: [PostingCursor] = []
          for word in rest { if let words = try file.places(kind, word) { lists.append(words) } }
          if lists.count == rest.count { try parts.walk([list] + lists, lookup.whole * MatchWeight.part, []) }
        }
      }
    }
  }

  /// What is found by the end or the beginning of the words, beside the rest, by as many of them as possible.
  private func longestPart(
    of words: [String],
    _ match: (_ parts: inout Matcher, _ part: ArraySlice<String>, _ rest: ArraySlice<String>) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> TopList {
    for count in (1..<words.count).reversed() {
      var parts = another()
      for (part, rest) in [(words.suffix(count), words.dropLast(count)), (words.prefix(count), words.dropFirst(count))]
      where part.joined().utf8.count >= Matcher.shortestPart {
        try match(&parts, part, rest)
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
