/// Infers how well a row matches the query from its rank, if its text does not match.
///
/// A provider that finds places by names that it does not return, such as Switzerland for `sch`, ranks them before rows whose names match. A
/// row behind all rows that match gives no such evidence. If several providers have a place first, and none of their rows matches, it
/// matches by a name that they do not return: an airport for its code.
struct InferredTextMatch: Sendable {
  /// For each batch and rank, the best match among the rows from that rank on.
  private var fromRank: [Int: [TextMatch]] = [:]
  /// The batches of which no row matches.
  private var withoutMatch: Set<Int> = []

  /// - Parameter places: the rows of each place, and how the query matches it.
  init(of places: [(rows: [SourceRow], match: TextMatch)]) {
    guard places.contains(where: { $0.match == .other || $0.match == .words }) else { return }
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
      if matches.first == .other { withoutMatch.insert(batch) }
      fromRank[batch] = matches
    }
  }

  /// The best match inferred for one of a place's rows, at most `prefix`.
  func match(_ rows: [SourceRow]) -> TextMatch {
    let best = rows.lazy.compactMap { fromRank[$0.batch]?[$0.rank] }.min() ?? .other
    if best > .words, Set(rows.lazy.filter { $0.rank == 0 && withoutMatch.contains($0.batch) }.map(\.batch)).count > 1 { return .words }
    return max(best, .prefix)
  }
}
