/// How providers think that rows fit what was typed, where the rows themselves do not show it.
///
/// A provider that finds places by names that it does not show, such as Switzerland for `sch`, says so by its order: it puts them before rows
/// whose names fit. What stands behind all rows that fit may be there for any reason.
struct InferredTextMatch: Sendable {
  /// For each batch, how the best row from a rank on fits, from the first rank that is known.
  private var fromRank: [Int: [TextMatch]] = [:]

  /// - Parameter places: the rows of each place, and how it fits.
  init(of places: [(rows: [SourceRow], match: TextMatch)]) {
    guard places.contains(where: { $0.match == .other }) else { return }
    for place in places {
      for row in place.rows {
        var matches = fromRank[row.batch] ?? []
        while matches.count <= row.rank { matches.append(.other) }
        matches[row.rank] = min(matches[row.rank], place.match)
        fromRank[row.batch] = matches
      }
    }
    for (batch, var matches) in fromRank {
      for rank in matches.indices.dropLast().reversed() { matches[rank] = min(matches[rank], matches[rank + 1]) }
      fromRank[batch] = matches
    }
  }

  /// The best that a provider of a place's rows seems to think of them; never that it is the whole name.
  func match(_ rows: [SourceRow]) -> TextMatch {
    let best = rows.lazy.compactMap { fromRank[$0.batch]?[$0.rank] }.min() ?? .other
    return max(best, .prefix)
  }
}
