import PlacesKit

/// `GET /places/search`. The next page is a cursor in the `Link` header.
enum FoursquareSearch {
  static func request(for request: SearchRequest) throws(ProviderError) -> HTTPRequest {
    var query = [HTTPRequest.Item("query", request.query)]
    switch (request.restriction, request.bias) {
    case (.rectangle(let rectangle), _):
      guard !rectangle.crossesAntimeridian else {
        throw ProviderError(.unsupported, "Foursquare cannot search across the antimeridian: ask for each side of it")
      }
      query += [.init("ne", FoursquareRequests.point(rectangle.high)), .init("sw", FoursquareRequests.point(rectangle.low))]
    case (.some(let circle), _): query += FoursquareRequests.around(circle, atMost: 100_000)
    case (nil, .some(let bias)): query += FoursquareRequests.around(bias, atMost: 100_000)
    case (nil, nil): query.append(FoursquareRequests.nowhere)
    }
    if let type = request.includedType {
      guard let ids = FoursquareTypes.words[type.rawValue] else {
        throw ProviderError(.unsupported, "Foursquare has no category for \(type.rawValue)")
      }
      query.append(.init("fsq_category_ids", ids.joined(separator: ",")))
    }
    query += try prices(request.priceLevels)
    if request.openNow { query.append(.init("open_now", "true")) }
    if request.rankBy == .distance { query.append(.init("sort", "DISTANCE")) }
    if let cursor = request.pageToken { query.append(.init("cursor", cursor)) }
    query.append(.init("tel_format", "E164"))
    query.append(.init("fields", FoursquareFields.mask(request.fields)))
    query.append(.init("limit", String(min(max(request.limit, 1), 50))))
    return FoursquareRequests.get(["places", "search"], query: query)
  }

  /// The lowest and the highest level, which can be asked for without the premium field `price`.
  private static func prices(_ levels: Set<PriceLevel>) throws(ProviderError) -> [HTTPRequest.Item] {
    let places = FoursquareFields.prices.indices.filter { levels.contains(FoursquareFields.prices[$0]) }
    guard let first = places.first, let last = places.last, !levels.contains(.free), last - first == places.count - 1 else {
      guard levels.isEmpty else { throw ProviderError(.unsupported, "Foursquare has prices from a lowest to a highest one only") }
      return []
    }
    return [.init("min_price", String(first + 1)), .init("max_price", String(last + 1))]
  }

  static func page(from response: HTTPResponse, for request: SearchRequest) throws(ProviderError) -> Page<Place> {
    let body = try FoursquareErrors.body(of: response)
    guard let results = body["results"]?.array else { throw ProviderError(.decode, "Foursquare's answer holds no results") }
    let rows = results.compactMap { FoursquarePlace.place(from: $0, fields: request.fields) }
    return Page(rows: Array(rows.prefix(request.limit)), next: response.header("link").flatMap(cursor))
  }

  /// The cursor of `<https://…?cursor=ABC&…>; rel="next"`.
  static func cursor(in link: String) -> String? {
    // An address may hold commas, but no angle bracket.
    for part in link.split(separator: "<", omittingEmptySubsequences: false).dropFirst() where part.contains("rel=\"next\"") {
      guard let end = part.firstIndex(of: ">") else { continue }
      let query = part[..<end].split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
      for item in query.split(separator: "&") where item.hasPrefix("cursor=") {
        let value = String(item.dropFirst("cursor=".count))
        return value.isEmpty ? nil : percentDecoded(value)
      }
    }
    return nil
  }

  private static func percentDecoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
