import Glibc

/// A point on the Earth (WGS 84), in degrees.
public struct Coordinate: Sendable, Hashable, Codable {
  /// The latitude, -90…90.
  public var latitude: Double
  /// The longitude, -180…180.
  public var longitude: Double

  /// Nil if a number is outside its range or not finite.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  private init() {
    latitude = 0
    longitude = 0
  }

  /// The point 0° N, 0° E.
  public static let zero = Coordinate()

  /// Throws if a number is outside its range. Thus no coordinate that is read from a file or a message is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try container.decode(Double.self, forKey: .latitude)
    let longitude = try container.decode(Double.self, forKey: .longitude)
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "coordinate out of range"))
    }
    self = coordinate
  }

  /// The mean radius of the Earth in metres (IUGG: R1 = 6,371,008.8 m).
  public static let earthRadius = 6_371_008.8

  /// The great-circle distance in metres on a sphere, by the haversine formula (Sinnott 1984). It differs from the distance on the
  /// ellipsoid by at most 0.6 %.
  public func distance(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let latitudes = (latitude * radians, other.latitude * radians)
    let a = sin((latitudes.1 - latitudes.0) / 2)
    let b = sin((other.longitude - longitude) * radians / 2)
    let h = a * a + cos(latitudes.0) * cos(latitudes.1) * b * b
    return 2 * Coordinate.earthRadius * asin(min(1, h.squareRoot()))
  }

  /// This point with its degrees rounded to this number of decimals: 3 is about 110 m, 2 about 1.1 km.
  public func rounded(decimals: Int) -> Coordinate {
    let scale = pow(10, Double(decimals))
    return Coordinate(
      latitude: (latitude * scale).rounded() / scale, longitude: (longitude * scale).rounded() / scale) ?? self
  }
}
