import PlacesKit

/// The list of a request while its providers answer one by one. A row that was shown stays, and keeps its position: what arrives later is
/// folded into a row that was shown, or takes a free position below them.
public struct PartialMerge<Row: MergeableRow>: Sendable {
  private let context: MergeContext
  /// For each row shown, the providers' rows that it stands for.
  private var shown: [[Origin]] = []

  /// A provider's row. A provider answers once, so that its rank names a row as long as the request lasts.
  private struct Origin: Hashable, Sendable {
    var provider: String
    var rank: Int

    init(_ sourceRow: SourceRow) {
      provider = sourceRow.provider
      rank = sourceRow.rank
    }
  }

  public init(context: MergeContext) { self.context = context }

  /// The list to show now. A third of the limit, rounded down, stays free for providers that answer later.
  /// - Parameter batches: all answers so far.
  public mutating func show(_ batches: [ProviderBatch<Row>]) -> [MergedRow<Row>] {
    rows(batches, limit: context.limit - context.limit / 3)
  }

  /// The last list: the rows that were shown, in their order, and below them the best of the others.
  /// - Parameter batches: all answers.
  public mutating func final(_ batches: [ProviderBatch<Row>]) -> [MergedRow<Row>] {
    shown.isEmpty ? Merger().merge(batches, context: context) : rows(batches, limit: context.limit)
  }

  private mutating func rows(_ batches: [ProviderBatch<Row>], limit: Int) -> [MergedRow<Row>] {
    let drafting = MergePipeline(batches, context: context)
    let scoredRows = drafting.scoredRows()
    var taken = Set(shown.joined())
    for scoredRow in scoredRows { place(scoredRow, limit: limit, &taken) }
    let rows = shownRows(scoredRows, of: drafting)
    return drafting.rows(rows, keys: rows.indices.map { $0 + 1 })
  }

  /// Adds what is new of a scoredRow to the first shown row of its place, or shows it as a row of its own at the end.
  private mutating func place(_ scoredRow: ScoredRow, limit: Int, _ taken: inout Set<Origin>) {
    let all = scoredRow.allSourceRows
    var new = all.filter { !taken.contains(Origin($0)) }
    guard !new.isEmpty else { return }
    if new.count < all.count, let home = shown.firstIndex(where: { row in all.contains { row.contains(Origin($0)) } }) {
      // Two rows of one provider are two places: one that the row has no room for stands alone.
      let known = Set(shown[home].map(\.provider))
      let added = new.filter { !known.contains($0.provider) }
      let allOrigins = Set(all.map { Origin($0) })
      if context.folds || allOrigins.isSuperset(of: shown[home]) {
        shown[home] += added.map { Origin($0) }
        taken.formUnion(added.map { Origin($0) })
        new.removeAll { !known.contains($0.provider) }
      }
    }
    guard !new.isEmpty, shown.count < limit else { return }
    shown.append(new.map { Origin($0) })
    taken.formUnion(new.map { Origin($0) })
  }

  /// The rows that were shown, with what is known of their places now.
  private func shownRows(_ scoredRows: [ScoredRow], of drafting: MergePipeline<Row>) -> [ScoredRow] {
    var known: [Origin: (sourceRow: SourceRow, scoredRow: ScoredRow)] = [:]
    for scoredRow in scoredRows { for sourceRow in scoredRow.allSourceRows { known[Origin(sourceRow)] = (sourceRow, scoredRow) } }
    return shown.compactMap { row in
      let sourceRows = row.compactMap { known[$0]?.sourceRow }.sorted(by: SourceRow.leads)
      guard let first = sourceRows.first, var scoredRow = known[Origin(first)]?.scoredRow else { return nil }
      let records = drafting.row(of: first).isQuery ? [sourceRows] : Blending.records(sourceRows)
      (scoredRow.sourceRows, scoredRow.alternatives) = (records[0], Array(records.dropFirst()))
      return scoredRow
    }
  }
}
