/// The factor by which ranking multiplies the importance of a place, according to its distance from the centre of the request's `bias`.
/// The gazetteer's order and the merged order use the same factor, so that they agree. The factor is at least 1, so it never lowers a
/// place that is far away.
///
/// The factor at the distance d from the centre is 1 + dayTripBoost / (1 + (b / reach)²) + rideBoost / (1 + (d / ride)²). Here b is the
/// part of the distance beyond the radius, plus a quarter of the part within it. The second term raises places within a day's travel. The
/// third term raises places within a walk or a short ride; it is smaller for a larger radius. So a shop around the corner precedes a far
/// town that begins with the same letters, a village in the region precedes distant places of the same name, and neither precedes a world
/// city.
///
/// The formula and its constants are this project's own. They were chosen by the cases in `VicinityTests` and `RankingTests`.
public struct ProximityFactor: Sendable {
  /// The factor at the centre of a bias with a small radius.
  @inlinable public static var maxAtCenter: Double { 3 }
  /// The second term at the centre.
  @inlinable public static var dayTripBoost: Double { 0.5 }
  /// The length in metres of a ride of half an hour: the distance at which the third term is half of `rideBoost`.
  @inlinable public static var ride: Double { 10_000 }
  /// The length of a day's travel in metres, and the largest radius in metres at which `rideBoost` is not reduced.
  private static let (dayTrip, maxFullRadius) = (100_000.0, 20_000.0)

  /// The radius of the bias in metres.
  public let radius: Double
  /// The value of b, in metres, at which the second term is half of `dayTripBoost`.
  public let reach: Double
  /// The third term at the centre.
  public let rideBoost: Double

  /// - Parameter radius: the radius of the bias in metres.
  public init(radius: Double) {
    self.radius = radius
    reach = Swift.max(ProximityFactor.dayTrip, radius)
    rideBoost =
      (ProximityFactor.maxAtCenter - 1 - ProximityFactor.dayTripBoost) * ProximityFactor.maxFullRadius
      / Swift.max(ProximityFactor.maxFullRadius, radius)
  }

  /// The factor at the centre, which is the greatest.
  public var max: Double { 1 + ProximityFactor.dayTripBoost + rideBoost }

  /// The factor at a distance from the centre in metres.
  @inlinable public func value(at distance: Double) -> Double {
    let beyond = Swift.max(0, distance - radius) + Swift.min(distance, radius) / 4
    let (far, near) = (beyond / reach, distance / ProximityFactor.ride)
    return 1 + ProximityFactor.dayTripBoost / (1 + far * far) + rideBoost / (1 + near * near)
  }
}
