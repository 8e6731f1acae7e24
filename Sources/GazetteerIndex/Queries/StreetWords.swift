import PlacesKit
import SQLite

extension Matcher {
  /// The words as they are, with streets of which they are the name. Who means one of these means nothing that only lies in an area which
  /// begins like the street's word, so that this comes below: `rose st` is no Roseville in the State of California.
  mutating func match(_ words: [String], besides streets: [TopList.Row], _ splits: [AreaSplit]) throws(SQLiteError) {
    try matchName(words[...], splits.filter { $0.weight >= MatchWeight.inArea })
    for row in streets { top.add(row.rank, row.score) }
    guard !top.isFull else { return }
    var others = another()
    for split in splits where split.weight < MatchWeight.inArea {
      try others.matchName(split.name, times: split.weight, in: split.areas)
    }
    append(others.top)
  }

  /// Streets and houses in them that the words name with the last one as a street's, best first: of `rose st` those in Rose Street.
  func streets(endingIn words: [String]) throws(SQLiteError) -> [TopList.Row] {
    guard file.hasAddresses, reading.isAlphabetic, let full = ShortWords.street(endingIn: words) else { return [] }
    let readings = [full] + Ordinals.otherwise(full)
    var matcher = another(limit: top.limit + Matcher.shopsOfStreets)
    for reading in readings { try matcher.matchName(reading[...], areaSplits(reading)) }
    let named = Set(readings.joined())
    var streets: [TopList.Row] = []
    for row in matcher.top.rows where streets.count < top.limit {
      guard let columns = file.mapped.columns(row.rank), try file.types.types(columns.types).first?.group == .address else { continue }
      if try !lies(row.rank, in: named) { streets.append(row) }
    }
    return streets
  }

  /// So many places that are no streets, such as the shops that are called after one, may come before them.
  private static let shopsOfStreets = 20

  /// Whether a place has one of the words in its address and in no name: `vienna st` means no Main Street in Vienna.
  private func lies(_ rank: UInt32, in words: Set<String>) throws(SQLiteError) -> Bool {
    for word in words {
      if var list = try file.places(.addressWord, word), try list.holds(rank) { return true }
    }
    return false
  }
}
