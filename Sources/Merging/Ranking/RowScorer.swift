import Glibc
import PlacesKit

/// How early a row should stand: a sum of parts, each of which is shown in explanations.
///
/// The parts are one vote for each provider and place (weighted reciprocal ranks, after Cormack, Clarke and Büttcher 2009), how the name fits
/// what was typed, nearness or fame, whichever is greater, so that neither drowns the other, the type, and the language. What the user
/// chose before comes last; see `raiseChosen`.
struct RowScorer: Sendable {
  let context: MergeContext
  /// Whether several lists have to be judged against each other; a list that stands alone keeps its order.
  let judges: Bool

  /// Reciprocal ranks fall from 1 to a half over so many ranks.
  private static let rankSoftness = 10.0
  private static let queryBehind = -0.75

  /// What the ranking must know of a place, whoever said so.
  struct PlaceAttributes: Sendable {
    var isQuery: Bool
    var location: Coordinate?
    var importance = 0.0
    var fitsType = false
    var boost = 0.0
  }

  /// - Parameter inferred: how the row's providers seem to think that the text fits, where it is not seen in the row.
  func parts(of sourceRows: [SourceRow], attributes: PlaceAttributes, match: TextMatch, inferred: TextMatch) -> [ScorePart] {
    var parts = [ScorePart("votes", votes(sourceRows))]
    if attributes.isQuery { parts.append(ScorePart("query", RowScorer.queryBehind)) }
    guard judges else { return parts }
    if match == .other, textScore(inferred) > 0 {
      parts.append(ScorePart("hiddenText", textScore(inferred)))
    } else {
      parts.append(ScorePart("text", textScore(match)))
    }
    if !attributes.isQuery { parts.append(ScorePart("nearOrFamous", max(nearness(of: attributes.location), 0.8 * attributes.importance))) }
    if attributes.fitsType { parts.append(ScorePart("type", 0.3)) }
    if sourceRows.contains(where: { $0.languageDistance == 0 }) { parts.append(ScorePart("language", 0.1)) }
    return parts
  }

  /// Metres by which a row stands where nearness comes before the score, infinite where nobody knows its location; 0 for every row otherwise.
  func distance(of location: Coordinate?) -> Double {
    // What is at a point, a provider knows better than the middles of areas tell: only several lists are put in order by distance.
    guard context.nearestFirst, judges || !context.query.isEmpty, let origin = context.origin ?? center else { return 0 }
    return location.map { $0.distance(to: origin) } ?? .infinity
  }

  /// What stands next to each other in a list counts little, being first counts much; a second row of a provider counts nothing.
  private func votes(_ sourceRows: [SourceRow]) -> Double {
    if sourceRows.count == 1 { return vote(rank: sourceRows[0].rank, weight: sourceRows[0].weight) }
    // Summed in a fixed order, so that rounding does not depend on who answered first; batches stand in the order of their providers.
    var sum = 0.0
    var voted: Int?
    for index in sourceRows.indices.sorted(by: { (sourceRows[$0].batch, sourceRows[$0].rank) < (sourceRows[$1].batch, sourceRows[$1].rank) }
    )
    where sourceRows[index].batch != voted {
      sum += vote(rank: sourceRows[index].rank, weight: sourceRows[index].weight)
      voted = sourceRows[index].batch
    }
    return sum
  }

  private func vote(rank: Int, weight: Double) -> Double { weight * RowScorer.rankSoftness / (RowScorer.rankSoftness + Double(rank)) }

  private func textScore(_ match: TextMatch) -> Double {
    switch match {
    case .exact: 1
    case .prefix: 0.8
    case .words: 0.5
    case .fuzzy: 0.2
    case .part, .other: 0
    }
  }

  private var center: Coordinate? { context.bias?.center ?? context.origin }

  /// 1 at the centre, a half at the bias's radius, or at 5 km where only a point is known.
  private func nearness(of location: Coordinate?) -> Double {
    guard let location, let center else { return 0 }
    let radius = max(1_000, context.bias?.radius ?? 5_000)
    return exp2(-location.distance(to: center) / radius)
  }
}
