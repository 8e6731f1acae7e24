import PlacesKit

/// Merges the answers of several providers into one list. It is stateless, and the order of the batches does not matter.
public struct Merger: Sendable {
  public init() {}

  /// Drops the cached transliterations of texts from providers' rows.
  public static func forget() { Transliteration.forget() }

  /// One list of suggestions, best first, at most `context.limit` rows.
  public func suggestions(_ batches: [ProviderBatch<Suggestion>], context: MergeContext) -> [MergedSuggestion] {
    merge(batches, context: context)
  }

  /// One list of places, best first, at most `context.limit` rows.
  public func places(_ batches: [ProviderBatch<Place>], context: MergeContext) -> [MergedPlace] {
    merge(batches, context: context)
  }

  func merge<Row: MergeableRow>(_ batches: [ProviderBatch<Row>], context: MergeContext) -> [MergedRow<Row>] {
    SingleProviderList(batches.withoutEmpty(), context: context)?.rows ?? compare(batches, context: context)
  }

  /// Like `merge`, without the fast path for a single provider.
  func compare<Row: MergeableRow>(_ batches: [ProviderBatch<Row>], context: MergeContext) -> [MergedRow<Row>] {
    let pipeline = MergePipeline(batches, context: context)
    let scoredRows = Array(pipeline.scoredRows().prefix(max(0, context.limit)))
    return pipeline.rows(scoredRows, keys: scoredRows.indices.map { $0 + 1 })
  }
}

extension MergePipeline {
  /// The fused rows.
  /// - Parameter keys: the number in the name of each row (`RowNames`). The group of several rows of one place is named after the lowest of
  ///   their keys.
  func rows(_ scoredRows: [ScoredRow], keys: [Int]) -> [MergedRow<Row>] {
    var lowestKeys: [Int: (key: Int, count: Int)] = [:]
    for (scoredRow, key) in zip(scoredRows, keys) {
      let entry = lowestKeys[scoredRow.group] ?? (key, 0)
      lowestKeys[scoredRow.group] = (min(key, entry.key), entry.count + 1)
    }
    return zip(scoredRows, keys).map { scoredRow, key in
      let group = lowestKeys[scoredRow.group].flatMap { $0.count > 1 ? "g\($0.key)" : nil }
      return row(scoredRow, key: key, group: group)
    }
  }

  private func row(_ scoredRow: ScoredRow, key: Int, group: String?) -> MergedRow<Row> {
    var row = self.row(of: scoredRow.sourceRows, key: key) { explanation(of: scoredRow, $0) }
    row.group = group
    // The comparisons are reported once, in the explanation of the row, and not with its alternatives.
    row.alternatives = scoredRow.alternatives.map { sourceRows in
      self.row(of: sourceRows, key: key) {
        Explanation(match: scoredRow.match, score: scoredRow.score, parts: scoredRow.parts, provenance: $0)
      }
    }
    return row
  }

  /// The row of one blend. Its content comes from the blend's own source rows alone.
  private func row(of sourceRows: [SourceRow], key: Int, explanation: ([FieldSource]) -> Explanation) -> MergedRow<Row> {
    let (value, provenance) = fuse(sourceRows)
    let sources = sources(sourceRows)
    var rowExplanation = context.explain ? explanation(provenance) : nil
    if context.explain { rowExplanation?.matchedName = hiddenName(of: sourceRows, shownName: value.title) }
    rowExplanation?.importance = value.importance
    rowExplanation?.partialMatch = value.partialMatch == true
    return MergedRow(
      row: RowNames.name(key), provider: sources[0].provider, id: sources[0].id, value: value, sources: sources,
      distance: context.distance(to: value), attributions: attributions(of: sourceRows),
      explanation: rowExplanation)
  }

  /// The sources of a row, one for each provider and id.
  private func sources(_ sourceRows: [SourceRow]) -> [MergedSource] {
    var sources: [MergedSource] = []
    for sourceRow in sourceRows {
      let id = id(of: sourceRow)
      if sources.contains(where: { $0.provider == sourceRow.provider && $0.id == id }) { continue }
      sources.append(MergedSource(provider: sourceRow.provider, id: id, rank: sourceRow.rank + 1))
    }
    return sources
  }

  private func explanation(of scoredRow: ScoredRow, _ provenance: [FieldSource]) -> Explanation {
    Explanation(
      match: scoredRow.match, score: scoredRow.score, parts: scoredRow.parts,
      leads: scoredRow.allSourceRows.sorted(by: SourceRow.leads).leadingRule,
      merges: scoredRow.merges, tied: scoredRow.tied, maybe: scoredRow.maybe, provenance: provenance)
  }
}

/// The names of rows on the wire: `r1` is the row with the key 1.
enum RowNames {
  /// The names of the first rows are stored, because a lookup takes a tenth of the time that formatting takes.
  private static let commonNames = (0...100).map { "r\($0)" }

  static func name(_ key: Int) -> String { commonNames.indices.contains(key) ? commonNames[key] : "r\(key)" }
}
