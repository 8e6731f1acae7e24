import PlacesKit

/// Reads GeoJSON geometries.
enum Geometry {
  /// One point for any geometry: a point itself, the middle vertex of a line, the centre of the bounds of a polygon or a closed line. If
  /// there are several lines or polygons, the one with the most vertices is used; in a collection, the first geometry with a point. Nil for
  /// an empty or invalid geometry.
  static func point(of geometry: JSONValue) -> Coordinate? {
    let coordinates = geometry["coordinates"] ?? .null
    switch geometry["type"]?.string {
    case "Point": return position(coordinates)
    case "LineString" where isClosed(coordinates): return center(coordinates)
    case "MultiPoint", "LineString": return middleVertex(coordinates)
    case "MultiLineString": return middleVertex(longest(coordinates))
    case "Polygon": return center(coordinates[0] ?? .null)
    case "MultiPolygon": return center(longest(coordinates, by: { $0[0] ?? .null })[0] ?? .null)
    case "GeometryCollection": return geometry["geometries"]?.array?.lazy.compactMap(point).first
    default: return nil
    }
  }

  /// The first and last point of each line of a geometry; empty if it has no lines.
  static func lineEnds(of geometry: JSONValue) -> [Coordinate] {
    let coordinates = geometry["coordinates"] ?? .null
    let lines: [JSONValue] =
      switch geometry["type"]?.string {
      case "LineString": [coordinates]
      case "MultiLineString": coordinates.array ?? []
      default: []
      }
    return lines.flatMap { line in [line.array?.first, line.array?.last].compactMap { $0.flatMap(position) } }
  }

  /// The point of a GeoJSON position: longitude, latitude.
  private static func position(_ value: JSONValue) -> Coordinate? {
    guard let longitude = value[0]?.double, let latitude = value[1]?.double else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func isClosed(_ line: JSONValue) -> Bool {
    guard let vertices = line.array, vertices.count > 3 else { return false }
    return vertices.first == vertices.last
  }

  /// The middle vertex of a line.
  private static func middleVertex(_ line: JSONValue) -> Coordinate? { position(line[(line.array?.count ?? 0) / 2] ?? .null) }

  /// The part with the most vertices; null if there is none.
  /// - Parameter vertices: the array of vertices of a part.
  private static func longest(_ parts: JSONValue, by vertices: (JSONValue) -> JSONValue = { $0 }) -> JSONValue {
    parts.array?.max { (vertices($0).array?.count ?? 0) < (vertices($1).array?.count ?? 0) } ?? .null
  }

  /// The centre of the bounds of a ring.
  private static func center(_ ring: JSONValue) -> Coordinate? {
    let points = (ring.array ?? []).compactMap(position)
    guard let latitudes = bounds(points.map(\.latitude)), let longitude = middleLongitude(points.map(\.longitude)) else { return nil }
    return Coordinate(latitude: (latitudes.least + latitudes.greatest) / 2, longitude: longitude)
  }

  /// The middle of the longitudes of a shape; nil if there are none. If the shape spans half of the globe or more, but would span
  /// less across the 180th meridian, it is assumed to cross that meridian.
  private static func middleLongitude(_ longitudes: [Double]) -> Double? {
    guard let plainBounds = bounds(longitudes) else { return nil }
    // The longitudes from 0° to 360°, so that the 180th meridian is in the middle.
    let shifted = longitudes.map { $0 < 0 ? $0 + 360 : $0 }
    guard (180..<360).contains(plainBounds.greatest - plainBounds.least), let shiftedBounds = bounds(shifted),
      shiftedBounds.greatest - shiftedBounds.least < plainBounds.greatest - plainBounds.least
    else {
      return (plainBounds.least + plainBounds.greatest) / 2
    }
    let middle = (shiftedBounds.least + shiftedBounds.greatest) / 2
    return middle > 180 ? middle - 360 : middle
  }

  /// The least and the greatest number; nil if there are none.
  private static func bounds(_ numbers: [Double]) -> (least: Double, greatest: Double)? {
    guard let least = numbers.min(), let greatest = numbers.max() else { return nil }
    return (least, greatest)
  }
}
