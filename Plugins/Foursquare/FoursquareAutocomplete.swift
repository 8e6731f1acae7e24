import PlacesKit

/// `GET /autocomplete`.
enum FoursquareAutocomplete {
  /// The least number of characters of a query.
  static let minQueryLength = 3

  /// - Parameter preferredType: the type of rows that Foursquare ranks higher. It is Foursquare's parameter `bias`, which is not an area.
  static func request(for request: AutocompleteRequest, preferredType: String? = nil) throws(ProviderError) -> HTTPRequest {
    var query = [HTTPRequest.Item("query", request.query)]
    // Without `ll`, Foursquare prefers places near the network address of this machine.
    if let area = request.restriction ?? request.bias { query += FoursquareRequests.circle(around: area) }
    let rowTypes = try possibleRowTypes(for: request)
    if rowTypes.count < RowType.allCases.count { query.append(.init("types", rowTypes.map(\.rawValue).joined(separator: ","))) }
    if let preferredType { query.append(.init("bias", preferredType)) }
    if let token = request.sessionToken { query.append(.init("session_token", token)) }
    // If `page` may drop rows, as many as possible are requested.
    let isFiltered = !request.types.isEmpty || request.collection != nil
    query.append(.init("limit", String(isFiltered ? FoursquareRequests.maxRows : FoursquareRequests.rowCount(request.limit))))
    return FoursquareRequests.get(["autocomplete"], query: query)
  }

  /// The types of a row: a place, a region, or a text to search for.
  private enum RowType: String, CaseIterable { case place, geo, search }

  /// The types of the rows that can pass the request's filters, in Foursquare's order.
  private static func possibleRowTypes(for request: AutocompleteRequest) throws(ProviderError) -> [RowType] {
    var (wantsPlaces, wantsRegions) = (true, true)
    if let collection = request.collection {
      wantsPlaces = collection == .establishment
      wantsRegions = [.regions, .cities, .geocode].contains(collection)
    } else if !request.types.isEmpty {
      let groups = request.types.map(\.group)
      wantsPlaces = groups.contains { $0 != .region && $0 != .address }
      wantsRegions = groups.contains(.region)
    }
    // A request for neither places nor regions is for addresses only.
    guard wantsPlaces || wantsRegions else { throw ProviderError(.unsupported, "Foursquare suggests no addresses", detail: "types") }
    return RowType.allCases.filter { type in
      switch type {
      case .place: wantsPlaces && request.kinds.contains(.place)
      case .geo: wantsRegions && request.kinds.contains(.place)
      // A text to search for may name a category of places.
      case .search: wantsPlaces && request.kinds.contains(.query)
      }
    }
  }

  static func page(from response: HTTPResponse, for request: AutocompleteRequest) throws(ProviderError) -> Page<Suggestion> {
    let body = try FoursquareErrors.body(of: response)
    guard let results = body["results"]?.array else { throw ProviderError(.decode, "Foursquare's answer contains no results") }
    let rows = results.compactMap(suggestion).filter { request.kinds.contains($0.kind) && passes($0.types, request) }
    return Page(rows: Array(rows.prefix(request.limit)))
  }

  /// True if a row of these types passes the request's type filters. Foursquare itself filters only by `RowType`.
  private static func passes(_ types: [PlaceType], _ request: AutocompleteRequest) -> Bool {
    if !request.types.isEmpty, !types.contains(where: { $0.isKind(of: request.types) }) { return false }
    return request.collection?.contains(types) ?? true
  }

  /// The suggestion of a row; nil if the row has no text. Every other member may be missing.
  private static func suggestion(_ row: JSONValue) -> Suggestion? {
    guard let primary = text(row["text"]) ?? row["search"]?["query"]?.string.flatMap({ $0.isEmpty ? nil : FormattedText($0) }) else {
      return nil
    }
    let secondary = row["text"]?["secondary"]?.string.flatMap { $0.isEmpty ? nil : FormattedText($0) }
    let label = FormattedText(secondary.map { "\(primary.text), \($0.text)" } ?? primary.text, matches: primary.matches)
    switch row["type"]?.string {
    case "place":
      guard let place = FoursquarePlace.place(from: row["place"] ?? [:], fields: [.name], id: id(link: row["link"])) else { return nil }
      return Suggestion(
        kind: .place, id: place.id, text: label, primary: primary, secondary: secondary, types: place.types, location: place.location,
        iconImageURL: FoursquarePlace.icon(categories: row["place"]?["categories"]), evidence: place.evidence)
    case "geo":
      let region = FoursquareRegion(row["geo"], primary: primary.text, secondary: secondary?.text)
      var suggestion = Suggestion(
        kind: .place, id: region.id, text: label, primary: primary, secondary: secondary, types: [region.type], location: region.location,
        viewport: region.bounds)
      suggestion.evidence.country = region.country
      return suggestion
    default:
      let category: JSONValue? = row["search"]?["category"].map { [$0] }
      return Suggestion(
        kind: .query, text: label, primary: primary, secondary: secondary, types: FoursquareTypes.types(from: category),
        iconImageURL: FoursquarePlace.icon(categories: category))
    }
  }

  /// The id in a link such as `/places/4b05…`, which is the path of a details call.
  private static func id(link: JSONValue?) -> String? {
    guard let parts = link?.string?.split(separator: "/"), parts.count == 2, parts[0] == "places" else { return nil }
    let id = String(parts[1])
    return FoursquareDetails.isID(id) ? id : nil
  }

  /// The primary text with its matches; nil if it is missing. `highlight` contains the start and the length of each match, which are read
  /// as code points. A match that does not fit the text is dropped.
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
