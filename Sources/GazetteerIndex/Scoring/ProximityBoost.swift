import Glibc
import PlacesKit

/// How much nearness to a bias adds: at its centre half as much again, of which half is left as far away as people go in a day, and for that
/// ways within its radius count a quarter; and three times that where somebody could walk or ride from its centre, the less the larger the area
/// is that he means.
///
/// The shop around the corner so comes before a far town that only begins like it, a village in the country before its far namesakes, and
/// neither before a city that all the world knows: what is far is never lowered.
struct ProximityBoost {
  private static let mostOnTheSpot = 3.0
  /// The most by which it lifts a place.
  let most: Double
  /// The same outside the neighbourhood.
  let mostBeyond: Double
  /// The places among which are all that nearness lifts by more than that.
  let neighbourhood: FilterPostings
  private static let inTheCountry = 0.5
  private static let inside = 0.25
  /// How much more nearness lifts what was called by its whole name, and the most that this makes of what is hardly known.
  private static let (called, knownNearby) = (2.6, 0.7)
  /// The part of what counts on the spot that a place lacks which nobody knows, and the importance from which one lacks nothing.
  private static let (unknown, town) = (0.1, 0.4)
  private static let onTheSpot = mostOnTheSpot - 1 - inTheCountry
  /// Metres beyond a bias where its neighbourhood ends, in rides.
  private static let rides = 3.0
  /// Metres that people go in a day, and in half an hour; and the radius of an area in which somebody means what is around him.
  private static let (day, ride, vicinity) = (100_000.0, 10_000.0, 20_000.0)
  private let center: FixedPoint
  private let radius: Double
  private let reach: Double
  private let spot: Double
  private let metresEast: Double

  private static let metresPerUnit = Coordinate.earthRadius * .pi / 180 / FixedPoint.scale

  init(_ bias: Area) {
    center = FixedPoint(bias.center)
    radius = bias.radius
    reach = max(ProximityBoost.day, bias.radius)
    spot = ProximityBoost.onTheSpot * ProximityBoost.vicinity / max(ProximityBoost.vicinity, bias.radius)
    most = 1 + ProximityBoost.inTheCountry + spot
    mostBeyond = 1 + ProximityBoost.inTheCountry + spot / (1 + ProximityBoost.rides * ProximityBoost.rides)
    let around = Area.circle(center: bias.center, radius: bias.radius + ProximityBoost.rides * ProximityBoost.ride)
    neighbourhood = FilterPostings(.cell, around.bounds.split.flatMap { MapCells.numbers(in: $0) }, atMost: FilterPostings.mostNearby)
    metresEast = ProximityBoost.metresPerUnit * cos(bias.center.latitude * .pi / 180)
  }

  /// What a place counts: its importance, lifted by a factor of nearness. Who writes the whole name of what is nearby means that before what
  /// only begins so elsewhere, however small it is (a shop named Coop before Cooper City), though never before what all the world knows. And on
  /// the spot what is hardly known counts as much as a town of some 100,000 people elsewhere: of `cafe` those around the
  /// corner, the nearer the better, come before a Cafelândia. Rises with both.
  static func boosted(_ importance: Double, by nearness: Double, _ extent: MatchExtent) -> Double {
    guard nearness > 1 else { return importance }
    let standing = 1 - unknown + unknown * min(1, importance / town)
    let lifted = max(importance * nearness, (nearness - 1) / (mostOnTheSpot - 1) * onTheSpotBase(extent) * standing)
    return extent == .name ? max(lifted, min(importance * (1 + (nearness - 1) * called), knownNearby)) : lifted
  }

  /// What counts on the spot. Together with the weights of matches, what is found in two ways counts by the heavier.
  private static func onTheSpotBase(_ extent: MatchExtent) -> Double {
    switch extent {
    case .prefix: 0.72
    case .words: 0.95
    case .name: 0.75
    }
  }

  /// Whether a place lies in the neighbourhood.
  func isNear(_ point: FixedPoint) -> Bool {
    point != .none && distance(to: point) <= radius + ProximityBoost.rides * ProximityBoost.ride
  }

  func factor(_ point: FixedPoint) -> Double {
    guard point != .none else { return 1 }
    let distance = distance(to: point)
    let beyond = max(0, distance - radius) + min(distance, radius) * ProximityBoost.inside
    let (far, near) = (beyond / reach, distance / ProximityBoost.ride)
    return 1 + ProximityBoost.inTheCountry / (1 + far * far) + spot / (1 + near * near)
  }

  /// In metres from the centre.
  private func distance(to point: FixedPoint) -> Double {
    // A plane is exact enough where nearness counts, and a tenth of the cost of a sphere.
    let north = Double(Int64(point.latitude) - Int64(center.latitude)) * ProximityBoost.metresPerUnit
    var turn = abs(Int64(point.longitude) - Int64(center.longitude))
    if turn > 1_800_000_000 { turn = 3_600_000_000 - turn }
    let east = Double(turn) * metresEast
    return (north * north + east * east).squareRoot()
  }
}
