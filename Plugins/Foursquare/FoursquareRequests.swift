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

  /// The centre and the radius of an area as parameters.
  static func around(_ area: Area, atMost radius: Double) -> [HTTPRequest.Item] {
    [.init("ll", point(area.center)), .init("radius", String(Int(min(max(area.radius, 1), radius).rounded(.up))))]
  }
}
