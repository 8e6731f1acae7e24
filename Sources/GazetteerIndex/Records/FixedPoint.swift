import PlacesKit

/// A coordinate in ten-millionths of a degree, about a centimetre. All filters compare these.
struct FixedPoint: Equatable {
  var latitude: Int32
  var longitude: Int32

  static let scale = 10_000_000.0
  /// Stands for a missing location.
  static let none = FixedPoint(latitude: .min, longitude: .min)

  init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  init(_ coordinate: Coordinate) {
    // 180° is 1,800,000,000, which fits into 32 bits.
    latitude = Int32((coordinate.latitude * FixedPoint.scale).rounded())
    longitude = Int32((coordinate.longitude * FixedPoint.scale).rounded())
  }

  /// From eight bytes: latitude and longitude, little-endian.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == 8 else { return nil }
    func value(_ offset: Int) -> Int32 {
      (0..<4).reduce(0) { $0 | Int32(truncatingIfNeeded: UInt32(bytes[bytes.startIndex + offset + $1]) << ($1 * 8)) }
    }
    self.init(latitude: value(0), longitude: value(4))
  }

  var coordinate: Coordinate? {
    Coordinate(latitude: Double(latitude) / FixedPoint.scale, longitude: Double(longitude) / FixedPoint.scale)
  }
}
