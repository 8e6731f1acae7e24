/// Infers how well a row matches the query from its rank, if its text does not match.
///
/// A provider that finds places by names that it does not return, such as Switzerland for `sch`, ranks them before rows whose names match. A
/// row behind all rows that match gives no such evidence.
struct InferredTextMatch: Sendable {
  /// For each batch and rank, the best match among the rows from that rank on.
  private var fromRank: [Int: [TextMatch]] = [:]

  /// - Parameter places: the rows of each place, and how the query matches it.
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

  /// The best match inferred for one of a place's rows, at most `prefix`.
  func match(_ rows: [SourceRow]) -> TextMatch {
    let best = rows.lazy.compactMap { fromRank[$0.batch]?[$0.rank] }.min() ?? .other
    return max(best, .prefix)
  }
}
