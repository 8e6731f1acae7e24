import Geocoders
import PlacesKit

/// Requests to Pelias. A box must not cross the antimeridian, so a rectangle that does so needs two requests.
enum PeliasRequests {
  static func autocomplete(_ request: AutocompleteRequest) throws(ProviderError) -> [HTTPRequest] {
    let layers = try PeliasLayers.layers(for: request.types, request.collection)
    let common =
      text(request.query, limit: request.limit, language: request.language) + focus(request.bias) + countries(request.countries)
      + items("layers", layers) + items("categories", request.collection == nil ? try PeliasLayers.categories(for: request.types) : [])
    return bounded(path: ["autocomplete"], common, by: request.restriction)
  }

  static func search(_ request: SearchRequest) throws(ProviderError) -> [HTTPRequest] {
    let types = request.includedType.map { [$0] } ?? []
    let filters =
      focus(request.bias) + countries(request.countries) + items("layers", try PeliasLayers.layers(for: types, nil))
      + items("categories", try PeliasLayers.categories(for: types))
    // A request for a postal code is a structured query, which does not match other parts of addresses.
    if types == ["postal_code"], PostalCode.isCode(request.query) {
      let code = [HTTPRequest.Item("postalcode", request.query), .init("size", size(request.limit))] + language(request.language)
      return bounded(path: ["search", "structured"], code + filters, by: request.restriction)
    }
    return bounded(
      path: ["search"], text(request.query, limit: request.limit, language: request.language) + filters, by: request.restriction)
  }

  /// The server requires the parameter `ids`, although the documentation's table lists `gid`.
  static func place(_ request: DetailsRequest) -> HTTPRequest {
    HTTPRequest(path: ["v1", "place"], query: [.init("ids", request.id)] + language(request.language))
  }

  static func reverse(_ request: ReverseRequest) throws(ProviderError) -> HTTPRequest {
    var query: [HTTPRequest.Item] = [
      .init("point.lat", degrees(request.location.latitude)), .init("point.lon", degrees(request.location.longitude)),
      .init("size", size(request.limit)),
    ]
    if let radius = request.radius { query.append(.init("boundary.circle.radius", kilometres(radius))) }
    query += items("layers", try PeliasLayers.layers(for: request.types, request.collection)) + language(request.language)
    return HTTPRequest(path: ["v1", "reverse"], query: query)
  }

  /// The parameters of a query. The text is cut to 140 characters. Pelias itself cuts a longer text, and answers with a warning.
  private static func text(_ query: String, limit: Int, language tag: String?) -> [HTTPRequest.Item] {
    [.init("text", String(query.prefix(140))), .init("size", size(limit))] + language(tag)
  }

  /// The maximum of the parameter `size`.
  static let maxRows = 40

  private static func size(_ limit: Int) -> String { String(min(max(limit, 1), maxRows)) }

  /// A radius in kilometres, at least one metre.
  private static func kilometres(_ metres: Double) -> String { degrees(max(0.001, metres / 1_000)) }

  private static func language(_ tag: String?) -> [HTTPRequest.Item] { tag.map { [.init("lang", $0)] } ?? [] }

  private static func focus(_ bias: Area?) -> [HTTPRequest.Item] {
    guard let center = bias?.center else { return [] }
    return [.init("focus.point.lat", degrees(center.latitude)), .init("focus.point.lon", degrees(center.longitude))]
  }

  private static func countries(_ codes: [String]) -> [HTTPRequest.Item] { items("boundary.country", codes) }

  private static func items(_ name: String, _ values: [String]) -> [HTTPRequest.Item] {
    values.isEmpty ? [] : [.init(name, values.joined(separator: ","))]
  }

  /// One request for the area, or one for each side of the antimeridian.
  private static func bounded(path: [String], _ query: [HTTPRequest.Item], by area: Area?) -> [HTTPRequest] {
    let boundaries: [[HTTPRequest.Item]] =
      switch area {
      case nil: [[]]
      case .circle(let center, let radius):
        [
          [
            .init("boundary.circle.lat", degrees(center.latitude)), .init("boundary.circle.lon", degrees(center.longitude)),
            .init("boundary.circle.radius", kilometres(radius)),
          ]
        ]
      case .rectangle(let rectangle): rectangle.split.map(box)
      }
    return boundaries.map { HTTPRequest(path: ["v1"] + path, query: query + $0) }
  }

  /// Pelias requires a box with a width and a height, so a point or a line is widened by about a metre.
  private static func box(_ rectangle: Rectangle) -> [HTTPRequest.Item] {
    func widened(_ low: Double, _ high: Double, _ limit: Double) -> (Double, Double) {
      low < high ? (low, high) : (max(-limit, low - 0.000005), min(limit, high + 0.000005))
    }
    let (south, north) = widened(rectangle.low.latitude, rectangle.high.latitude, 90)
    let (west, east) = widened(rectangle.low.longitude, rectangle.high.longitude, 180)
    return [
      .init("boundary.rect.min_lat", degrees(south)), .init("boundary.rect.min_lon", degrees(west)),
      .init("boundary.rect.max_lat", degrees(north)), .init("boundary.rect.max_lon", degrees(east)),
    ]
  }
}
