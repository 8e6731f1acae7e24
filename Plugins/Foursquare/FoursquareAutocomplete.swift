import PlacesKit

/// `GET /autocomplete`.
enum FoursquareAutocomplete {
  static func request(for request: AutocompleteRequest, preferring kind: String? = nil) -> HTTPRequest {
    var query = [HTTPRequest.Item("query", request.query)]
    if let area = request.restriction ?? request.bias {
      query += FoursquareRequests.around(area, atMost: 100_000)
    } else {
      query.append(FoursquareRequests.nowhere)
    }
    // Every row type is asked for unless only one kind is wanted: rows of cities and of queries are told apart by `type`.
    if request.kinds == [.place] { query.append(.init("types", "place,geo")) }
    if request.kinds == [.query] { query.append(.init("types", "search")) }
    if let kind { query.append(.init("bias", kind)) }
    if let token = request.sessionToken { query.append(.init("session_token", token)) }
    query.append(.init("limit", String(min(max(request.limit, 1), 50))))
    return FoursquareRequests.get(["autocomplete"], query: query)
  }

  static func page(from response: HTTPResponse, for request: AutocompleteRequest) throws(ProviderError) -> Page<Suggestion> {
    let body = try FoursquareErrors.body(of: response)
    guard let results = body["results"]?.array else { throw ProviderError(.decode, "Foursquare's answer holds no results") }
    let rows = results.compactMap(suggestion).filter { request.kinds.contains($0.kind) }
    return Page(rows: Array(rows.prefix(request.limit)))
  }

  /// Nil for a row without a text; every other member may be missing.
  private static func suggestion(_ row: JSONValue) -> Suggestion? {
    guard let primary = text(row["text"]) else { return nil }
    let secondary = row["text"]?["secondary"]?.string.flatMap { $0.isEmpty ? nil : FormattedText($0) }
    let whole = FormattedText(secondary.map { "\(primary.text), \($0.text)" } ?? primary.text, matches: primary.matches)
    switch row["type"]?.string {
    case "place":
      guard let place = row["place"].flatMap({ FoursquarePlace.place(from: $0, fields: [.name]) }) else { return nil }
      return Suggestion(
        kind: .place, id: place.id, text: whole, primary: primary, secondary: secondary, types: place.types, location: place.location,
        evidence: place.evidence)
    case "geo":
      return region(row["geo"], text: whole, primary: primary, secondary: secondary)
    default:
      return Suggestion(kind: .query, text: whole, primary: primary, secondary: secondary)
    }
  }

  /// How an id begins that is none of Foursquare's.
  static let regionPrefix = "geo:"

  /// Cities and countries have no id at Foursquare: one is made of what does not change, and details refuses it.
  private static func region(_ geo: JSONValue?, text: FormattedText, primary: FormattedText, secondary: FormattedText?) -> Suggestion {
    var row = Suggestion(kind: .place, text: text, primary: primary, secondary: secondary)
    if let latitude = geo?["center"]?["latitude"]?.double, let longitude = geo?["center"]?["longitude"]?.double {
      row.location = Coordinate(latitude: latitude, longitude: longitude)
    }
    row.evidence.country = geo?["cc"]?.string.flatMap { $0.count == 2 ? $0.uppercased() : nil }
    let point = row.location?.rounded(decimals: 4)
    let position = point.map { "\($0.latitude),\($0.longitude)" } ?? ""
    row.id = "\(regionPrefix)\(row.evidence.country ?? ""):\(geo?["name"]?.string ?? primary.text)@\(position)"
    row.types = [kind(of: geo?["type"]?.string)]
    return row
  }

  private static func kind(of word: String?) -> PlaceType {
    switch word {
    case "country": "country"
    case "region", "admin1": "administrative_area_level_1"
    case "county", "admin2": "administrative_area_level_2"
    case "neighborhood": "neighborhood"
    case "postal_code", "postalcode": "postal_code"
    default: "locality"
    }
  }

  /// `highlight` is start and length into the primary text, taken as code points; what does not fit is dropped.
  private static func text(_ value: JSONValue?) -> FormattedText? {
    guard let primary = value?["primary"]?.string, !primary.isEmpty else { return nil }
    let length = primary.unicodeScalars.count
    var matches: [TextRange] = []
    for highlight in value?["highlight"]?.array ?? [] {
      guard let start = highlight["start"]?.integer, let count = highlight["length"]?.integer, count > 0, start >= (matches.last?.end ?? 0),
        start < length, count <= length - start
      else { continue }
      matches.append(TextRange(start: start, end: start + count))
    }
    return FormattedText(primary, matches: matches)
  }
}
