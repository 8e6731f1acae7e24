import Geocoders
import PlacesKit

/// Requests to Nominatim (nominatim.org/release-docs/latest/api/Search). An area across the antimeridian needs two requests.
enum NominatimRequests {
  static func autocomplete(_ request: AutocompleteRequest) -> [HTTPRequest] {
    let filter = NominatimFilter(types: request.types, collection: request.collection)
    return searchBoxes(request.restriction).map { box in
      HTTPRequest(
        path: ["search"],
        query: textItems(request.query, filter) + NominatimAnswer.common(language: request.language) + [limitItem(request.limit, filter)]
          + countryItems(request.countries) + filter.queryItems + viewboxItems(restriction: box, bias: request.bias))
    }
  }

  static func search(_ request: SearchRequest) -> [HTTPRequest] {
    let filter = typeFilter(of: request)
    let excludedIDs = ids(inPageToken: request.pageToken)
    return searchBoxes(request.restriction).map { box in
      HTTPRequest(
        path: ["search"],
        query: textItems(request.query, filter) + NominatimAnswer.common(language: request.language) + [limitItem(request.limit, filter)]
          + countryItems(request.countries) + filter.queryItems + viewboxItems(restriction: box, bias: request.bias)
          + (excludedIDs.isEmpty ? [] : [.init("exclude_place_ids", excludedIDs.joined(separator: ","))]))
    }
  }

  /// The text of a search. A request for a postal code is a structured query, which does not match other parts of addresses.
  private static func textItems(_ query: String, _ filter: NominatimFilter) -> [HTTPRequest.Item] {
    [.init(filter.types == ["postal_code"] && PostalCode.isCode(query) ? "postalcode" : "q", query)]
  }

  /// One request for each level of detail that can have the requested types, the finest level first. The caller sends them in this order
  /// until one finds a place. Nominatim answers with one place, at the level that `zoom` names; `layer` selects among the places of that
  /// level.
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

  /// The filter by the type of a search.
  static func typeFilter(of request: SearchRequest) -> NominatimFilter {
    NominatimFilter(types: request.includedType.map { [$0] } ?? [], collection: nil)
  }

  /// The token of the next page: the ids that its request excludes, which are those of the rows that were shown or that the filter dropped.
  /// Nil if there are no more rows, or if the token would have too many ids. The ids are those that the server sent (`place_id`), because
  /// servers before version 5.3 reject OpenStreetMap's ids. The public service consists of several servers whose `place_id`s differ. These
  /// servers are newer than 5.3, so OpenStreetMap's ids are sent to them.
  static func nextPage(
    after shownPlaces: [GeocodedPlace], of answers: [[GeocodedPlace]], _ request: SearchRequest, isPublic: Bool
  ) -> String? {
    let filter = typeFilter(of: request)
    let shownIDs = Set(shownPlaces.map(\.id))
    let isShownOrDropped = { (place: GeocodedPlace) in shownIDs.contains(place.id) || !filter.keeps(place) }
    let rows = answers.flatMap { $0 }
    guard answers.contains(where: { $0.count >= rowCount(request.limit, filter) }) || !rows.allSatisfy(isShownOrDropped) else { return nil }
    let newIDs = rows.filter(isShownOrDropped).compactMap { isPublic ? OpenStreetMapID($0.id)?.short : $0.serverID.map { String($0) } }
    let excludedIDs = ids(inPageToken: request.pageToken) + newIDs
    return newIDs.isEmpty || excludedIDs.count > maxTokenIDs ? nil : excludedIDs.joined(separator: ",")
  }

  /// The maximum number of ids in a page token, which limits the length of the request's URL.
  private static let maxTokenIDs = 100

  /// The ids in a page token. Invalid ids and those after the maximum are dropped, because a client could have changed the token.
  private static func ids(inPageToken token: String?) -> [String] {
    (token ?? "").split(separator: ",").prefix(maxTokenIDs).compactMap { id in
      if let number = Int(id), number > 0 { return String(number) }
      return OpenStreetMapID(kind: String(id.prefix(1)), number: .string(String(id.dropFirst())))?.short
    }
  }

  private static func limitItem(_ limit: Int, _ filter: NominatimFilter) -> HTTPRequest.Item {
    .init("limit", String(rowCount(limit, filter)))
  }

  /// The number of rows to request: the maximum if the filter may drop some of them.
  private static func rowCount(_ limit: Int, _ filter: NominatimFilter) -> Int { filter.isEmpty ? min(max(limit, 1), maxRows) : maxRows }

  /// The documented maximum of `limit`.
  static let maxRows = 40

  private static func countryItems(_ codes: [String]) -> [HTTPRequest.Item] {
    codes.isEmpty ? [] : [.init("countrycodes", codes.map { $0.lowercased() }.joined(separator: ","))]
  }

  /// The rectangles to search, one request each: two if the restriction crosses the antimeridian, and `[nil]` without a restriction.
  private static func searchBoxes(_ restriction: Area?) -> [Rectangle?] { restriction?.bounds.split ?? [nil] }

  private static func viewboxItems(restriction: Rectangle?, bias: Area?) -> [HTTPRequest.Item] {
    // A request has one box, so only the wider part of a bias that crosses the antimeridian is sent.
    let biasBox = bias?.bounds.split.max { $0.high.longitude - $0.low.longitude < $1.high.longitude - $1.low.longitude }
    guard let box = restriction ?? biasBox else { return [] }
    let numbers = [box.low.longitude, box.low.latitude, box.high.longitude, box.high.latitude].map(degrees)
    return [.init("viewbox", numbers.joined(separator: ","))] + (restriction == nil ? [] : [.init("bounded", "1")])
  }
}
