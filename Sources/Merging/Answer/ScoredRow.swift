/// A row of the merged list before it is fused and named: which providers' rows it is made of, and why it stands where it does.
struct ScoredRow: Sendable {
  /// The rows that are blended into this one, the leading one first.
  var sourceRows: [SourceRow]
  /// The other records of the place, which may not be blended with this one, the leading one first; empty if rows are not folded.
  var alternatives: [[SourceRow]] = []
  /// Rows with the same number mean one place.
  var group: Int
  var match: TextMatch
  /// How the text fits, as far as the row shows it or else as its providers seem to think.
  var fit: TextMatch
  var isQuery: Bool
  /// How much this user's earlier choices speak for the place, 0…1.
  var boost: Double
  var parts: [ScorePart]
  var score: Double
  /// Metres, where nearness comes before the score; see `RowScorer.distance`.
  var distance: Double
  var merges: [MergeReason] = []
  /// Pairs of one place that terms keep in two records.
  var tied: [MergeReason] = []
  var maybe: [MergeReason] = []

  /// Every provider's row of the place, as far as this row shows them.
  var allSourceRows: [SourceRow] { sourceRows + alternatives.joined() }

  /// A row for each record, side by side.
  var unfolded: [ScoredRow] {
    ([sourceRows] + alternatives).map { record in
      var scoredRow = self
      (scoredRow.sourceRows, scoredRow.alternatives) = (record, [])
      return scoredRow
    }
  }
}
