import Geocoders
import PlacesKit

/// What Nominatim is asked (nominatim.org/release-docs/latest/api/Search). An area across the antimeridian makes two requests.
enum NominatimRequests {
  static func autocomplete(_ request: AutocompleteRequest) -> [HTTPRequest] {
    areas(request.restriction).map { area in
      HTTPRequest(
        path: ["search"],
        query: [.init("q", request.query)] + NominatimAnswer.common(language: request.language) + [.init("limit", limit(request.limit))]
          + countries(request.countries) + viewbox(restriction: area, bias: request.bias))
    }
  }

  static func search(_ request: SearchRequest) -> [HTTPRequest] {
    let excluded = excluded(request.pageToken)
    return areas(request.restriction).map { area in
      HTTPRequest(
        path: ["search"],
        query: [.init("q", request.query)] + NominatimAnswer.common(language: request.language) + [.init("limit", limit(request.limit))]
          + countries(request.countries) + viewbox(restriction: area, bias: request.bias)
          + (excluded.isEmpty ? [] : [.init("exclude_place_ids", excluded.joined(separator: ","))]))
    }
  }

  /// One request for each level of detail that can have the types asked for, the finest level first. Nominatim answers with one place, at
  /// the level that `zoom` names; `layer` selects among the places of that level.
  static func reverse(_ request: ReverseRequest) -> [HTTPRequest] {
    NominatimLevel.levels(types: request.types, collection: request.collection).map { level in
      HTTPRequest(
        path: ["reverse"],
        query: [
          .init("lat", degrees(request.location.latitude)), .init("lon", degrees(request.location.longitude)),
          .init("zoom", String(level.zoom)),
        ] + (level.layers.isEmpty ? [] : [.init("layer", level.layers.joined(separator: ","))])
          + NominatimAnswer.common(language: request.language))
    }
  }

  /// The only way to further rows is to exclude those given. Nil when there were fewer than asked for, and after 100.
  static func nextPage(after places: [GeocodedPlace], token: String?, limit: Int) -> String? {
    let given = excluded(token) + places.compactMap { OpenStreetMapID($0.id)?.short }
    return places.count < limit || given.count > 100 ? nil : given.joined(separator: ",")
  }

  /// The ids of a token; whatever is not one is left out, since tokens pass through other hands.
  private static func excluded(_ token: String?) -> [String] {
    (token ?? "").split(separator: ",").prefix(120).compactMap { id in
      OpenStreetMapID(kind: String(id.prefix(1)), number: .string(String(id.dropFirst())))?.short
    }
  }

  private static func limit(_ limit: Int) -> String { String(min(max(limit, 1), 40)) }

  private static func countries(_ codes: [String]) -> [HTTPRequest.Item] {
    codes.isEmpty ? [] : [.init("countrycodes", codes.map { $0.lowercased() }.joined(separator: ","))]
  }

  /// The parts of the restriction, or one without any.
  private static func areas(_ restriction: Area?) -> [Rectangle?] { restriction?.bounds.split ?? [nil] }

  private static func viewbox(restriction: Rectangle?, bias: Area?) -> [HTTPRequest.Item] {
    // A bias that crosses the antimeridian leans to its wider half.
    let leaning = bias?.bounds.split.max { $0.high.longitude - $0.low.longitude < $1.high.longitude - $1.low.longitude }
    guard let box = restriction ?? leaning else { return [] }
    let numbers = [box.low.longitude, box.low.latitude, box.high.longitude, box.high.latitude].map(degrees)
    return [.init("viewbox", numbers.joined(separator: ","))] + (restriction == nil ? [] : [.init("bounded", "1")])
  }
}
