/// Infers how well a row matches the query from its rank, if its text does not match.
///
/// A provider may find a place by a name that it does not return, such as Switzerland for `sch`. If it ranks that place before rows whose
/// names match, the place is assumed to match as well as they do, unless words of the area around it show why it was found. Nothing is
/// inferred for a place that is ranked after all rows that match. If several providers rank a place first, and none of their rows matches,
/// the place is assumed to match by a name that they do not return, as an airport does by its code.
///
/// Of two matches, the lesser one is the better one.
struct InferredTextMatch: Sendable {
  /// For each batch and rank, the best match among the rows from that rank on.
  private var bestFromRank: [Int: [TextMatch]] = [:]
  /// For each batch and rank, the worst match among the rows before that rank.
  private var worstBeforeRank: [Int: [TextMatch]] = [:]
  /// The batches that have no row that matches.
  private var unmatchedBatches: Set<Int> = []

  /// - Parameter places: the rows of each place, and how the query matches it.
  init(of places: [(rows: [SourceRow], match: TextMatch)]) {
    // A rank has no match if its row is a suggested query.
    var matchesByRank: [Int: [TextMatch?]] = [:]
    for place in places {
      for row in place.rows {
        let missing = row.rank + 1 - (matchesByRank[row.batch]?.count ?? 0)
        if missing > 0 { matchesByRank[row.batch, default: []] += repeatElement(nil, count: missing) }
        let knownMatch = (matchesByRank[row.batch]?[row.rank] ?? nil) ?? .other
        matchesByRank[row.batch]?[row.rank] = min(knownMatch, place.match)
      }
    }
    for (batch, matches) in matchesByRank {
      var worst = TextMatch.exact
      worstBeforeRank[batch] = matches.map { match in
        defer { worst = max(worst, match ?? worst) }
        return worst
      }
      var from = matches.map { $0 ?? .other }
      for rank in from.indices.dropLast().reversed() { from[rank] = min(from[rank], from[rank + 1]) }
      if from.first == .other { unmatchedBatches.insert(batch) }
      bestFromRank[batch] = from
    }
  }

  /// The worst match among the rows that a provider ranks before the place; if several providers have the place, the best of these matches.
  func limit(_ rows: [SourceRow]) -> TextMatch {
    rows.lazy.compactMap { worstBeforeRank[$0.batch]?[$0.rank] }.min() ?? .exact
  }

  /// The best match inferred for one of a place's rows, but none better than `prefix`.
  func match(_ rows: [SourceRow]) -> TextMatch {
    let best = rows.lazy.compactMap { bestFromRank[$0.batch]?[$0.rank] }.min() ?? .other
    if best > .words, Set(rows.lazy.filter { $0.rank == 0 && unmatchedBatches.contains($0.batch) }.map(\.batch)).count > 1 { return .words }
    return max(best, .prefix)
  }
}
