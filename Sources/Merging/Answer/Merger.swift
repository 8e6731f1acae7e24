import PlacesKit

/// Makes one list of what several providers answered. A value without state: the same batches in any order give the same answer.
public struct Merger: Sendable {
  public init() {}

  /// One list of suggestions, best first, at most `context.limit` rows.
  public func suggestions(_ batches: [ProviderBatch<Suggestion>], context: MergeContext) -> [MergedSuggestion] {
    merge(batches, context: context)
  }

  /// One list of places, best first, at most `context.limit` rows.
  public func places(_ batches: [ProviderBatch<Place>], context: MergeContext) -> [MergedPlace] {
    merge(batches, context: context)
  }

  func merge<Row: MergeableRow>(_ batches: [ProviderBatch<Row>], context: MergeContext) -> [MergedRow<Row>] {
    var rows: [MergedRow<Row>] = []
    for batch in batches.sorted(by: { ($1.weight, $0.provider) < ($0.weight, $1.provider) }) {
      for (index, value) in batch.rows.enumerated() {
        let id = value.nativeID.map { "\(batch.provider):\($0)" }
        rows.append(
          MergedRow(
            row: "r\(rows.count + 1)", provider: batch.provider, id: id, value: value,
            sources: [MergedSource(provider: batch.provider, id: id, rank: index + 1)]))
      }
    }
    return Array(rows.prefix(context.limit))
  }
}
