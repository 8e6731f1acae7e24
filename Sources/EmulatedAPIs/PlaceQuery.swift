import PlacesAPI
import PlacesKit
import Text

/// Converts parameters of other APIs to those of the daemon. A value that the daemon would reject is replaced by the nearest accepted one,
/// or omitted.
enum PlaceQuery {
  /// The fields that the answers of every emulated API contain.
  static let fields: Set<PlaceField> = [.name, .addressComponents, .formattedAddress, .coordinate, .types, .viewport]
  /// The maximum number of rows of a search or a reverse request.
  static let maxRows = 20
  /// The maximum radius of a circle or a reverse request, in metres.
  static let maxRadius = 50_000.0

  /// The text of a query, truncated to `limit` code points, with spaces in place of control characters; nil if nothing remains.
  static func text(_ text: String?, limit: Int = 256) -> String? {
    guard let text else { return nil }
    var cleaned = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { break }
      let isControl = scalar.properties.generalCategory == .control
      cleaned.unicodeScalars.append(isControl ? " " : scalar)
      count += 1
    }
    let trimmed = cleaned.trimmed
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// The point that a query names by a latitude and a longitude in decimal degrees; nil for any other text. Two whole numbers without a
  /// comma are not a point, because they may be a part of an address.
  static func coordinate(_ text: String) -> Coordinate? {
    guard let numbers = Decimal.list(text, count: 2), text.contains(".") || text.contains(",") else { return nil }
    return Coordinate(latitude: numbers[0], longitude: numbers[1])
  }

  /// The two-letter codes, in upper case, of the countries that CLDR knows; at most 15, which is the daemon's maximum. Three-letter codes
  /// are converted; unknown codes are dropped.
  static func countries(_ codes: [String]) -> [String] {
    let knownCodes = codes.compactMap { code -> String? in
      let twoLetterCode = code.count == 3 ? CountryCodes.two(of: code) ?? code : code
      return RegionCode.canonical(twoLetterCode.uppercased())
    }
    return Array(Set(knownCodes)).sorted().prefix(15).map { $0 }
  }

  /// A circle whose radius is at most the daemon's maximum.
  static func circle(_ center: Coordinate, radius: Double) -> Area { .circle(center: center, radius: min(max(radius, 0), maxRadius)) }

  /// The rectangle between two opposite corners, given in any order. It never crosses the antimeridian. Nil if it contains no point.
  static func rectangle(_ a: Coordinate, _ b: Coordinate) -> Area? {
    guard let low = Coordinate(latitude: min(a.latitude, b.latitude), longitude: min(a.longitude, b.longitude)),
      let high = Coordinate(latitude: max(a.latitude, b.latitude), longitude: max(a.longitude, b.longitude))
    else { return nil }
    let rectangle = Rectangle(low: low, high: high)
    return rectangle.isEmpty ? nil : .rectangle(rectangle)
  }

  /// The rectangle between two opposite corners, given as `x1,y1,x2,y2` in any order; x is a longitude, y a latitude. Numbers outside of
  /// their range are replaced by its nearest bound. Nil if the text has another form.
  static func box(_ text: String?) -> Area? {
    guard let text, let numbers = Decimal.list(text, count: 4) else { return nil }
    guard let a = Coordinate(latitude: min(max(numbers[1], -90), 90), longitude: min(max(numbers[0], -180), 180)),
      let b = Coordinate(latitude: min(max(numbers[3], -90), 90), longitude: min(max(numbers[2], -180), 180))
    else { return nil }
    return rectangle(a, b)
  }

  /// The parameters of a search.
  /// - Parameter forMap: true if clients show the places on another service's map. Then only `mapProviders` are queried.
  static func search(_ text: String, _ context: EmulationContext, forMap: Bool = true) -> Search.Parameters {
    var parameters = Search.Parameters(query: text, fields: fields)
    if forMap { parameters.providers = context.mapProviders }
    return parameters
  }

  /// The call that requests the gazetteer's suggestions for the text of a search.
  static func suggestions(for search: Search.Parameters) -> DaemonCall {
    var parameters = Autocomplete.Parameters(query: search.query)
    parameters.limit = maxRows
    parameters.kinds = [.place]
    parameters.language = search.language
    parameters.countries = search.countries
    (parameters.bias, parameters.restriction, parameters.origin) = (search.bias, search.restriction, search.origin)
    // Only the gazetteer is queried, because a request to another service may cost money.
    parameters.providers = [EmulationContext.gazetteer]
    return DaemonCall(Autocomplete.self, parameters)
  }

  /// The parameters of a reverse request.
  /// - Parameter forMap: as for `search`.
  static func reverse(_ point: Coordinate, _ context: EmulationContext, forMap: Bool = true) -> Reverse.Parameters {
    var parameters = Reverse.Parameters(location: point)
    parameters.fields = fields
    if forMap { parameters.providers = context.mapProviders }
    return parameters
  }
}
