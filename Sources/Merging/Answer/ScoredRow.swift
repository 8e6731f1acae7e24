/// A row of the merged list before its fields are fused: references to the providers' rows of one place, and its score.
struct ScoredRow: Sendable {
  /// The rows that are blended into the shown row, the leading one first.
  var sourceRows: [SourceRow]
  /// The other blends of the place, in the order in which they would lead; empty if rows are not folded.
  var alternatives: [[SourceRow]] = []
  /// Rows with the same number mean one place.
  var group: Int
  var match: TextMatch
  /// `match`, or the match inferred from the providers' order if the row's text does not match.
  var effectiveMatch: TextMatch
  /// Whether a place of a category near the bias is probably meant instead (`CategoryReading.excludes`).
  var isUnlikely = false
  /// Whether the score counts a match that is inferred from the providers' order.
  var isInferred: Bool
  var isQuery: Bool
  /// See `ImportanceScale`; 0 if no provider states one.
  var importance: Double
  /// The boost from this user's earlier choices, 0…1.
  var boost: Double
  var parts: [ScorePart]
  var score: Double
  /// The distance in metres by which rows are sorted; rows with equal distances are sorted by score (`RowScorer.distance`).
  var distance: Double
  /// See `Explanation`.
  var merges: [MergeReason] = []
  var tied: [MergeReason] = []
  var maybe: [MergeReason] = []

  /// The rows of the shown row and of its alternatives.
  var allSourceRows: [SourceRow] { sourceRows + alternatives.joined() }

  /// One row for each blend, side by side.
  var unfolded: [ScoredRow] {
    ([sourceRows] + alternatives).map { blend in
      var scoredRow = self
      (scoredRow.sourceRows, scoredRow.alternatives) = (blend, [])
      return scoredRow
    }
  }
}

/// A reference to one provider's row, with the properties that determine which rows it may blend with and whether it leads them.
struct SourceRow: Sendable {
  /// The index of the provider's batch.
  var batch: Int
  /// The row's index in the batch.
  var rank: Int
  var provider: String
  var weight: Double
  /// The price of its provider's details call, in millionths of the currency's unit.
  var detailsMicros: Int
  var blendingClass: BlendingClass
  var keepsOrder: Bool
  /// The provider's index in `MergeContext.prefer`; the count of that list for a provider that it does not name.
  var preferenceRank: Int
  /// How the query matches this row alone; `other` until the rows are compared.
  var match = TextMatch.other
  /// 0 if the row is in the requested language, 1 if either language is unknown, 2 if the row is in another language.
  var languageDistance: Int

  /// Identifies the row within a merge.
  struct Key: Hashable {
    var batch: Int
    var rank: Int
  }

  var key: Key { Key(batch: batch, rank: rank) }

  /// `provider#rank`, with ranks from 1.
  var rankName: String { "\(provider)#\(rank + 1)" }
}
