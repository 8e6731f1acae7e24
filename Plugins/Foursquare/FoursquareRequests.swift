import PlacesKit

/// Common parts of all requests to Foursquare. Coordinates in queries are `latitude,longitude`.
enum FoursquareRequests {
  static let host = "places-api.foursquare.com"

  static func get(_ path: [String], query: [HTTPRequest.Item]) -> HTTPRequest {
    HTTPRequest(
      host: host, path: path, query: query,
      headers: [.init("Accept", "application/json"), .init("X-Places-Api-Version", "2025-06-17")])
  }

  static func point(_ coordinate: Coordinate) -> String { "\(coordinate.latitude),\(coordinate.longitude)" }

  /// The maximum of the parameter `radius`, in metres.
  private static let maxRadius = 100_000.0

  /// The maximum of the parameter `limit`.
  static let maxRows = 50

  /// The number of rows to request for a request with this limit.
  static func rowCount(_ limit: Int) -> Int { min(max(limit, 1), maxRows) }

  /// The parameters of the circle around an area: its centre, and its radius from 1 m to the maximum.
  static func circle(around area: Area) -> [HTTPRequest.Item] {
    [.init("ll", point(area.center)), .init("radius", String(Int(min(max(area.radius, 1), maxRadius).rounded(.up))))]
  }
}
