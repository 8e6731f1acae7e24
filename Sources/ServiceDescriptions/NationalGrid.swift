import Glibc
import PlacesKit

/// A national grid of plane coordinates. The raw value is its name in a description.
public enum NationalGrid: String, Sendable, Hashable, CaseIterable {
  /// Ordnance Survey's National Grid of Great Britain, on the datum OSGB36.
  case britain = "EPSG:27700"

  /// The position in WGS 84 of a point in metres of the grid; nil outside of the grid. It is exact to about five metres; an exact
  /// conversion would require a table of the distortions of the datum OSGB36.
  ///
  /// Formulas and constants: Ordnance Survey, "A Guide to Coordinate Systems in Great Britain", sections 6.6, B and C.
  func coordinate(easting: Double, northing: Double) -> Coordinate? {
    guard (0...700_000).contains(easting), (0...1_300_000).contains(northing) else { return nil }
    let (latitude, longitude) = NationalGrid.unproject(easting, northing)
    let point = NationalGrid.airy.cartesian(latitude, longitude)
    let pointInWGS84 = NationalGrid.toWGS84(point)
    let position = NationalGrid.wgs84.geodetic(pointInWGS84)
    return Coordinate(latitude: position.latitude * 180 / .pi, longitude: position.longitude * 180 / .pi)
  }

  private struct Ellipsoid {
    /// The semi-major and the semi-minor axis, in metres.
    var a: Double
    var b: Double
    var eSquared: Double { 1 - b * b / (a * a) }

    /// The point of the ellipsoid at a position in radians, in metres from the centre of the Earth.
    func cartesian(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double, z: Double) {
      let radius = a / (1 - eSquared * sin(latitude) * sin(latitude)).squareRoot()
      return (
        radius * cos(latitude) * cos(longitude), radius * cos(latitude) * sin(longitude), (1 - eSquared) * radius * sin(latitude)
      )
    }

    /// The position in radians of a point that is given in metres from the centre of the Earth.
    func geodetic(_ point: (x: Double, y: Double, z: Double)) -> (latitude: Double, longitude: Double) {
      let distance = (point.x * point.x + point.y * point.y).squareRoot()
      var latitude = atan2(point.z, distance * (1 - eSquared))
      // Each step divides the error by about 300.
      for _ in 0..<6 {
        let radius = a / (1 - eSquared * sin(latitude) * sin(latitude)).squareRoot()
        latitude = atan2(point.z + eSquared * radius * sin(latitude), distance)
      }
      return (latitude, atan2(point.y, point.x))
    }
  }

  private static let airy = Ellipsoid(a: 6_377_563.396, b: 6_356_256.909)
  private static let wgs84 = Ellipsoid(a: 6_378_137, b: 6_356_752.314_245)

  /// The Helmert transformation from OSGB36 to WGS 84, which is the inverse of the guide's.
  private static func toWGS84(_ point: (x: Double, y: Double, z: Double)) -> (x: Double, y: Double, z: Double) {
    let second = Double.pi / 180 / 3_600
    let (rx, ry, rz) = (0.1502 * second, 0.2470 * second, 0.8421 * second)
    let scale = 1 - 20.4894e-6
    return (
      446.448 + point.x * scale - point.y * rz + point.z * ry, -125.157 + point.x * rz + point.y * scale - point.z * rx,
      542.060 - point.x * ry + point.y * rx + point.z * scale
    )
  }

  /// Latitude and longitude on the ellipsoid of Airy, in radians. The names are those of the guide's section C: `north7` to `north9` are
  /// its terms VII to IX, and `east11` to `east13` its terms XI to XIIA, without their powers of nu, by which `x` is divided instead.
  private static func unproject(_ easting: Double, _ northing: Double) -> (latitude: Double, longitude: Double) {
    let scale = 0.999_601_271_7
    let (originLatitude, originLongitude) = (49 * Double.pi / 180, -2 * Double.pi / 180)
    let (originEasting, originNorthing) = (400_000.0, -100_000.0)
    let a = airy.a * scale
    let b = airy.b * scale
    let n = (airy.a - airy.b) / (airy.a + airy.b)
    /// The length in metres of the meridian from the origin to a latitude.
    func arc(_ latitude: Double) -> Double {
      let (difference, sum) = (latitude - originLatitude, latitude + originLatitude)
      return b
        * ((1 + n + 1.25 * n * n + 1.25 * n * n * n) * difference - (3 * n + 3 * n * n + 2.625 * n * n * n) * sin(difference) * cos(sum)
          + (1.875 * n * n + 1.875 * n * n * n) * sin(2 * difference) * cos(2 * sum) - 35 / 24 * n * n * n * sin(3 * difference)
          * cos(3 * sum))
    }
    var latitude = originLatitude
    // Each step divides the error by more than 100.
    for _ in 0..<10 { latitude += (northing - originNorthing - arc(latitude)) / a }
    let sine = sin(latitude)
    let nu = a / (1 - airy.eSquared * sine * sine).squareRoot()
    let rho = a * (1 - airy.eSquared) / ((1 - airy.eSquared * sine * sine) * (1 - airy.eSquared * sine * sine).squareRoot())
    let etaSquared = nu / rho - 1
    let t = tan(latitude)
    let t2 = t * t
    let secant = 1 / cos(latitude)
    let x = (easting - originEasting) / nu
    let x2 = x * x
    let north7 = t / 2 * nu / rho
    let north8 = t / 24 * nu / rho * (5 + 3 * t2 + etaSquared - 9 * t2 * etaSquared)
    let north9 = t / 720 * nu / rho * (61 + 90 * t2 + 45 * t2 * t2)
    let east11 = secant / 6 * (nu / rho + 2 * t2)
    let east12 = secant / 120 * (5 + 28 * t2 + 24 * t2 * t2)
    let east13 = secant / 5_040 * (61 + 662 * t2 + 1_320 * t2 * t2 + 720 * t2 * t2 * t2)
    return (
      latitude - x2 * (north7 - x2 * (north8 - x2 * north9)), originLongitude + x * (secant - x2 * (east11 - x2 * (east12 - x2 * east13)))
    )
  }
}
