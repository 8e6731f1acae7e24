import PlacesKit

/// The Geocoding API, version 3: `GET /maps/api/geocode/json`, with `address=` for forward and `latlng=` for reverse geocoding. It reports
/// errors with HTTP status 200 and the member `status` of the body.
enum GoogleGeocoding {
  static let fields: Set<PlaceField> = [
    .placeID, .name, .formattedAddress, .coordinate, .viewport, .addressComponents, .types, .plusCode,
  ]

  static func request(for request: SearchRequest) -> HTTPRequest {
    var query = [HTTPRequest.Item("address", request.query), .init("language", request.language ?? "en")]
    // In this API, a region is a top-level domain, which differs from the country's code only for the United Kingdom.
    if let region = request.region?.lowercased() { query.append(.init("region", region == "gb" ? "uk" : region)) }
    if let bounds = request.bias?.bounds {
      query.append(.init("bounds", "\(latitudeLongitude(bounds.low))|\(latitudeLongitude(bounds.high))"))
    }
    // Only one country is sent, because a second one would make the request invalid.
    if let country = request.countries.first { query.append(.init("components", "country:\(country)")) }
    return get(query)
  }

  static func reverseRequest(for request: ReverseRequest) -> HTTPRequest {
    get([.init("latlng", latitudeLongitude(request.location)), .init("language", request.language ?? "en")])
  }

  private static func get(_ query: [HTTPRequest.Item]) -> HTTPRequest {
    HTTPRequest(host: "maps.googleapis.com", path: ["maps", "api", "geocode", "json"], query: query, credential: .query(name: "key"))
  }

  private static func latitudeLongitude(_ point: Coordinate) -> String { "\(point.latitude),\(point.longitude)" }

  static func page(from response: HTTPResponse, fields: Set<PlaceField>, limit: Int) throws(ProviderError) -> Page<Place> {
    let body = try GoogleErrors.body(of: response)
    switch body["status"]?.string {
    case "OK", "ZERO_RESULTS": break
    // The key may be valid for other calls, so the error is `badRequest` and not `credentials`.
    case "REQUEST_DENIED":
      throw ProviderError(.badRequest, "Google refuses the key for geocoding: enable the Geocoding API for this key", detail: "keyInvalid")
    case "OVER_QUERY_LIMIT":
      throw ProviderError(.rateLimit, "Google's geocoding limit is reached", retryAfterSeconds: 60, detail: "rateLimitExceeded")
    case "OVER_DAILY_LIMIT": throw ProviderError(.quota, "Google's geocoding quota for today is used up", detail: "usageLimitExceeded")
    case "INVALID_REQUEST": throw ProviderError(.badRequest, "Google refuses the geocoding request", detail: "invalidRequest")
    case "UNKNOWN_ERROR": throw ProviderError(.http, "Google's geocoding failed on its side", detail: "serverError")
    default: throw ProviderError(.decode, "Google's geocoding answer has no status, or an unknown one")
    }
    let rows = (body["results"]?.array ?? []).compactMap { place(from: $0, fields: fields) }
    return Page(rows: Array(rows.prefix(limit)))
  }

  /// The place of a v3 result; nil if the result has no id. Converts the result to the form of the Places API's `Place` message, which
  /// `GooglePlace` then maps like any other.
  private static func place(from result: JSONValue, fields: Set<PlaceField>) -> Place? {
    var message: JSONObject = [:]
    message["id"] = result["place_id"]
    message["formattedAddress"] = result["formatted_address"]
    message["displayName"] = result["formatted_address"]?.string.map {
      ["text": .string($0.split(separator: ",").first.map(String.init) ?? $0)]
    }
    message["types"] = result["types"]
    message["location"] = point(result["geometry"]?["location"])
    if let low = point(result["geometry"]?["viewport"]?["southwest"]), let high = point(result["geometry"]?["viewport"]?["northeast"]) {
      message["viewport"] = ["low": low, "high": high]
    }
    message["addressComponents"] = .array(
      (result["address_components"]?.array ?? []).map { component in
        var converted: JSONObject = [:]
        converted["longText"] = component["long_name"]
        converted["shortText"] = component["short_name"]
        converted["types"] = component["types"]
        return .object(converted)
      })
    if let code = result["plus_code"] {
      var converted: JSONObject = [:]
      converted["globalCode"] = code["global_code"]
      converted["compoundCode"] = code["compound_code"]
      message["plusCode"] = .object(converted)
    }
    var place = GooglePlace.place(from: .object(message), fields: fields)
    if result["partial_match"] == .boolean(true) { place?.partialMatch = true }
    return place
  }

  private static func point(_ value: JSONValue?) -> JSONValue? {
    guard let latitude = value?["lat"]?.double, let longitude = value?["lng"]?.double else { return nil }
    return ["latitude": .number(latitude), "longitude": .number(longitude)]
  }
}
