import PlacesKit
import SQLite

/// Matches queries that end with an abbreviated street word: `rose st`.
extension CandidateSearch {
  /// Matches the words as typed. Places whose name begins with all words come first, together with places whose whole name is followed or
  /// preceded by an area (`hartford ct`). Next come `streets`, and then all other matches, since `rose st` means neither Roseville in the
  /// State of California nor Saint Rose.
  mutating func match(_ words: [String], besides streets: [TopResults.Row], _ qualifiers: [AreaQualifier]) throws(SQLiteError) {
    try matchName(words[...], query.nameLookups, factor: 1, in: [])
    for qualifier in qualifiers where qualifier.weight >= MatchWeight.inArea {
      try matchWhole(qualifier.name, factor: qualifier.weight, in: qualifier.areas)
    }
    for row in streets { top.add(row.rank, row.score) }
    guard !top.isFull else { return }
    var otherMatches = emptySearch()
    try otherMatches.matchName(words[...], qualifiers)
    add(otherMatches.top, below: lowestScore)
  }

  /// The number of rows that are searched beyond the number of wanted rows. Shops that are named after a street may precede it, so the
  /// street is found only if there are at most this many shops.
  private static let maxShops = 20

  /// The streets, and the houses in them, that the words name if the last word is an abbreviation of a street word; best first.
  func streets(endingIn words: [String]) throws(SQLiteError) -> [TopResults.Row] {
    guard file.hasAddresses, query.isAlphabetic else { return [] }
    let withStreetWord = query.readings(by: .streetAbbreviation, of: words)
    let readings = withStreetWord + withStreetWord.flatMap { query.readings(by: .ordinal, of: $0) }
    guard !readings.isEmpty else { return [] }
    var search = emptySearch(limit: top.limit + CandidateSearch.maxShops)
    for reading in readings { try search.matchName(reading[...], areaQualifiers(reading)) }
    let streetWords = Set(readings.joined())
    var streetRows: [TopResults.Row] = []
    for row in search.top.rows where streetRows.count < top.limit {
      guard let columns = file.mapped.columns(row.rank), try file.types.types(columns.types).first?.group == .address else { continue }
      if try !hasInAddressOnly(streetWords, row.rank) { streetRows.append(row) }
    }
    return streetRows
  }

  /// Whether a place has one of the words in its address and in no name. Such a place is not meant: `vienna st` is not a Main Street in
  /// Vienna.
  private func hasInAddressOnly(_ words: Set<String>, _ rank: UInt32) throws(SQLiteError) -> Bool {
    for word in words {
      if var list = try file.places(.addressWord, word), try list.contains(rank) { return true }
    }
    return false
  }
}
