import Geocoders
import PlacesKit

/// Common parts of all requests to the Places API.
enum GoogleRequests {
  static let host = "places.googleapis.com"

  static func post(_ method: String, body: JSONObject, mask: String?) -> HTTPRequest {
    var headers = [HTTPRequest.Item("Content-Type", "application/json")]
    if let mask { headers.append(HTTPRequest.Item("X-Goog-FieldMask", mask)) }
    return HTTPRequest(.post, host: host, path: ["v1", "places:\(method)"], headers: headers, body: JSONValue.object(body).bytes)
  }

  static func rectangle(_ rectangle: Rectangle) -> JSONValue { ["rectangle": rectangle.json] }

  static func area(_ area: Area) -> JSONValue {
    switch area {
    case .rectangle(let rectangle): self.rectangle(rectangle)
    // Google finds nothing in a circle with radius 0, so a point is sent as a circle with a radius of one metre.
    case .circle(let center, let radius): ["circle": ["center": center.json, "radius": .number(min(max(radius, 1), maxRadius))]]
    }
  }

  /// The maximum radius that Google accepts, in metres.
  static let maxRadius = 50_000.0

  /// The whole world, for autocomplete, which accepts a rectangle of any width.
  static let world: JSONValue = [
    "rectangle": ["low": ["latitude": -90, "longitude": -180], "high": ["latitude": 90, "longitude": 180]]
  ]
}
