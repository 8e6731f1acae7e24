import Glibc
import PlacesKit

/// Scores rows. A score is a sum of parts, which an explanation lists.
///
/// The parts are the votes of the providers, the match of the text, the greater of nearness and raised importance, the marks of letters,
/// and the type. Texts and importances are weighed as the gazetteer weighs them, so that the merged list agrees with its list. The votes
/// are weighted reciprocal rank fusion with one vote for each provider and place (Cormack, Clarke and Büttcher 2009). They are divided by
/// the votes that a place could have, so that they only decide between rows that are otherwise alike: of two shops of one name the nearer
/// one is meant, even if more providers know the other. The user's earlier choices are added last (`raiseChosen`).
struct RowScorer: Sendable {
  let context: MergeContext
  /// Whether several providers returned rows. The list of a single provider keeps its order.
  let comparesProviders: Bool
  /// The sum of the weights of the providers that returned rows.
  let totalWeight: Double

  /// The rank, from 0, at which a vote is half of a vote at rank 0: the constant k of reciprocal rank fusion.
  private static let halfVoteRank = 3.0
  /// The amounts that are added to the score of a suggested query, of a place whose names match only without the marks of the query's
  /// letters, and of a place of a requested type.
  private static let queryPenalty = -0.75
  private static let marksPenalty = -0.2
  private static let requestedTypeBonus = 0.3
  /// The sum of the votes for a place that all providers rank first: `agreement` without a point from which distances are measured, and
  /// `agreementNearby` with one, because distances are better evidence. Both are less than the difference in importance between a town and
  /// a large city, because a provider that does not return a place says little about it: most know a place by its names in one or two
  /// languages only.
  private static let (agreement, agreementNearby) = (0.075, 0.05)
  /// Doublings of the distance are counted from this distance in metres; nearer places are about equally near.
  private static let firstDoubling = 50.0
  /// The minimum importance that a place has in the score if the query is its whole name.
  private static let wholeNameImportance = 0.56
  /// The share of its importance by which a place is lowered if the query is, or begins, a name that is not shown. Many of these names are
  /// misleading: Delhi is also called New Delhi, and Port-au-Prince `Pòtoprens`. The gazetteer lowers them alike (`MatchWeight`).
  private static let hiddenNameShare = 0.15

  /// The attributes of a place on which its score depends, from any of its rows.
  struct PlaceAttributes: Sendable {
    /// Whether every provider says that the place matches only a part of the query.
    var isPartial: Bool
    var isQuery: Bool
    var location: Coordinate?
    /// Metres from the request's origin, as a provider that returns no location reports them.
    var reportedDistance: Double?
    /// See `ImportanceScale`; 0 if no provider states one.
    var importance = 0.0
    var hasRequestedType = false
    /// See the parameters `lacksMarks` and `isHidden` of `MergePipeline.scoredRows`.
    var lacksMarks = false
    var hasHiddenMatch = false
    /// The boost from this user's earlier choices, 0…1.
    var boost = 0.0
  }

  /// - Parameter inferred: the match inferred from the providers' order, used if it is better than that of the text.
  func parts(of sourceRows: [SourceRow], attributes: PlaceAttributes, match: TextMatch, inferred: TextMatch) -> [ScorePart] {
    let voteScale = comparesProviders ? (center == nil ? RowScorer.agreement : RowScorer.agreementNearby) / max(totalWeight, 0.001) : 1
    var parts = [ScorePart("votes", voteScale * votes(sourceRows))]
    if attributes.isQuery { parts.append(ScorePart("query", RowScorer.queryPenalty)) }
    guard comparesProviders else { return parts }
    if prefersInferred(inferred, to: match) {
      parts.append(ScorePart("hiddenText", textScore(inferred)))
    } else {
      parts.append(ScorePart("text", textScore(match)))
    }
    if !attributes.isQuery { parts.append(ScorePart("nearOrFamous", nearOrFamous(attributes, isWholeName: match == .exact))) }
    if attributes.hasHiddenMatch, match <= .prefix {
      parts.append(ScorePart("hiddenName", -RowScorer.hiddenNameShare * attributes.importance))
    }
    if attributes.lacksMarks { parts.append(ScorePart("marks", RowScorer.marksPenalty)) }
    if attributes.hasRequestedType { parts.append(ScorePart("type", RowScorer.requestedTypeBonus)) }
    return parts
  }

  /// Whether the match inferred from the providers' order is better than that of the text.
  func prefersInferred(_ inferred: TextMatch, to match: TextMatch) -> Bool {
    comparesProviders && textScore(inferred) > textScore(match)
  }

  /// The distance in metres by which rows are sorted; rows with equal distances are sorted by score. It is infinite for an unknown
  /// location, and 0 for every row if the request does not sort by distance.
  func distance(of location: Coordinate?) -> Double {
    // A reverse geocoder's own order is better than the distances to centres of areas, so the list of one provider keeps its order.
    guard context.nearestFirst, comparesProviders || !context.query.isEmpty, let origin = context.origin ?? center else { return 0 }
    return location.map { $0.distance(to: origin) } ?? .infinity
  }

  /// The sum of the providers' votes. Only a provider's first row votes.
  private func votes(_ sourceRows: [SourceRow]) -> Double {
    if sourceRows.count == 1 { return vote(rank: sourceRows[0].rank, weight: sourceRows[0].weight) }
    // The order of summation is fixed, so that rounding does not depend on the order of arrival.
    var sum = 0.0
    var latestVoter: Int?
    for index in sourceRows.indices.sorted(by: { (sourceRows[$0].batch, sourceRows[$0].rank) < (sourceRows[$1].batch, sourceRows[$1].rank) }
    )
    where sourceRows[index].batch != latestVoter {
      sum += vote(rank: sourceRows[index].rank, weight: sourceRows[index].weight)
      latestVoter = sourceRows[index].batch
    }
    return sum
  }

  /// A provider's vote for a row: the provider's weight at rank 0, and less at each further rank.
  private func vote(rank: Int, weight: Double) -> Double { weight * RowScorer.halfVoteRank / (RowScorer.halfVoteRank + Double(rank)) }

  private func textScore(_ match: TextMatch) -> Double {
    switch match {
    // A shop whose whole name was typed precedes a town of some 100,000 people whose name begins with the query, but no large city.
    case .exact: 0.8 + RowScorer.wholeNameImportance
    case .prefix: 0.8
    case .words: 0.5
    case .fuzzy: 0.2
    case .part, .other: 0
    }
  }

  /// The greater of a place's nearness and its importance, which is raised if the place is near.
  /// - Parameter isWholeName: whether the query is a name of the place. The text's score then contains `wholeNameImportance`, so only the
  ///   importance beyond that is added. A tenth of a lesser importance is added, so that it orders the places of one name. If only the
  ///   beginning of a name was typed, importance weighs less, as in the gazetteer (`Scorer`, `MatchWeight`).
  private func nearOrFamous(_ place: PlaceAttributes, isWholeName: Bool) -> Double {
    let raisedImportance = place.importance * importanceFactor(of: place)
    return max(
      nearness(of: place),
      isWholeName ? max(raisedImportance - RowScorer.wholeNameImportance, 0.1 * raisedImportance) : 0.8 * raisedImportance)
  }

  /// The factor by which nearness to the bias raises the importance of a place; 1 without a bias. Without this factor, a famous place
  /// anywhere would precede every nearby town that is less famous.
  private func importanceFactor(of place: PlaceAttributes) -> Double {
    guard let bias = context.bias, let distance = place.location?.distance(to: bias.center) else { return 1 }
    return ProximityFactor(radius: bias.radius).value(at: distance)
  }

  /// Whether distances from the origin are distances from the centre.
  private var isAtOrigin: Bool {
    guard let center, let origin = context.origin else { return false }
    return center.distance(to: origin) < RowScorer.firstDoubling
  }

  /// The point from which nearness is measured; nil if the request has neither bias nor origin.
  private var center: Coordinate? { context.bias?.center ?? context.origin }

  /// The nearness of a place to the centre, 0…1. It is 1 at the centre, and 0.5 at the radius of the bias or, without a bias, at 5 km. It
  /// falls by the same difference for each doubling of the distance. A place at an unknown location counts as one at that radius, because
  /// its provider knew the bias.
  private func nearness(of place: PlaceAttributes) -> Double {
    guard let center else { return 0 }
    guard let distance = place.location.map({ $0.distance(to: center) }) ?? (isAtOrigin ? place.reportedDistance : nil) else { return 0.5 }
    let radius = max(1_000, context.bias?.radius ?? 5_000)
    let doublings = log2(1 + distance / RowScorer.firstDoubling)
    return max(0, 1 - doublings / (2 * log2(1 + radius / RowScorer.firstDoubling)))
  }
}
