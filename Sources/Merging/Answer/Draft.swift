/// A row of the merged list before it is fused and has a key: which rows it is made of, and why it stands where it does.
struct Draft: Sendable {
  /// The leading one first.
  var entries: [Blending.Entry]
  /// Rows with the same number mean one place.
  var group: Int
  var match: TextMatch
  var parts: [ScorePart]
  var score: Double
  /// Metres, where nearness comes before the score; see `Ranking.distance`.
  var distance: Double
  var merges: [MergeReason] = []
  /// Pairs of this row and others of its group.
  var tied: [MergeReason] = []
  var maybe: [MergeReason] = []
}
