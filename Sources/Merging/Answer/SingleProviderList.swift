import PlacesKit

/// The rows of an answer that needs no comparison: only one provider answered, its ids show that the places are different, the user chose
/// none of them before, and the request asks for no explanation. The rows are the same as those of a comparison, which takes longer.
struct SingleProviderList<Row: MergeableRow> {
  private let batch: ProviderBatch<Row>
  private let context: MergeContext
  /// The prefix of a native id on the wire.
  private let prefix: String

  /// Nil if the answer needs a comparison.
  init?(_ batches: [ProviderBatch<Row>], context: MergeContext) {
    guard batches.count == 1, batches[0].weight >= 0, !context.explain, !context.nearestFirst else { return nil }
    batch = batches[0]
    self.context = context
    prefix = batch.provider + ":"
    let namespace = Identifier.namespace(batch.provider)
    // A linear search is faster than a set, because a list has few ids.
    var seenIDs: [UInt64] = []
    seenIDs.reserveCapacity(batch.rows.count)
    // A row is large. Its members are read in the array, so that it is not copied.
    for rank in batch.rows.indices {
      guard !batch.rows[rank].isQuery, let id = batch.rows[rank].nativeID,
        context.boosts.isEmpty || context.boosts[wireID(id)] == nil,
        let identifier = Identifier(known: namespace, id: id[...]), !seenIDs.contains(identifier.value)
      else { return nil }
      seenIDs.append(identifier.value)
    }
    if PlaceParts.mayExist(in: batch.rows) { return nil }
  }

  /// At most `context.limit` rows, in the provider's order.
  var rows: [MergedRow<Row>] {
    let common = credits(batch.attributions, after: [])
    var rows: [MergedRow<Row>] = []
    rows.reserveCapacity(min(batch.rows.count, max(0, context.limit)))
    for rank in batch.rows.indices.prefix(max(0, context.limit)) {
      let id = batch.rows[rank].nativeID.map { wireID($0) }
      rows.append(
        MergedRow(
          row: RowNames.name(rank + 1), provider: batch.provider, id: id, value: batch.rows[rank],
          sources: [MergedSource(provider: batch.provider, id: id, rank: rank + 1)],
          distance: context.distance(to: batch.rows[rank]), attributions: credits(batch.rows[rank].attributions, after: common)))
      rows[rows.count - 1].value.normalizeAlone()
    }
    return rows
  }

  private func wireID(_ native: String) -> String { prefix + native }

  /// The given credits and the attributions that are not among them.
  private func credits(_ attributions: [Attribution], after credits: [MergedAttribution]) -> [MergedAttribution] {
    var credits = credits
    for attribution in attributions {
      let credit = MergedAttribution(provider: batch.provider, attribution: attribution)
      if !credits.contains(credit) { credits.append(credit) }
    }
    return credits
  }
}
