/// Compares rows outside of a request, for measuring and training.
public enum Matcher {
  /// Predicts whether two records are the same place. The sources' own ids are not compared; ids of other namespaces are.
  /// - Parameter others: the set that the two records belong to.
  public static func compare(_ a: MatchRecord, _ b: MatchRecord, among others: RecordSetProfile = RecordSetProfile([])) -> MatchPrediction {
    var (a, b) = (others.withBusinessMark(a), others.withBusinessMark(b))
    let ids = (a.id, b.id)
    (a.id, b.id) = (nil, nil)
    var records = NormalizedRecords([a, b])
    records.weigh(by: others.rarity)
    // `lead` needs the ids, so that it does not count `a` and `b` among the rivals.
    (a.id, b.id) = ids
    let pair = PairComparison(0, 1, in: records, lead: others.lead(a, b, in: records))
    let probability =
      switch records.identity(0, 1) {
      case .same: 1.0
      case .different: 0.0
      case .unknown: PairClassifier.probability(pair)
      }
    let decision = PairClassifier.decision(probability, areLocated: a.location != nil && b.location != nil)
    return MatchPrediction(probability: probability, decision: decision, reasons: PairClassifier.reasons(pair))
  }

  /// The cluster of each record, as the index of one of its records; the records' order does not matter.
  /// - Parameter asDaemon: whether records are joined from the same probabilities as the rows of an answer, `PairClassifier.sameThreshold`,
  ///   rather than from the lower ones of `PairClassifier.clusterThreshold`.
  public static func clusters(_ records: [MatchRecord], asDaemon: Bool = false) -> [Int] {
    let order = records.indices.sorted {
      let (a, b) = (records[$0], records[$1])
      return (a.source, a.id ?? "", a.name, $0) < (b.source, b.id ?? "", b.name, $1)
    }
    let others = RecordSetProfile(records)
    var normalized = NormalizedRecords(order.map { others.withBusinessMark(records[$0]) })
    normalized.weigh(by: others.rarity)
    let threshold = PairClassifier.clusterThreshold(areBusinesses: others.areBusinesses)
    let clusters = Clusters(normalized, scoredPairs: normalized.scoredPairs()) { areLocated in
      asDaemon ? PairClassifier.sameThreshold(areLocated: areLocated) : threshold
    }
    var result = Array(records.indices)
    for (position, cluster) in clusters.clusterOfRow.enumerated() { result[order[position]] = order[cluster] }
    return result
  }

  /// The names of the features, in the order of `features`.
  public static var featureNames: [String] { Feature.allCases.map(\.name) }

  /// The name of the table of weights for two records, and the values of their features.
  public static func features(_ a: MatchRecord, _ b: MatchRecord, among others: RecordSetProfile) -> (model: String, values: [Double]) {
    var records = NormalizedRecords([others.withBusinessMark(a), others.withBusinessMark(b)])
    records.weigh(by: others.rarity)
    let pair = PairComparison(0, 1, in: records, lead: others.lead(a, b, in: records))
    return (pair.model.rawValue, Feature.allCases.map { pair.features[$0] })
  }
}
