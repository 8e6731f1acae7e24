import PlacesKit

/// The squares of one degree of the map, numbered row by row from the south-west.
enum MapCells {
  private static let rows = 180
  private static let columns = 360
  private static let degree = Int(FixedPoint.scale)

  static func number(of point: FixedPoint) -> UInt16 { UInt16(clamping: row(point) * columns + column(point)) }

  /// The cells that cover a rectangle that does not cross the antimeridian, one range for each row.
  static func numbers(in rectangle: Rectangle) -> [ClosedRange<UInt16>] {
    let (low, high) = (FixedPoint(rectangle.low), FixedPoint(rectangle.high))
    guard low.latitude <= high.latitude, low.longitude <= high.longitude else { return [] }
    var ranges: [ClosedRange<Int>] = []
    for row in row(low)...row(high) {
      let first = row * columns
      ranges.append(first + column(low)...first + column(high))
      // The meridian of 180° has two longitudes.
      if high.longitude >= 180 * degree, column(low) > 0 { ranges.append(first...first) }
      if low.longitude <= -180 * degree, column(high) < columns - 1 { ranges.append(first + columns - 1...first + columns - 1) }
    }
    return ranges.map { UInt16(clamping: $0.lowerBound)...UInt16(clamping: $0.upperBound) }
  }

  /// The north pole belongs to the northernmost row, and 180° east to the easternmost column.
  private static func row(_ point: FixedPoint) -> Int { min(rows - 1, (Int(point.latitude) + 90 * degree) / degree) }
  private static func column(_ point: FixedPoint) -> Int { min(columns - 1, (Int(point.longitude) + 180 * degree) / degree) }
}
