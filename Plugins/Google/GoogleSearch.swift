import PlacesKit

/// `POST /v1/places:searchText`.
enum GoogleSearch {
  static func request(for request: SearchRequest) throws(ProviderError) -> HTTPRequest {
    var body: JSONObject = ["textQuery": .string(request.query)]
    if let restriction = request.restriction {
      body["locationRestriction"] = GoogleRequests.rectangle(try rectangle(around: restriction))
    } else {
      // Without a bias, Google prefers places near the network address of this machine. So the bias of a request without one is the widest
      // area that Google accepts.
      body["locationBias"] = GoogleRequests.area(narrowed(request.bias ?? .rectangle(world)))
    }
    body["languageCode"] = .string(request.language ?? "en")
    if let region = request.region { body["regionCode"] = .string(region.lowercased()) }
    if let type = request.includedType {
      guard let googleType = GoogleTypes.searchWords[type.rawValue]?.first else {
        throw ProviderError(.unsupported, "Google cannot search for the type \(type.rawValue)", detail: "types")
      }
      body["includedType"] = .string(googleType)
      if request.strictTypeFiltering { body["strictTypeFiltering"] = true }
    }
    if request.openNow { body["openNow"] = true }
    // Google accepts multiples of 0.5.
    if let rating = request.minRating, rating > 0 { body["minRating"] = .number((rating * 2).rounded(.up) / 2) }
    if !request.priceLevels.isEmpty { body["priceLevels"] = try priceLevels(request.priceLevels) }
    if let order = request.rankBy { body["rankPreference"] = .string(order.rawValue.uppercased()) }
    body["pageSize"] = .integer(Int64(min(max(request.limit, 1), 20)))
    if let token = request.pageToken { body["pageToken"] = .string(token) }
    return GoogleRequests.post(
      "searchText", body: body, mask: GoogleFields.mask(request.fields, prefix: "places.", also: ["nextPageToken"]))
  }

  /// The maximum width of a rectangle in a text search, in degrees of longitude, for a bias and for a restriction.
  private static let maxWidth = 180.0

  private static func width(_ rectangle: Rectangle) -> Double {
    rectangle.high.longitude - rectangle.low.longitude + (rectangle.crossesAntimeridian ? 360 : 0)
  }

  private static let world = Rectangle(
    low: Coordinate(latitude: -90, longitude: -180) ?? .zero, high: Coordinate(latitude: 90, longitude: 180) ?? .zero)

  /// The bias. A rectangle that is too wide is reduced to the maximum width around its middle.
  private static func narrowed(_ bias: Area) -> Area {
    guard case .rectangle(let rectangle) = bias, width(rectangle) > maxWidth else { return bias }
    func wrapped(_ longitude: Double) -> Double {
      if longitude > 180 { return longitude - 360 }
      return longitude < -180 ? longitude + 360 : longitude
    }
    let middle = rectangle.low.longitude + width(rectangle) / 2
    guard let low = Coordinate(latitude: rectangle.low.latitude, longitude: wrapped(middle - maxWidth / 2)),
      let high = Coordinate(latitude: rectangle.high.latitude, longitude: wrapped(middle + maxWidth / 2))
    else { return bias }
    return .rectangle(Rectangle(low: low, high: high))
  }

  /// The rectangle around an area. If the area is a circle, the daemon drops the rows outside of the circle.
  private static func rectangle(around area: Area) throws(ProviderError) -> Rectangle {
    let bounds = area.bounds
    guard width(bounds) <= maxWidth else {
      throw ProviderError(.unsupported, "Google restricts a text search to at most 180 degrees of longitude: use a narrower area, or none")
    }
    return bounds
  }

  private static func priceLevels(_ levels: Set<PriceLevel>) throws(ProviderError) -> JSONValue {
    guard !levels.contains(.free) else {
      throw ProviderError(.unsupported, "Google cannot search for free places: leave free out of priceLevels")
    }
    return .array(PriceLevel.allCases.filter(levels.contains).map { .string("PRICE_LEVEL_\($0.rawValue.uppercased())") })
  }

  static func page(from response: HTTPResponse, for request: SearchRequest) throws(ProviderError) -> Page<Place> {
    let body = try GoogleErrors.body(of: response)
    let rows = (body["places"]?.array ?? []).compactMap { GooglePlace.place(from: $0, fields: request.fields) }
    let hasLocation = request.bias != nil || request.restriction != nil || request.region != nil || !request.countries.isEmpty
    if rows.isEmpty, request.pageToken == nil, !hasLocation, GoogleAddress.lacksTown(request.query) {
      throw ProviderError(
        .notFound,
        "Google finds nothing for an address that many towns have: add bias, restriction or region, or name the town in the query"
      )
    }
    return Page(rows: Array(rows.prefix(request.limit)), next: body["nextPageToken"]?.string.flatMap { $0.isEmpty ? nil : $0 })
  }
}
