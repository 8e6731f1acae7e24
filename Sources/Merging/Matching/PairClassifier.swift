import Glibc

/// The decision on two rows.
public enum MatchDecision: String, Sendable, Hashable, Codable {
  /// The rows mean the same place and are joined.
  case same
  /// The rows probably mean the same place, but that is not certain enough to join them.
  case maybe
  case different
}

/// The probability that two rows are the same place, and the evidence.
public struct MatchPrediction: Sendable, Hashable {
  /// 0…1.
  public var probability: Double
  public var decision: MatchDecision
  /// The three features with the greatest shares of the log odds.
  public var reasons: [ScorePart]
}

/// The model that decides on pairs: a logistic regression for each kind of pair. `Training/train.py` writes its weights,
/// `ClassifierWeights`.
enum PairClassifier {
  /// The minimum probability of two rows that are joined. In pairs that were held out from the training, 0.79 reaches a precision of 0.96
  /// for businesses in cities, and 0.83 a precision of 0.97 for the Overture pairs, which have no points (`Training/README.md`).
  static func sameThreshold(areLocated: Bool) -> Double { areLocated ? 0.79 : 0.83 }

  /// The minimum probability of two rows that are reported as possibly the same place (`MatchDecision.maybe`).
  static let maybeThreshold = 0.5
  /// The minimum probability of two records that `Matcher.clusters` joins. It is low, because few wrong pairs can be joined: a cluster has
  /// at most one record of a source, and the most probable pair is joined first. It is lower for towns, because they are far apart. The
  /// rows of an answer are joined from `sameThreshold` instead, because providers return few of their places: often only one of two similar
  /// places has a row, and a wrong join would hide the other one.
  static func clusterThreshold(areBusinesses: Bool) -> Double { areBusinesses ? 0.35 : 0.02 }

  /// The probability that two rows mean the same place. It is 0 for numbered siblings, such as Gate 3 and Gate 4, for one name with
  /// different qualifiers, and for villages more than 10 km apart.
  static func probability(_ pair: PairComparison) -> Double {
    let vetoes = pair.features[.numberConflict] + pair.features[.qualifierConflict] + pair.features[.villageConflict]
    return vetoes > 0 ? 0 : 1 / (1 + exp(-pair.features.dot(weights(pair.model))))
  }

  /// - Parameter areLocated: whether both rows have points.
  static func decision(_ probability: Double, areLocated: Bool) -> MatchDecision {
    probability >= sameThreshold(areLocated: areLocated) ? .same : probability >= maybeThreshold ? .maybe : .different
  }

  /// The three parts of the log odds with the greatest absolute values, without the intercept.
  static func reasons(_ pair: PairComparison) -> [ScorePart] {
    let parts = weights(pair.model).filter { $0.feature != .prior }.map { ScorePart($0.feature.name, $0.value * pair.features[$0.feature]) }
    return Array(parts.filter { $0.value != 0 }.sorted { abs($0.value) > abs($1.value) }.prefix(3))
  }

  private static func weights(_ model: PairComparison.Model) -> [FeatureWeight] {
    switch model {
    case .points: ClassifierWeights.points
    case .areas: ClassifierWeights.areas
    case .areasAcrossScripts: ClassifierWeights.areasAcrossScripts
    }
  }
}
