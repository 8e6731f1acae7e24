import Glibc

/// An area to which a request is restricted, or whose places the request prefers.
public enum Area: Sendable, Hashable, Codable {
  /// All points within `radius` metres of the centre. In a request, the radius is 0…50,000.
  case circle(center: Coordinate, radius: Double)
  case rectangle(Rectangle)

  private enum CodingKeys: String, CodingKey { case circle, rectangle }
  private struct Circle: Codable {
    var center: Coordinate
    var radius: Double
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let circle = try container.decodeIfPresent(Circle.self, forKey: .circle) {
      self = .circle(center: circle.center, radius: circle.radius)
    } else {
      self = .rectangle(try container.decode(Rectangle.self, forKey: .rectangle))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .circle(let center, let radius): try container.encode(Circle(center: center, radius: radius), forKey: .circle)
    case .rectangle(let rectangle): try container.encode(rectangle, forKey: .rectangle)
    }
  }

  public func contains(_ point: Coordinate) -> Bool {
    switch self {
    case .circle(let center, let radius): center.distance(to: point) <= radius
    case .rectangle(let rectangle): rectangle.contains(point)
    }
  }

  /// The smallest rectangle that contains the whole area.
  public var bounds: Rectangle {
    switch self {
    case .rectangle(let rectangle): rectangle
    case .circle(let center, let radius): Rectangle(around: center, radius: radius)
    }
  }

  public var center: Coordinate {
    switch self {
    case .circle(let center, _): center
    case .rectangle(let rectangle): rectangle.center
    }
  }

  /// The radius of the circle, or half the rectangle's diagonal, in metres.
  public var radius: Double {
    switch self {
    case .circle(_, let radius): radius
    case .rectangle(let rectangle): rectangle.low.distance(to: rectangle.high) / 2
    }
  }
}

/// A rectangle of latitudes and longitudes, including its edges. It crosses the antimeridian if `low.longitude > high.longitude`.
/// A rectangle from longitude -180 to longitude 180 covers all longitudes. A rectangle with `low == high` is one point.
public struct Rectangle: Sendable, Hashable, Codable {
  /// The south-west corner.
  public var low: Coordinate
  /// The north-east corner.
  public var high: Coordinate

  /// Accepts any two corners. `isEmpty` is true if the rectangle contains no point.
  public init(low: Coordinate, high: Coordinate) {
    self.low = low
    self.high = high
  }

  /// The smallest rectangle that contains the circle with this radius in metres. It covers all longitudes if the circle contains a pole.
  public init(around center: Coordinate, radius: Double) {
    let angle = radius / Coordinate.earthRadius
    let degrees = angle * 180 / .pi
    let south = max(-90, center.latitude - degrees)
    let north = min(90, center.latitude + degrees)
    // `width` is the greatest difference in longitude between the centre and a point of the circle, in degrees. At that point the meridian
    // touches the circle at a right angle to the radius, so the sine of `width` is `ratio` (Napier's rules for right spherical triangles).
    let ratio = sin(angle) / cos(center.latitude * .pi / 180)
    let width = south == -90 || north == 90 || ratio >= 1 ? 180 : asin(ratio) * 180 / .pi
    func wrapped(_ longitude: Double) -> Double {
      if longitude > 180 { return longitude - 360 }
      return longitude < -180 ? longitude + 360 : longitude
    }
    let west = width >= 180 ? -180 : wrapped(center.longitude - width)
    let east = width >= 180 ? 180 : wrapped(center.longitude + width)
    low = Coordinate(latitude: south, longitude: west) ?? center
    high = Coordinate(latitude: north, longitude: east) ?? center
  }

  /// True if the rectangle contains no point: `low` is north of `high`, or the longitudes run from 180 to -180, as in Google's `Viewport`.
  public var isEmpty: Bool { low.latitude > high.latitude || (low.longitude == 180 && high.longitude == -180) }

  public var crossesAntimeridian: Bool { low.longitude > high.longitude }

  /// This rectangle, or its parts west and east of the antimeridian if it crosses the antimeridian.
  public var split: [Rectangle] {
    guard crossesAntimeridian, let east = Coordinate(latitude: high.latitude, longitude: 180),
      let west = Coordinate(latitude: low.latitude, longitude: -180)
    else { return [self] }
    return [Rectangle(low: low, high: east), Rectangle(low: west, high: high)]
  }

  public func contains(_ point: Coordinate) -> Bool {
    guard low.latitude <= point.latitude, point.latitude <= high.latitude else { return false }
    if crossesAntimeridian { return point.longitude >= low.longitude || point.longitude <= high.longitude }
    // The longitudes 180 and -180 are the same meridian.
    return (low.longitude...high.longitude).contains(point.longitude)
      || (abs(point.longitude) == 180 && (low.longitude...high.longitude).contains(-point.longitude))
  }

  public var center: Coordinate {
    var longitude = (low.longitude + high.longitude) / 2
    if crossesAntimeridian { longitude += longitude > 0 ? -180 : 180 }
    return Coordinate(latitude: (low.latitude + high.latitude) / 2, longitude: longitude) ?? low
  }
}
