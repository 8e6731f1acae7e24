import SQLite
import Text

/// Corrections of the order for a query of several words, the last of which the user is still typing.
extension GazetteerSearch {
  /// The maximum length in bytes of a last word that says too little about what the user means.
  static let maxUnfinishedWordLength = 3
  /// The number of rows that may precede the place that the words before the last one name.
  static let rowsBeforeNamedPlace = 2

  /// The rows of an answer, with the place that the words before a short last word name, if it is better known than the first row. It is
  /// among the first three rows: Zürich remains for `zürich h`, until further letters tell whether a district or a country is meant. A large
  /// city precedes rows that are guesses: Amsterdam for `amsterdam ce`.
  func withPlaceBeforeLastWord(_ answer: Answer, _ query: ParsedQuery, _ limit: Int) throws(SQLiteError) -> [TopResults.Row] {
    guard query.words.count > 1, !query.endsWithSpace, !CandidateSearch.endsInNumber(query.words[...]), let firstRow = answer.rows.first,
      let lastWord = query.words.last, lastWord.utf8.count <= GazetteerSearch.maxUnfinishedWordLength
    else { return answer.rows }
    var search = candidateSearch(query, 1)
    try search.matchWhole(query.words.dropLast(), factor: 1, in: [])
    guard let place = search.top.rows.first, place.rank < firstRow.rank,
      isLarge(place) || answer.rows.count > GazetteerSearch.rowsBeforeNamedPlace
    else { return answer.rows }
    let position = answer.isGuess && isLarge(place) ? 0 : GazetteerSearch.rowsBeforeNamedPlace
    guard !answer.rows.prefix(position + 1).contains(where: { $0.rank == place.rank }) else { return answer.rows }
    let otherRows = answer.rows.filter { $0.rank != place.rank }
    return Array((otherRows.prefix(position) + [place] + otherRows.dropFirst(position)).prefix(limit))
  }

  /// The rows, with a first town whose whole name is the query without its spaces behind the better known places that follow it: for
  /// `san jo`, San José precedes Sanjō, unless Sanjō is near. A street also has its town as a part of its name.
  func withSpacedNamesFirst(_ rows: [TopResults.Row], _ query: ParsedQuery) throws(SQLiteError) -> [TopResults.Row] {
    guard query.words.count > 1, !query.endsWithSpace, rows.count > 1, rows[1].rank < rows[0].rank, !isNear(rows[0]),
      try types(rows[0].rank).first?.group == .region, try !partitionedByWholeName([rows[0]], query).wholeNameRows.isEmpty,
      try !hasName(rows[0].rank, of: query.words)
    else { return rows }
    let betterKnownRows = rows.dropFirst().prefix { $0.rank < rows[0].rank }
    return betterKnownRows + [rows[0]] + rows.dropFirst(1 + betterKnownRows.count)
  }

  /// Whether a place has a name of exactly these words.
  private func hasName(_ rank: UInt32, of words: [String]) throws(SQLiteError) -> Bool {
    guard let stored = try file.place(rank)?.stored else { return false }
    for section in RecordSections(stored[...]) {
      for (field, bytes) in FieldSequence(section.fields) {
        if let name = field.name(in: bytes), Folding.words(of: String(decoding: name.text, as: UTF8.self)) == words { return true }
      }
    }
    return false
  }
}
