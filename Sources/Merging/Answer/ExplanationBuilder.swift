/// Adds to rows which pairs were joined, which pairs the terms kept apart, and which were nearly joined, each with its evidence.
struct ExplanationBuilder: Sendable {
  private let rows: NormalizedRecords
  private let scoredPairs: [ScoredPair]
  private let clusters: Clusters
  private let sourceRows: [SourceRow]
  /// The name of each row in explanations.
  private let names: [String]

  /// `sourceRows` has one element for each row.
  init(_ rows: NormalizedRecords, scoredPairs: [ScoredPair], clusters: Clusters, sourceRows: [SourceRow], name: (SourceRow) -> String) {
    self.rows = rows
    self.scoredPairs = scoredPairs
    self.clusters = clusters
    self.sourceRows = sourceRows
    names = sourceRows.map(name)
  }

  func explain(_ scoredRows: inout [ScoredRow]) {
    let positions = positions(scoredRows)
    func add(_ a: Int, _ b: Int, _ reason: MergeReason, to list: WritableKeyPath<ScoredRow, [MergeReason]>) {
      for scoredRow in Set([positions[a].scoredRow, positions[b].scoredRow]) { scoredRows[scoredRow][keyPath: list].append(reason) }
    }
    for edge in scoredPairs.strongest(from: PairClassifier.maybeFrom) {
      let (a, b) = (edge.first, edge.second)
      let list: WritableKeyPath<ScoredRow, [MergeReason]> =
        clusters.cluster[a] != clusters.cluster[b] ? \.maybe : positions[a] == positions[b] ? \.merges : \.tied
      add(a, b, reason(edge), to: list)
    }
    for pair in clusters.duplicates {
      add(pair.first, pair.second, reason(pair), to: positions[pair.first] == positions[pair.second] ? \.merges : \.tied)
    }
  }

  /// The position of a provider's row in the merged list.
  private struct RecordPosition: Equatable {
    var scoredRow = 0
    /// 0 for the row's own record, from 1 for its alternatives.
    var record = 0
  }

  private func positions(_ scoredRows: [ScoredRow]) -> [RecordPosition] {
    var positions: [Row: RecordPosition] = [:]
    for (index, scoredRow) in scoredRows.enumerated() {
      for (record, sourceRows) in ([scoredRow.sourceRows] + scoredRow.alternatives).enumerated() {
        for sourceRow in sourceRows { positions[Row(sourceRow)] = RecordPosition(scoredRow: index, record: record) }
      }
    }
    return sourceRows.map { positions[Row($0)] ?? RecordPosition() }
  }

  private struct Row: Hashable {
    var batch: Int
    var rank: Int

    init(_ sourceRow: SourceRow) { (batch, rank) = (sourceRow.batch, sourceRow.rank) }
  }

  private func reason(_ edge: ScoredPair) -> MergeReason {
    let reasons = edge.byIdentifier ? [ScorePart.sameID] : PairClassifier.reasons(PairComparison(edge.first, edge.second, in: rows))
    return MergeReason(first: names[edge.first], second: names[edge.second], probability: edge.probability, reasons: reasons)
  }

  /// A provider's own duplicates have one id, so they are named by rank.
  private func reason(_ pair: Clusters.Duplicate) -> MergeReason {
    let (first, second) = (sourceRows[pair.first].byRank, sourceRows[pair.second].byRank)
    return MergeReason(first: first, second: second, probability: 1, reasons: [pair.byID ? .sameID : .sameText])
  }
}

extension SourceRow {
  /// `provider#rank`.
  var byRank: String { "\(provider)#\(rank + 1)" }
}

extension ScorePart {
  static let sameID = ScorePart("sameId", 1)
  /// Rows of one provider with the same name and location, or the same query.
  static let sameText = ScorePart("sameText", 1)
}
