/// A row of the merged list before it is fused: the providers' rows that it consists of, and its score.
struct ScoredRow: Sendable {
  /// The rows that are blended into this one, the leading one first.
  var sourceRows: [SourceRow]
  /// The other records of the place, which may not be blended with this one, the leading one first; empty if rows are not folded.
  var alternatives: [[SourceRow]] = []
  /// Rows with the same number mean one place.
  var group: Int
  var match: TextMatch
  /// How the query matches the row's text, or the match inferred from the providers' order if the text does not show one.
  var fit: TextMatch
  var isQuery: Bool
  /// The boost from this user's earlier choices, 0…1.
  var boost: Double
  var parts: [ScorePart]
  var score: Double
  /// Metres, if distance is compared before the score; see `RowScorer.distance`.
  var distance: Double
  var merges: [MergeReason] = []
  /// Pairs of rows of one place that the providers' terms keep in separate records.
  var tied: [MergeReason] = []
  var maybe: [MergeReason] = []

  /// The rows of the record and of its alternatives.
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
