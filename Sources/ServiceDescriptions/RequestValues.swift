import JSON
import PlacesKit

/// The values of one request, from which the templates of the description make the HTTP request.
struct RequestValues: Sendable {
  var query: String?
  var limit: Int?
  var language: String?
  var region: String?
  var countries: [String] = []
  /// The service's words for the requested types.
  var types: [String] = []
  var bias: Area?
  var restriction: Area?
  /// The restriction's rectangle, or the part of it that this request covers.
  var box: Rectangle?
  var origin: Coordinate?
  var inputOffset: Int?
  var sessionToken: String?
  var openNow = false
  var minRating: Double?
  var page: PageToken?
  var id: String?
  var location: Coordinate?
  /// In metres.
  var radius: Double?
  /// The number of decimals to which coordinates are rounded; nil if they are not rounded.
  var decimals: Int?

  init() {}

  /// - Parameter types: the service's words for the types of the request.
  init(_ request: AutocompleteRequest, types: [String]) {
    query = request.query
    language = request.language
    region = request.region
    countries = request.countries
    self.types = types
    bias = request.bias
    restriction = request.restriction
    origin = request.origin
    inputOffset = request.inputOffset
    sessionToken = request.sessionToken
  }

  /// Throws `badRequest` for a page token that is not one of this provider.
  init(_ request: SearchRequest, types: [String]) throws(ProviderError) {
    query = request.query
    language = request.language
    region = request.region
    countries = request.countries
    self.types = types
    bias = request.bias
    restriction = request.restriction
    origin = request.origin
    openNow = request.openNow
    minRating = request.minRating
    if let token = request.pageToken { page = try PageToken(token) }
  }

  init(_ request: DetailsRequest) {
    id = request.id
    language = request.language
    region = request.region
    sessionToken = request.sessionToken
  }

  init(_ request: ReverseRequest, types: [String]) {
    location = request.location
    radius = request.radius
    language = request.language
    self.types = types
  }

  subscript(value: RequestValue) -> JSONValue? {
    switch value {
    case .query: query.map { .string($0) }
    case .limit: limit.map { .integer(Int64($0)) }
    case .language: language.map { .string($0) }
    case .region: region.map { .string($0) }
    case .countries: RequestValues.list(countries)
    case .types: RequestValues.list(types)
    case .biasLatitude: degrees(bias?.center.latitude)
    case .biasLongitude: degrees(bias?.center.longitude)
    case .biasRadius: bias.map { FieldConverter.number($0.radius.rounded()) }
    case .biasSouth: degrees(biasBox?.low.latitude)
    case .biasWest: degrees(biasBox?.low.longitude)
    case .biasNorth: degrees(biasBox?.high.latitude)
    case .biasEast: degrees(biasBox?.high.longitude)
    case .restrictionLatitude: degrees(restriction?.center.latitude)
    case .restrictionLongitude: degrees(restriction?.center.longitude)
    case .restrictionRadius: restriction.map { FieldConverter.number($0.radius.rounded(.up)) }
    case .restrictionSouth: degrees(box?.low.latitude)
    case .restrictionWest: degrees(box?.low.longitude)
    case .restrictionNorth: degrees(box?.high.latitude)
    case .restrictionEast: degrees(box?.high.longitude)
    case .originLatitude: degrees(origin?.latitude)
    case .originLongitude: degrees(origin?.longitude)
    case .inputOffset: inputOffset.map { .integer(Int64($0)) }
    case .sessionToken: sessionToken.map { .string($0) }
    case .openNow: openNow ? .boolean(true) : .none
    case .minRating: minRating.map { FieldConverter.number($0) }
    case .page: page?.token.map { .string($0) }
    case .offset: page.map { .integer(Int64($0.rows)) }
    case .pageNumber: .integer(Int64(page?.number ?? 1))
    case .id: id.map { .string($0) }
    case .latitude: degrees(location?.latitude)
    case .longitude: degrees(location?.longitude)
    case .radius: radius.map { FieldConverter.number($0) }
    }
  }

  /// The rectangle around the bias; nil if it crosses the antimeridian.
  private var biasBox: Rectangle? { bias.map(\.bounds).flatMap { $0.crossesAntimeridian ? nil : $0 } }

  /// The degrees as JSON, rounded to `decimals`.
  private func degrees(_ value: Double?) -> JSONValue? {
    guard let value else { return nil }
    guard let decimals else { return FieldConverter.number(value) }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return FieldConverter.number((value * scale).rounded() / scale)
  }

  private static func list(_ texts: [String]) -> JSONValue? { texts.isEmpty ? .none : .array(texts.map { .string($0) }) }
}

/// A further page of a search. The provider's page token encodes it as `rows/number/token`.
struct PageToken: Sendable, Hashable {
  /// The number of rows on the pages before.
  var rows: Int
  /// The number of the page, from 1.
  var number: Int
  /// The service's token; nil if it pages by rows or numbers.
  var token: String?
}

extension PageToken {
  /// Throws `badRequest` for a text that is not a token of this provider.
  init(_ text: String) throws(ProviderError) {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let rows = Int(parts[0]), let number = Int(parts[1]), (0...1_000_000).contains(rows),
      (1...10_000).contains(number)
    else { throw ProviderError(.badRequest, "this is not the token of a page of this service") }
    self.init(rows: rows, number: number, token: parts[2].isEmpty ? nil : String(parts[2]))
  }

  var text: String { "\(rows)/\(number)/\(token ?? "")" }
}
