import PlacesKit

/// A coordinate in units of a ten-millionth of a degree, which are about a centimetre.
struct FixedPoint: Equatable {
  var latitude: Int32
  var longitude: Int32

  /// The number of units in a degree.
  static let scale = 10_000_000.0
  /// Stands for a missing location.
  static let none = FixedPoint(latitude: .min, longitude: .min)
}

extension FixedPoint {
  init(_ coordinate: Coordinate) {
    // 180° is 1,800,000,000, which fits into 32 bits.
    latitude = Int32((coordinate.latitude * FixedPoint.scale).rounded())
    longitude = Int32((coordinate.longitude * FixedPoint.scale).rounded())
  }

  /// Decodes eight bytes: latitude and longitude, little-endian. Nil for another number of bytes.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == 8 else { return nil }
    self.init(latitude: Int32(truncatingIfNeeded: bytes.number(0, 4)), longitude: Int32(truncatingIfNeeded: bytes.number(4, 4)))
  }

  /// The coordinate; nil if it is out of range, as `none` is.
  var coordinate: Coordinate? {
    Coordinate(latitude: Double(latitude) / FixedPoint.scale, longitude: Double(longitude) / FixedPoint.scale)
  }
}

/// Divides the Earth into cells of one degree by one degree, numbered row by row from the south-west.
enum MapCells {
  private static let rows = 180
  private static let columns = 360
  private static let degree = Int(FixedPoint.scale)

  /// The number of the cell that contains a point.
  static func number(of point: FixedPoint) -> UInt16 { UInt16(clamping: row(point) * columns + column(point)) }

  /// The numbers of the cells that cover a rectangle, in ranges; empty for a rectangle that crosses the antimeridian.
  static func numbers(in rectangle: Rectangle) -> [ClosedRange<UInt16>] {
    let (low, high) = (FixedPoint(rectangle.low), FixedPoint(rectangle.high))
    guard low.latitude <= high.latitude, low.longitude <= high.longitude else { return [] }
    var ranges: [ClosedRange<Int>] = []
    for rowNumber in row(low)...row(high) {
      let rowStart = rowNumber * columns
      ranges.append(rowStart + column(low)...rowStart + column(high))
      // The 180th meridian is in the first column as -180° and in the last column as 180°, so a rectangle that touches it has both.
      if high.longitude >= 180 * degree, column(low) > 0 { ranges.append(rowStart...rowStart) }
      if low.longitude <= -180 * degree, column(high) < columns - 1 { ranges.append(rowStart + columns - 1...rowStart + columns - 1) }
    }
    return ranges.map { UInt16(clamping: $0.lowerBound)...UInt16(clamping: $0.upperBound) }
  }

  /// The north pole is in the northernmost row, and 180° east in the easternmost column.
  private static func row(_ point: FixedPoint) -> Int { min(rows - 1, (Int(point.latitude) + 90 * degree) / degree) }
  private static func column(_ point: FixedPoint) -> Int { min(columns - 1, (Int(point.longitude) + 180 * degree) / degree) }
}
