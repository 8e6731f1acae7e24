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
    var matcher = another()
    for full in [full, Ordinals.otherwise(full)].compactMap({ $0 }) { try matcher.matchName(full[...], areaSplits(full)) }
    var streets: [TopList.Row] = []
    for row in matcher.top.rows {
      guard let columns = file.tail.columns(row.rank) else { continue }
      if try file.types.types(columns.types).first?.group == .address { streets.append(row) }
    }
    return streets
  }
}
