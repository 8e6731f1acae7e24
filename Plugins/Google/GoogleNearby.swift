import PlacesKit

/// `POST /v1/places:searchNearby`: the places of a type in a circle, without a text (google/maps/places/v1/places_service.proto,
/// `SearchNearbyRequest`). It has no pages.
enum GoogleNearby {
  static func request(for request: SearchRequest) throws(ProviderError) -> HTTPRequest {
    guard let area = request.restriction ?? request.bias else {
      throw ProviderError(.unsupported, "Google searches without a text only in an area: give a bias or a restriction")
    }
    guard let googleType = request.includedType.flatMap({ GoogleTypes.searchWords[$0.rawValue]?.first }) else {
      throw ProviderError(
        .unsupported, "Google searches without a text only for a type of its Table A: give such a type, or a query", detail: "types")
    }
    guard !request.openNow, request.minRating == nil, request.priceLevels.isEmpty else {
      throw ProviderError(.unsupported, "Google filters by opening hours, rating and price only in a search with a text: give a query")
    }
    guard request.restriction == nil || area.radius <= GoogleRequests.maxRadius else {
      throw ProviderError(.unsupported, "Google searches without a text within 50 km at most: give a query, or a smaller area")
    }
    var body: JSONObject = ["includedTypes": [.string(googleType)]]
    body["maxResultCount"] = .integer(Int64(min(max(request.limit, 1), 20)))
    body["locationRestriction"] = GoogleRequests.area(.circle(center: area.center, radius: area.radius))
    if request.rankBy == .distance { body["rankPreference"] = "DISTANCE" }
    body["languageCode"] = .string(request.language ?? "en")
    if let region = request.region { body["regionCode"] = .string(region.lowercased()) }
    return GoogleRequests.post(
      "searchNearby", body: body, mask: GoogleFields.mask(request.fields.union([.coordinate]), prefix: "places."))
  }

  static func page(from response: HTTPResponse, for request: SearchRequest) throws(ProviderError) -> Page<Place> {
    let body = try GoogleErrors.body(of: response)
    var rows = (body["places"]?.array ?? []).compactMap { GooglePlace.place(from: $0, fields: request.fields) }
    // The request's circle around a rectangle also contains places outside of the rectangle.
    if let restriction = request.restriction { rows.removeAll { !($0.location.map(restriction.contains) ?? false) } }
    return Page(rows: Array(rows.prefix(request.limit)))
  }
}
