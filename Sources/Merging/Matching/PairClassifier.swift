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
  static let sameFrom = 0.88
  static let maybeFrom = 0.5
  /// From here on records are put into one cluster where nothing is shown to anybody: at most one record a source, strongest first, leaves so few
  /// wrong ones that a lower bound finds more.
  static let clusterFrom = 0.23

  /// 0 for siblings that are numbered: Gate 3 is not Gate 4, however near and alike they are.
  static func probability(_ pair: PairComparison) -> Double {
    pair.features[.numberConflict] > 0 ? 0 : 1 / (1 + exp(-pair.features.dot(weights(pair.model))))
  }

  static func decision(_ probability: Double) -> MatchDecision {
    probability >= sameFrom ? .same : probability >= maybeFrom ? .maybe : .different
  }

  /// The three loudest parts of the log odds, the prior left out.
  static func reasons(_ pair: PairComparison) -> [ScorePart] {
    let weights = weights(pair.model)
    let parts = Feature.allCases.dropFirst().map { ScorePart($0.name, weights[$0.rawValue] * pair.features[$0]) }
    return Array(parts.filter { $0.value != 0 }.sorted { abs($0.value) > abs($1.value) }.prefix(3))
  }

  private static func weights(_ model: PairComparison.Model) -> [Double] {
    switch model {
    case .points: ClassifierWeights.points
    case .areas: ClassifierWeights.areas
    case .areasAcrossScripts: ClassifierWeights.areasAcrossScripts
    }
  }
}
