import Glibc
import PlacesKit

/// Raises the importance of places near the bias of a request by `ProximityFactor`.
struct ProximityBoost {
  /// The greatest factor.
  var maxFactor: Double { nearness.max }
  /// An upper bound of the factor outside the neighbourhood: the second term of `ProximityFactor` is taken at its maximum, and the third
  /// one at the distance of `neighbourhoodRides`.
  let maxFactorOutside: Double
  /// The places of the neighbourhood. All places with a factor above `maxFactorOutside` are among them.
  let neighbourhood: FilterPostings
  /// For a place whose whole name was typed, the part of its factor beyond 1 is multiplied by `wholeNameFactor`. This raises its importance
  /// to at most `maxWholeNameImportance`.
  private static let (wholeNameFactor, maxWholeNameImportance) = (2.6, 0.7)
  /// The part of `importanceAtCenter` that is subtracted for a place of no importance. It falls to 0 at the importance `townImportance`.
  private static let (unknownPenalty, townImportance) = (0.1, 0.4)
  /// How far the neighbourhood extends beyond the radius of the bias, in multiples of `ProximityFactor.ride`.
  private static let neighbourhoodRides = 3.0
  private let center: FixedPoint
  /// The formula for the factor at a distance from the centre.
  private let nearness: ProximityFactor
  /// The metres in a unit of longitude (`FixedPoint`) at the latitude of the centre.
  private let metresPerUnitEast: Double

  /// The metres in a unit of latitude.
  private static let metresPerUnit = Coordinate.earthRadius * .pi / 180 / FixedPoint.scale

  init(_ bias: Area) {
    center = FixedPoint(bias.center)
    nearness = ProximityFactor(radius: bias.radius)
    let rides = ProximityBoost.neighbourhoodRides
    maxFactorOutside = 1 + ProximityFactor.dayTripBoost + nearness.rideBoost / (1 + rides * rides)
    let circle = Area.circle(center: bias.center, radius: bias.radius + rides * ProximityFactor.ride)
    neighbourhood = FilterPostings(.cell, circle.bounds.split.flatMap { MapCells.numbers(in: $0) }, atMost: FilterPostings.maxNearby)
    metresPerUnitEast = ProximityBoost.metresPerUnit * cos(bias.center.latitude * .pi / 180)
  }

  /// An importance, raised by a result of `factor`. The result rises with both.
  ///
  /// A nearby place whose whole name was typed precedes a place far away whose name begins with the query, however small the nearby one is
  /// (a shop named Coop before Cooper City), but it does not precede a world city. At the centre an unknown place counts as much as a town
  /// of some 100,000 people elsewhere: for `cafe` the cafés around the corner precede Cafelândia.
  static func boosted(_ importance: Double, by proximityFactor: Double, _ extent: MatchExtent) -> Double {
    guard proximityFactor > 1 else { return importance }
    let prominence = 1 - unknownPenalty + unknownPenalty * min(1, importance / townImportance)
    let shareOfCenter = (proximityFactor - 1) / (ProximityFactor.maxAtCenter - 1)
    let raised = max(importance * proximityFactor, shareOfCenter * importanceAtCenter(extent) * prominence)
    guard extent == .name else { return raised }
    return max(raised, min(importance * (1 + (proximityFactor - 1) * wholeNameFactor), maxWholeNameImportance))
  }

  /// The importance of a well-known place at the centre, by the extent of the match.
  private static func importanceAtCenter(_ extent: MatchExtent) -> Double {
    switch extent {
    case .prefix: 0.8
    case .words: 0.95
    case .name: 0.75
    }
  }

  /// Whether a place lies in the neighbourhood.
  func isNear(_ point: FixedPoint) -> Bool {
    point != .none && distance(to: point) <= nearness.radius + ProximityBoost.neighbourhoodRides * ProximityFactor.ride
  }

  /// The factor by which a place is raised: 1 for a place without a location.
  func factor(_ point: FixedPoint) -> Double {
    guard point != .none else { return 1 }
    return nearness.value(at: distance(to: point))
  }

  /// The distance from the centre in metres.
  private func distance(to point: FixedPoint) -> Double {
    // The distance on a plane is exact enough here, and costs a tenth of the distance on a sphere.
    let north = Double(Int64(point.latitude) - Int64(center.latitude)) * ProximityBoost.metresPerUnit
    var longitudeDifference = abs(Int64(point.longitude) - Int64(center.longitude))
    // The units of 180 and 360 degrees: the shorter way may cross the antimeridian.
    if longitudeDifference > 1_800_000_000 { longitudeDifference = 3_600_000_000 - longitudeDifference }
    let east = Double(longitudeDifference) * metresPerUnitEast
    return (north * north + east * east).squareRoot()
  }
}
