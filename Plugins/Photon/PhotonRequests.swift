import Geocoders
import Glibc
import PlacesKit

/// The parameters of an autocomplete or a search request that Photon can use.
struct PhotonSearch: Sendable {
  var query: String
  var limit: Int
  var language: String?
  var bias: Area?
  var restriction: Area?
  /// The order of the rows; nil for the server's own order.
  var order: SearchRequest.RankBy?
}

/// The filters of a request. Those that the server can apply are sent to it, and every row is checked against all of them.
struct PhotonFilter: Sendable {
  var types: [PlaceType]
  var collection: TypeCollection?
  var countries: [String]

  func keeps(_ place: GeocodedPlace) -> Bool {
    if !types.isEmpty, !place.types.contains(where: { $0.isKind(of: types) }) { return false }
    if let collection, !collection.contains(place.types) { return false }
    return countries.isEmpty || place.parts.countryCode.map(countries.contains) ?? false
  }

  /// The values of `osm_tag` to send; empty if tags do not determine all of the types. Tags do not determine a type of region, because most
  /// regions are boundaries.
  var tags: [OpenStreetMapTypes.Tag] {
    let tagsOfTypes = types.map { $0.group == .region || $0.group == .address ? [] : OpenStreetMapTypes.tags(for: $0) }
    guard !tagsOfTypes.contains(where: { $0.isEmpty }) else { return [] }
    var seenTags: Set<OpenStreetMapTypes.Tag> = []
    return tagsOfTypes.joined().filter { seenTags.insert($0).inserted }
  }

  /// The parameters for the filter. They do not exclude any row that `keeps` accepts.
  var queryItems: [HTTPRequest.Item] {
    let layerNames = layers
    guard layerNames.isEmpty else { return layerNames.map { .init("layer", $0) } }
    return tags.map { .init("osm_tag", $0.value == "*" ? $0.key : "\($0.key):\($0.value)") }
  }

  /// The layers to send to the server; empty for all layers.
  var layers: [String] {
    switch collection {
    case .address: return ["house", "street"]
    case .cities: return ["city", "district", "locality"]
    case .regions: return ["city", "district", "locality", "county", "state", "country", "other"]
    case .geocode, .establishment: return []
    case nil: break
    }
    let layersOfTypes = types.map { PhotonFilter.layersByType[$0] ?? [] }
    return layersOfTypes.contains { $0.isEmpty } ? [] : Array(Set(layersOfTypes.flatMap { $0 })).sorted()
  }

  private static let layersByType: [PlaceType: [String]] = [
    "street_address": ["house"], "route": ["street"], "country": ["country"], "administrative_area_level_1": ["state"],
    "administrative_area_level_2": ["county"], "locality": ["city", "district", "locality"], "sublocality": ["district", "locality"],
    "neighborhood": ["district", "locality"],
  ]

  /// Categories whose places never pass the filter (github.com/komoot/photon, docs/categories.md): an establishment is neither a settlement
  /// nor a boundary.
  var excludedCategories: [String] { collection == .establishment ? ["osm.place", "osm.boundary"] : [] }

  /// True if the request can use a feature of Photon 1.1: the parameters `countrycode` and `exclude`, or a structured query that is only a
  /// postal code.
  func needsFilterParameters(for query: String) -> Bool { !countries.isEmpty || !excludedCategories.isEmpty || isPostalCode(query) }

  /// True if the request is for postal codes only, and the query is one. It can then be a structured query, which does not match other
  /// parts of an address. A structured query can be limited to one country at most.
  func isPostalCode(_ query: String) -> Bool { types == ["postal_code"] && countries.count <= 1 && PostalCode.isCode(query) }

  /// True if `keeps` may drop rows that the server returns. The request is then for as many rows as possible.
  func mayDropRows(sendsFilterParameters: Bool) -> Bool {
    !types.isEmpty || collection != nil || (!countries.isEmpty && !sendsFilterParameters)
  }
}

/// Requests to Photon. Structured queries and the parameters `countrycode` and `exclude` are sent only to a server of version 1.1 or later.
/// An older server rejects the parameters, and finds nothing for a structured query that has only a postal code.
enum PhotonRequests {
  static let status = HTTPRequest(path: ["status"])

  /// - Parameter isStructured: true to send a postal code as a structured query. A server of any version may lack structured queries.
  static func search(_ search: PhotonSearch, _ filter: PhotonFilter, sendsFilterParameters: Bool, isStructured: Bool) -> [HTTPRequest] {
    var query: [HTTPRequest.Item] = [.init(isStructured ? "postcode" : "q", search.query)]
    query += [.init("limit", String(limit(search, filter, sendsFilterParameters: sendsFilterParameters)))]
    if let language = search.language { query.append(.init("lang", language)) }
    if let bias = search.bias {
      query += biasItems(bias)
      // `location_bias_scale` is the weight of a place's prominence relative to its distance.
      if let order = search.order { query.append(.init("location_bias_scale", order == .distance ? "0" : "1")) }
    }
    query += filter.queryItems
    if sendsFilterParameters {
      query += filter.countries.map { .init("countrycode", $0) }
      query += filter.excludedCategories.map { .init("exclude", $0) }
    }
    let areas: [Rectangle?] = search.restriction?.bounds.split ?? [nil]
    return areas.map { area in
      let box = area.map {
        [$0.low.longitude, $0.low.latitude, $0.high.longitude, $0.high.latitude].map(degrees).joined(separator: ",")
      }
      return HTTPRequest(path: [isStructured ? "structured" : "api"], query: query + (box.map { [.init("bbox", $0)] } ?? []))
    }
  }

  /// The maximum number of rows that Photon returns.
  private static let maxRows = 50

  /// The number of rows to request.
  static func limit(_ search: PhotonSearch, _ filter: PhotonFilter, sendsFilterParameters: Bool) -> Int {
    filter.mayDropRows(sendsFilterParameters: sendsFilterParameters) ? maxRows : min(max(search.limit, 1), maxRows)
  }

  static func reverse(_ request: ReverseRequest, _ filter: PhotonFilter, language: String?) -> HTTPRequest {
    var query: [HTTPRequest.Item] = [
      .init("lat", degrees(request.location.latitude)), .init("lon", degrees(request.location.longitude)),
      .init("limit", String(filter.mayDropRows(sendsFilterParameters: true) ? maxRows : min(max(request.limit, 1), maxRows))),
    ]
    query += filter.queryItems
    // The radius in kilometres; the server's default is 1.
    if let radius = request.radius { query.append(.init("radius", degrees(max(0.001, radius / 1_000)))) }
    if let language { query.append(.init("lang", language)) }
    return HTTPRequest(path: ["reverse"], query: query)
  }

  /// The parameters of a bias: a point and a zoom from 5 to 18. Photon interprets the zoom as a radius of about 0.1 km × 2.2^(18 − zoom).
  /// It ignores a bias with a zoom of 4 or less.
  private static func biasItems(_ bias: Area) -> [HTTPRequest.Item] {
    let kilometres = max(bias.radius / 1_000, 0.1)
    let zoom = Int((18 - log(kilometres / 0.1) / log(2.2)).rounded())
    return [
      .init("lat", degrees(bias.center.latitude)), .init("lon", degrees(bias.center.longitude)),
      .init("zoom", String(min(max(zoom, 5), 18))),
    ]
  }
}
