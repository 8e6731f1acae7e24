import Glibc

/// What to make of two rows.
public enum MatchDecision: String, Sendable, Hashable, Codable {
  /// Join them.
  case same
  /// More likely the same than not, yet not certain enough to join.
  case maybe
  case different
}

/// How likely two rows mean the same place, and why.
public struct MatchPrediction: Sendable, Hashable {
  /// 0…1.
  public var probability: Double
  public var decision: MatchDecision
  /// The three features that speak loudest, each with its share of the log odds.
  public var reasons: [ScorePart]
}

/// The model: a logistic regression for each kind of pair. The weights lie in `ClassifierWeights.swift`, made by `Training/train.py`.
enum PairClassifier {
  /// From here on two rows are joined; chosen so that at least 97 of 100 joined pairs are right.
  static let sameFrom = 0.8
  static let maybeFrom = 0.5
  /// The probability from which `Matcher.clusters` joins records. A cluster has at most one record of a source and the strongest pair is
  /// joined first, which leaves few wrong pairs; towns are far enough apart for a low bound.
  static func clusterFrom(areBusinesses: Bool) -> Double { areBusinesses ? 0.35 : 0.08 }

  /// 0 for siblings that are numbered, since Gate 3 is not Gate 4, and for villages more than 10 km apart.
  static func probability(_ pair: PairComparison) -> Double {
    pair.features[.numberConflict] + pair.features[.villageConflict] > 0 ? 0 : 1 / (1 + exp(-pair.features.dot(weights(pair.model))))
  }

  static func decision(_ probability: Double) -> MatchDecision {
    probability >= sameFrom ? .same : probability >= maybeFrom ? .maybe : .different
  }

  /// The three loudest parts of the log odds, the prior left out.
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
