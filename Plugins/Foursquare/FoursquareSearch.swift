import Geocoders
import PlacesKit

/// `GET /places/search`.
enum FoursquareSearch {
  static let path = ["places", "search"]

  /// The requests of one page. An area across the antimeridian needs two requests, each with half of the limit, so that all their rows fit
  /// on the page. A row that did not fit would be lost, because the next page begins after it.
  static func requests(for request: SearchRequest) throws(ProviderError) -> [HTTPRequest] {
    if let token = request.pageToken { return try FoursquarePaging.requests(for: token) }
    var filters: [HTTPRequest.Item] = []
    if let type = request.includedType {
      guard let id = FoursquareTypes.categoryIDs[type.rawValue]?.first else {
        throw ProviderError(.unsupported, "Foursquare has no category for \(type.rawValue)", detail: "types")
      }
      filters.append(.init("fsq_category_ids", id))
    }
    filters += try priceItems(for: request.priceLevels)
    if request.openNow { filters.append(.init("open_now", "true")) }
    if let order = request.rankBy { filters.append(.init("sort", order.rawValue.uppercased())) }
    filters.append(.init("tel_format", "E164"))
    filters.append(.init("fields", FoursquareFields.mask(request.fields)))
    let areas = areaItems(of: request)
    return areas.enumerated().map { index, area in
      // If the limit is odd, the first request asks for one row more.
      let limit = (FoursquareRequests.rowCount(request.limit) + areas.count - 1 - index) / areas.count
      return FoursquareRequests.get(
        path,
        query: (request.query.isEmpty ? [] : [.init("query", request.query)]) + area + filters + [.init("limit", String(max(limit, 1)))])
    }
  }

  /// The area parameters of each request. There is one request or, if a rectangle crosses the antimeridian, one for each side. Without an
  /// area, Foursquare prefers places near the network address of this machine.
  private static func areaItems(of request: SearchRequest) -> [[HTTPRequest.Item]] {
    switch (request.restriction, request.bias) {
    case (.rectangle(let rectangle), _):
      rectangle.split.map { [.init("ne", FoursquareRequests.point($0.high)), .init("sw", FoursquareRequests.point($0.low))] }
    case (.some(let circle), _): [FoursquareRequests.circle(around: circle)]
    case (nil, .some(let bias)): [FoursquareRequests.circle(around: bias)]
    case (nil, nil): [[]]
    }
  }

  /// The parameters of the price filter, which are a minimum and a maximum; empty for no filter. The filter works without the premium field
  /// `price`.
  private static func priceItems(for levels: Set<PriceLevel>) throws(ProviderError) -> [HTTPRequest.Item] {
    guard !levels.isEmpty else { return [] }
    let levelIndices = FoursquareFields.priceLevels.indices.filter { levels.contains(FoursquareFields.priceLevels[$0]) }
    guard let lowest = levelIndices.first, let highest = levelIndices.last, !levels.contains(.free),
      highest - lowest == levelIndices.count - 1
    else {
      throw ProviderError(.unsupported, "Foursquare filters by consecutive price levels only, and not by free: change priceLevels")
    }
    return [.init("min_price", String(lowest + 1)), .init("max_price", String(highest + 1))]
  }

  /// Combines the responses to the requests of one page.
  /// - Parameter base: the configured address of the service; links to the next page are accepted for its host too.
  static func page(from responses: [HTTPResponse], for request: SearchRequest, base: String? = nil) throws(ProviderError) -> Page<Place> {
    var pages: [[Place]] = []
    for response in responses {
      let body = try FoursquareErrors.body(of: response)
      guard let results = body["results"]?.array else { throw ProviderError(.decode, "Foursquare's answer contains no results") }
      pages.append(results.compactMap { FoursquarePlace.place(from: $0, fields: request.fields) })
    }
    // Each request is for at least one row, so there must be room for one row of each.
    return Page(
      rows: joined(pages, limit: max(request.limit, pages.count)) { $0.id },
      next: FoursquarePaging.nextToken(after: responses, requestedWith: request.pageToken, base: base))
  }
}
