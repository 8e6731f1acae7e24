import Geocoders
import PlacesKit

/// Requests to Nominatim (nominatim.org/release-docs/latest/api/Search). An area across the antimeridian needs two requests.
enum NominatimRequests {
  static func autocomplete(_ request: AutocompleteRequest) -> [HTTPRequest] {
    let filter = NominatimFilter(types: request.types, collection: request.collection)
    return areas(request.restriction).map { area in
      HTTPRequest(
        path: ["search"],
        query: text(request.query, filter) + NominatimAnswer.common(language: request.language) + [limit(request.limit, filter)]
          + countries(request.countries) + filter.items + viewbox(restriction: area, bias: request.bias))
    }
  }

  static func search(_ request: SearchRequest) -> [HTTPRequest] {
    let filter = NominatimFilter(types: request.includedType.map { [$0] } ?? [], collection: nil)
    let excludedIDs = excludedIDs(request.pageToken)
    return areas(request.restriction).map { area in
      HTTPRequest(
        path: ["search"],
        query: text(request.query, filter) + NominatimAnswer.common(language: request.language) + [limit(request.limit, filter)]
          + countries(request.countries) + filter.items + viewbox(restriction: area, bias: request.bias)
          + (excludedIDs.isEmpty ? [] : [.init("exclude_place_ids", excludedIDs.joined(separator: ","))]))
    }
  }

  /// The text of a search. A request for a postal code is a structured query, which does not match other parts of addresses.
  private static func text(_ query: String, _ filter: NominatimFilter) -> [HTTPRequest.Item] {
    [.init(filter.types == ["postal_code"] && PostalCode.isCode(query) ? "postalcode" : "q", query)]
  }

  /// One request for each level of detail that can have the requested types, the finest level first. Nominatim answers with one place, at
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

  /// The token of the next page: the ids of all rows so far, which the next request excludes. Nil if there were fewer rows than requested,
  /// or if there are already more than 100.
  static func nextPage(after places: [GeocodedPlace], token: String?, limit: Int) -> String? {
    let shownIDs = excludedIDs(token) + places.compactMap { OpenStreetMapID($0.id)?.short }
    return places.count < limit || shownIDs.count > 100 ? nil : shownIDs.joined(separator: ",")
  }

  /// The ids in a page token. Invalid ids and all after the first 120 are dropped, because clients could have changed the token.
  private static func excludedIDs(_ token: String?) -> [String] {
    (token ?? "").split(separator: ",").prefix(120).compactMap { id in
      OpenStreetMapID(kind: String(id.prefix(1)), number: .string(String(id.dropFirst())))?.short
    }
  }

  /// The number of rows to request: the maximum if some of them may be dropped.
  private static func limit(_ limit: Int, _ filter: NominatimFilter) -> HTTPRequest.Item {
    .init("limit", filter.isEmpty ? String(min(max(limit, 1), maxRows)) : String(maxRows))
  }

  /// The documented maximum of `limit`.
  static let maxRows = 40

  private static func countries(_ codes: [String]) -> [HTTPRequest.Item] {
    codes.isEmpty ? [] : [.init("countrycodes", codes.map { $0.lowercased() }.joined(separator: ","))]
  }

  /// The parts of the restriction; a single nil without a restriction.
  private static func areas(_ restriction: Area?) -> [Rectangle?] { restriction?.bounds.split ?? [nil] }

  private static func viewbox(restriction: Rectangle?, bias: Area?) -> [HTTPRequest.Item] {
    // Of a bias that crosses the antimeridian, only the wider half is sent.
    let biasBox = bias?.bounds.split.max { $0.high.longitude - $0.low.longitude < $1.high.longitude - $1.low.longitude }
    guard let box = restriction ?? biasBox else { return [] }
    let numbers = [box.low.longitude, box.low.latitude, box.high.longitude, box.high.latitude].map(degrees)
    return [.init("viewbox", numbers.joined(separator: ","))] + (restriction == nil ? [] : [.init("bounded", "1")])
  }
}
