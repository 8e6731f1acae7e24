import PlacesKit

/// Makes one list of what several providers answered. It has no state: the same batches in any order give the same answer.
public struct Merger: Sendable {
  public init() {}

  /// Drops the cached spellings in Latin letters, which came from providers' rows.
  public static func forget() { Latin.forget() }

  /// One list of suggestions, best first, at most `context.limit` rows.
  public func suggestions(_ batches: [ProviderBatch<Suggestion>], context: MergeContext) -> [MergedSuggestion] {
    merge(batches, context: context)
  }

  /// One list of places, best first, at most `context.limit` rows.
  public func places(_ batches: [ProviderBatch<Place>], context: MergeContext) -> [MergedPlace] {
    merge(batches, context: context)
  }

  func merge<Row: MergeableRow>(_ batches: [ProviderBatch<Row>], context: MergeContext) -> [MergedRow<Row>] {
    SingleList(batches.withRows(), context: context)?.rows ?? compare(batches, context: context)
  }

  /// What `merge` gives, however many providers answered.
  func compare<Row: MergeableRow>(_ batches: [ProviderBatch<Row>], context: MergeContext) -> [MergedRow<Row>] {
    let drafting = Drafting(batches, context: context)
    let drafts = Array(drafting.drafts().prefix(max(0, context.limit)))
    return drafting.rows(drafts, keys: drafts.indices.map { $0 + 1 })
  }
}

extension Drafting {
  /// The finished rows under these numbers. Rows of one place get a group key: that of the lowest number among them.
  func rows(_ drafts: [Draft], keys: [Int]) -> [MergedRow<Row>] {
    var lowest: [Int: (key: Int, count: Int)] = [:]
    for (draft, key) in zip(drafts, keys) {
      let known = lowest[draft.group] ?? (key, 0)
      lowest[draft.group] = (min(key, known.key), known.count + 1)
    }
    return zip(drafts, keys).map { draft, key in
      let group = lowest[draft.group].flatMap { $0.count > 1 ? "g\($0.key)" : nil }
      return row(draft, key: key, group: group)
    }
  }

  private func row(_ draft: Draft, key: Int, group: String?) -> MergedRow<Row> {
    var row = record(draft.entries, key: key) { explanation(of: draft, $0) }
    row.group = group
    // What was compared is told once, with the row.
    row.alternatives = draft.alternatives.map { entries in
      record(entries, key: key) { Explanation(match: draft.match, score: draft.score, parts: draft.parts, provenance: $0) }
    }
    return row
  }

  /// The row of one record, which holds nothing but what its entries say.
  private func record(_ entries: [Blending.Entry], key: Int, explanation: ([FieldSource]) -> Explanation) -> MergedRow<Row> {
    let (value, provenance) = fuse(entries)
    let sources = sources(entries)
    return MergedRow(
      row: RowNames.name(key), provider: sources[0].provider, id: sources[0].id, value: value, sources: sources,
      distance: context.distance(to: value), attributions: attributions(of: entries),
      explanation: context.explain ? explanation(provenance) : nil)
  }

  /// One for each provider and id.
  private func sources(_ entries: [Blending.Entry]) -> [MergedSource] {
    var sources: [MergedSource] = []
    for entry in entries {
      let id = id(of: entry)
      if sources.contains(where: { $0.provider == entry.provider && $0.id == id }) { continue }
      sources.append(MergedSource(provider: entry.provider, id: id, rank: entry.rank + 1))
    }
    return sources
  }

  private func explanation(of draft: Draft, _ provenance: [FieldSource]) -> Explanation {
    Explanation(
      match: draft.match, score: draft.score, parts: draft.parts, leads: draft.allEntries.sorted(by: Blending.Entry.leads).leadingRule,
      merges: draft.merges, tied: draft.tied, maybe: draft.maybe, provenance: provenance)
  }
}
