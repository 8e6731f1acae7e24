/// One provider's row as the merge handles it: where the row is, and what decides whether and in which order it joins others.
struct SourceRow: Sendable {
  var batch: Int
  /// From 0.
  var rank: Int
  var provider: String
  var weight: Double
  /// The price of its provider's details call, in millionths of the currency's unit.
  var detailsMicros: Int
  var blendingClass: BlendingClass
  var keepsOrder: Bool
  /// The provider's index in `MergeContext.prefer`; the count of that list for a provider that it does not name.
  var preference: Int
  /// How the query matches this row alone; `other` until the rows are compared.
  var match = TextMatch.other
  /// 0 for the requested language, 1 for an unknown one, 2 for another.
  var languageDistance: Int
}
