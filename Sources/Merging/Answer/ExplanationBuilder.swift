/// Adds to rows the pairs that were joined, the pairs that the terms kept apart, and the pairs that were nearly joined, each with its
/// evidence.
struct ExplanationBuilder: Sendable {
  private let records: NormalizedRecords
  private let scoredPairs: [ScoredPair]
  private let duplicates: [Clusters.Duplicate]
  private let joinedPairs: [UnlocatedAreas.Pair]
  private let sourceRows: [SourceRow]
  /// The name of each row in explanations.
  private let names: [String]

  /// - Parameters:
  ///   - joined: the pairs that `UnlocatedAreas` joined.
  ///   - sourceRows: one for each record, in the same order.
  ///   - name: the name of a row in explanations.
  init(
    _ records: NormalizedRecords, scoredPairs: [ScoredPair], duplicates: [Clusters.Duplicate], joined: [UnlocatedAreas.Pair],
    sourceRows: [SourceRow], name: (SourceRow) -> String
  ) {
    self.records = records
    self.scoredPairs = scoredPairs
    self.duplicates = duplicates
    joinedPairs = joined
    self.sourceRows = sourceRows
    names = sourceRows.map(name)
  }

  /// Adds each pair to the rows that its two source rows belong to.
  func explain(_ scoredRows: inout [ScoredRow]) {
    let positions = positions(scoredRows)
    func add(_ a: Int, _ b: Int, _ reason: MergeReason, to list: WritableKeyPath<ScoredRow, [MergeReason]>) {
      for scoredRow in Set([positions[a].scoredRow, positions[b].scoredRow]) { scoredRows[scoredRow][keyPath: list].append(reason) }
    }
    for pair in scoredPairs.strongest(from: PairClassifier.maybeThreshold, in: records) {
      let (a, b) = (pair.first, pair.second)
      let areOnePlace = positions[a].group == positions[b].group
      add(a, b, reason(pair), to: !areOnePlace ? \.maybe : positions[a] == positions[b] ? \.merges : \.tied)
    }
    for pair in joinedPairs {
      let (a, b) = (pair.unlocated, pair.located)
      let probability = records.compare(min(a, b), max(a, b)).probability
      // A more probable pair is among the pairs above.
      guard probability < PairClassifier.maybeThreshold || scoredPairs.probability(min(a, b), max(a, b)) == nil else { continue }
      let reason = MergeReason(first: names[a], second: names[b], probability: probability, reasons: [.sameLabel])
      add(a, b, reason, to: positions[a] == positions[b] ? \.merges : \.tied)
    }
    for pair in duplicates {
      add(pair.first, pair.second, reason(pair), to: positions[pair.first] == positions[pair.second] ? \.merges : \.tied)
    }
  }

  /// The position of a provider's row in the merged list.
  private struct RowPosition: Equatable {
    /// See `ScoredRow.group`.
    var group = 0
    var scoredRow = 0
    /// 0 for the merged row itself, from 1 for its alternatives.
    var blend = 0
  }

  /// The position of each source row in the merged list.
  private func positions(_ scoredRows: [ScoredRow]) -> [RowPosition] {
    var positions: [SourceRow.Key: RowPosition] = [:]
    for (index, scoredRow) in scoredRows.enumerated() {
      for (blend, sourceRows) in ([scoredRow.sourceRows] + scoredRow.alternatives).enumerated() {
        for sourceRow in sourceRows { positions[sourceRow.key] = RowPosition(group: scoredRow.group, scoredRow: index, blend: blend) }
      }
    }
    return sourceRows.map { positions[$0.key] ?? RowPosition() }
  }

  private func reason(_ pair: ScoredPair) -> MergeReason {
    let reasons = pair.byIdentifier ? [ScorePart.sameID] : PairClassifier.reasons(PairComparison(pair.first, pair.second, in: records))
    return MergeReason(first: names[pair.first], second: names[pair.second], probability: pair.probability, reasons: reasons)
  }

  /// A provider's own duplicates have one id, so they are named by rank.
  private func reason(_ pair: Clusters.Duplicate) -> MergeReason {
    let (first, second) = (sourceRows[pair.first].rankName, sourceRows[pair.second].rankName)
    return MergeReason(first: first, second: second, probability: 1, reasons: [pair.byID ? .sameID : .sameText])
  }
}

extension ScorePart {
  static let sameID = ScorePart("sameId", 1)
  /// The reason for rows of one provider with the same name and location, and for equal queries.
  static let sameText = ScorePart("sameText", 1)
  /// The reason for a row without a location that was joined to the most important place of its label.
  static let sameLabel = ScorePart("sameLabel", 1)
}
