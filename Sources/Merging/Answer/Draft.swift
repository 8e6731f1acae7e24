/// A row of the merged list before it has a key: which rows it is made of, and why it stands where it does.
struct Draft<Row: MergeableRow>: Sendable {
  /// The leading one first.
  var entries: [Blending.Entry]
  /// Rows with the same number mean one place.
  var group: Int
  var value: Row
  var sources: [FieldSource]
  var match: TextMatch
  var parts: [ScorePart]
  var score: Double
  var merges: [MergeReason] = []
  var maybe: [MergeReason] = []
}
