import PlacesKit

/// One point for any GeoJSON geometry.
enum Geometry {
  /// A point itself, the middle vertex of a line, the centre of a polygon's bounds; nil for an empty or impossible geometry.
  static func point(of geometry: JSONValue) -> Coordinate? {
    let coordinates = geometry["coordinates"] ?? .null
    switch geometry["type"]?.string {
    case "Point": return position(coordinates)
    case "MultiPoint", "LineString": return middle(coordinates)
    case "MultiLineString": return middle(longest(coordinates))
    case "Polygon": return center(coordinates[0] ?? .null)
    case "MultiPolygon": return center(longest(coordinates, by: { $0[0] ?? .null })[0] ?? .null)
    case "GeometryCollection": return geometry["geometries"]?.array?.lazy.compactMap(point).first
    default: return nil
    }
  }

  private static func position(_ value: JSONValue) -> Coordinate? {
    guard let longitude = value[0]?.double, let latitude = value[1]?.double else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func middle(_ line: JSONValue) -> Coordinate? { position(line[(line.array?.count ?? 0) / 2] ?? .null) }

  private static func longest(_ parts: JSONValue, by size: (JSONValue) -> JSONValue = { $0 }) -> JSONValue {
    parts.array?.max { (size($0).array?.count ?? 0) < (size($1).array?.count ?? 0) } ?? .null
  }

  private static func center(_ ring: JSONValue) -> Coordinate? {
    let points = (ring.array ?? []).compactMap(position)
    guard let first = points.first else { return nil }
    var (south, north, west, east) = (first.latitude, first.latitude, first.longitude, first.longitude)
    for point in points {
      south = min(south, point.latitude)
      north = max(north, point.latitude)
      west = min(west, point.longitude)
      east = max(east, point.longitude)
    }
    return Coordinate(latitude: (south + north) / 2, longitude: (west + east) / 2)
  }
}
