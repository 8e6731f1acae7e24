import PlacesKit

/// The list of a request while its providers answer one by one. A shown row stays and keeps its position: a row that arrives later is added
/// to a shown row of the same place, or takes a free position below. A shown row also keeps its leading source and its text, so that it
/// does not change while the user reads it. Only a provider that the request or the configuration prefers takes the lead when it arrives.
public struct PartialMerge<Row: MergeableRow>: Sendable {
  private let context: MergeContext
  /// The providers' rows of each shown row.
  private var shownOrigins: [[Origin]] = []
  /// The leading source and the content with which each row was last shown.
  private var labels: [Label] = []

  private struct Label: Sendable {
    var leading: Origin
    var value: Row
  }

  /// Identifies a provider's row within the request. A provider answers once, so the rank does not change.
  private struct Origin: Hashable, Sendable {
    var provider: String
    var rank: Int

    init(_ sourceRow: SourceRow) {
      provider = sourceRow.provider
      rank = sourceRow.rank
    }
  }

  public init(context: MergeContext) { self.context = context }

  /// The list to show now. A third of the limit, rounded down, stays free for providers that answer later. While there are rows of places,
  /// suggested queries are held back, because a place that arrives later could not be inserted above them. For the same reason, guesses are
  /// held back (`MergePipeline.mayBeGuess`), and the rows below a guess, which would otherwise precede it for good.
  /// - Parameter batches: all answers so far.
  public mutating func show(_ batches: [ProviderBatch<Row>]) -> [MergedRow<Row>] {
    let hasPlaces = batches.contains { $0.rows.contains { !$0.isQuery } }
    return rows(batches, limit: context.limit - context.limit / 3, addsQueries: !hasPlaces, addsGuesses: false)
  }

  /// The final list: the rows that were shown, in their order, and below them the best of the other rows.
  /// - Parameter batches: all answers.
  public mutating func final(_ batches: [ProviderBatch<Row>]) -> [MergedRow<Row>] {
    shownOrigins.isEmpty
      ? Merger().merge(batches, context: context) : rows(batches, limit: context.limit, addsQueries: true, addsGuesses: true)
  }

  private mutating func rows(
    _ batches: [ProviderBatch<Row>], limit: Int, addsQueries: Bool, addsGuesses: Bool
  ) -> [MergedRow<Row>] {
    let pipeline = MergePipeline(batches, context: context)
    let scoredRows = pipeline.scoredRows()
    var usedOrigins = Set(shownOrigins.joined())
    let matcher = TextMatcher(query: context.query)
    var isBelowGuess = false
    for scoredRow in scoredRows where addsQueries || !scoredRow.isQuery {
      if !addsGuesses, !isBelowGuess { isBelowGuess = pipeline.mayBeGuess(scoredRow, matcher) }
      // With a limit of 0, sources are added to shown rows only.
      insert(scoredRow, limit: isBelowGuess ? 0 : limit, &usedOrigins)
    }
    let shownScoredRows = shownRows(scoredRows, of: pipeline)
    var rows = pipeline.rows(shownScoredRows, keys: shownScoredRows.indices.map { $0 + 1 })
    for index in rows.indices {
      guard let first = shownScoredRows[index].sourceRows.first else { continue }
      if labels.indices.contains(index), labels[index].leading == Origin(first) { rows[index].keepLabel(labels[index].value) }
      let label = Label(leading: Origin(first), value: rows[index].value)
      if labels.indices.contains(index) { labels[index] = label } else { labels.append(label) }
    }
    return rows
  }

  /// Adds the new source rows of a place to the first shown row of that place, or shows them as a new row at the end.
  private mutating func insert(_ scoredRow: ScoredRow, limit: Int, _ usedOrigins: inout Set<Origin>) {
    let allRows = scoredRow.allSourceRows
    var newRows = allRows.filter { !usedOrigins.contains(Origin($0)) }
    guard !newRows.isEmpty else { return }
    if newRows.count < allRows.count,
      let shownIndex = shownOrigins.firstIndex(where: { row in allRows.contains { row.contains(Origin($0)) } })
    {
      // Two rows of one provider are two places, so a second row of a provider becomes a separate row.
      let shownProviders = Set(shownOrigins[shownIndex].map(\.provider))
      let addedRows = newRows.filter { !shownProviders.contains($0.provider) }
      // The new sources are added only if all earlier sources of the row still belong to this place; new answers may have moved one.
      if Set(allRows.map { Origin($0) }).isSuperset(of: shownOrigins[shownIndex]) {
        shownOrigins[shownIndex] += addedRows.map { Origin($0) }
        usedOrigins.formUnion(addedRows.map { Origin($0) })
        newRows.removeAll { !shownProviders.contains($0.provider) }
      }
    }
    guard !newRows.isEmpty, shownOrigins.count < limit else { return }
    shownOrigins.append(newRows.map { Origin($0) })
    usedOrigins.formUnion(newRows.map { Origin($0) })
  }

  /// The shown rows, each with every source row that is now known for its place.
  private func shownRows(_ scoredRows: [ScoredRow], of pipeline: MergePipeline<Row>) -> [ScoredRow] {
    var rowsByOrigin: [Origin: (sourceRow: SourceRow, scoredRow: ScoredRow)] = [:]
    for scoredRow in scoredRows { for sourceRow in scoredRow.allSourceRows { rowsByOrigin[Origin(sourceRow)] = (sourceRow, scoredRow) } }
    return shownOrigins.enumerated().compactMap { index, row in
      var sourceRows = row.compactMap { rowsByOrigin[$0]?.sourceRow }.sorted(by: SourceRow.leads)
      if labels.indices.contains(index), let leader = sourceRows.firstIndex(where: { Origin($0) == labels[index].leading }),
        sourceRows[leader].preferenceRank <= sourceRows[0].preferenceRank
      {
        sourceRows.insert(sourceRows.remove(at: leader), at: 0)
      }
      guard let first = sourceRows.first, var scoredRow = rowsByOrigin[Origin(first)]?.scoredRow else { return nil }
      let blends = pipeline.row(of: first).isQuery ? [sourceRows] : Blending.blends(of: sourceRows)
      (scoredRow.sourceRows, scoredRow.alternatives) = (blends[0], Array(blends.dropFirst()))
      return scoredRow
    }
  }
}
