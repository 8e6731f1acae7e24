import JSON
import PlacesAPI
import PlacesKit

/// Google's older web services: `/maps/api/geocode/json` and `/maps/api/place/{autocomplete,textsearch,details}/json`. An error has HTTP
/// status 200 and the member `status` in the body; only the answer for an unknown path has HTTP status 404.
enum GoogleMapsAPI {
  /// - Parameter request: its path is the part after `/maps/api`.
  static func plan(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    switch request.path {
    case ["geocode", "json"]: geocode(request, context)
    case ["place", "autocomplete", "json"]: autocomplete(request)
    case ["place", "textsearch", "json"]: textSearch(request, context)
    case ["place", "details", "json"]: details(request)
    default:
      .answer(
        .json(404) {
          write(
            status: "INVALID_REQUEST", message: "there is no such path, or not in this format; places-gateway(8) lists the paths", to: &$0)
        })
    }
  }

  // MARK: Geocoding

  private static func geocode(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    let query = request.query
    if let id = query["place_id"] {
      guard let id = GoogleIdentifier.decode(id) else { return .answer(invalidRequest("invalid 'place_id'")) }
      var parameters = Details.Parameters(id: id, fields: PlaceQuery.fields)
      parameters.language = request.language("language")
      return .ask(DaemonCall(Details.self, parameters)) { reply in
        placeList(reply, rows: { $0["place"].map { [$0] } ?? [] }, write: writeGeocode)
      }
    }
    if let latlng = query["latlng"] {
      guard let numbers = Decimal.list(latlng, count: 2), let point = Coordinate(latitude: numbers[0], wrapping: numbers[1]) else {
        return .answer(invalidRequest("Invalid request. Invalid 'latlng' parameter."))
      }
      return reverse(request, context, point)
    }
    let components = query["components"].map { componentFilters($0) } ?? []
    let componentText = components.filter { $0.key != "country" }.map(\.value).joined(separator: ", ")
    let country = components.first { $0.key == "country" }?.value
    guard let text = PlaceQuery.text(query["address"]) ?? PlaceQuery.text(componentText) ?? PlaceQuery.text(country) else {
      return .answer(invalidRequest("Invalid request. Missing the 'address', 'components', 'latlng' or 'place_id' parameter."))
    }
    if let point = PlaceQuery.coordinate(text) { return reverse(request, context, point) }
    var parameters = PlaceQuery.search(text, context, forMap: false)
    parameters.limit = 5
    parameters.language = request.language("language")
    parameters.region = query["region"].flatMap { PlaceQuery.countries([$0 == "uk" ? "GB" : $0]).first }
    parameters.countries = country.map { PlaceQuery.countries([$0]) } ?? []
    parameters.bias = query["bounds"].flatMap { area(ofBounds: $0) }
    return .ask(DaemonCall(Search.self, parameters)) { reply in
      placeList(reply, rows: { $0["places"]?.array ?? [] }, write: writeGeocode)
    }
  }

  /// Reads the parameter `bounds`, which has the form `latitude,longitude|latitude,longitude`: the south-west corner and the north-east
  /// corner. The rectangle crosses the antimeridian if its west is greater than its east. If the first corner is not the southern one, the
  /// order is not Google's, and the corners can be any two that are opposite. Nil if the text has another form, or if the area is empty.
  private static func area(ofBounds bounds: String) -> Area? {
    let numberList = bounds.replacing("|", with: ",")
    guard let numbers = Decimal.list(numberList, count: 4),
      let southWest = Coordinate(latitude: numbers[0], wrapping: numbers[1]),
      let northEast = Coordinate(latitude: numbers[2], wrapping: numbers[3])
    else { return nil }
    guard southWest.latitude <= northEast.latitude else { return PlaceQuery.rectangle(southWest, northEast) }
    let rectangle = Rectangle(low: southWest, high: northEast)
    return rectangle.isEmpty ? nil : .rectangle(rectangle)
  }

  private static func reverse(_ request: GatewayRequest, _ context: EmulationContext, _ point: Coordinate) -> Plan {
    var parameters = PlaceQuery.reverse(point, context, forMap: false)
    parameters.language = request.language("language")
    parameters.types = GooglePlacesAPI.types(request.query["result_type"].map { .string($0) })
    return .ask(DaemonCall(Reverse.self, parameters)) { reply in
      placeList(reply, rows: { $0["places"]?.array ?? [] }, write: writeGeocode)
    }
  }

  /// Reads the parameter `components`, which has the form `key:value|key:value`.
  private static func componentFilters(_ components: String) -> [(key: String, value: String)] {
    components.split(separator: "|").compactMap { part in
      let keyAndValue = part.split(separator: ":", maxSplits: 1).map { String($0.trimmed) }
      return keyAndValue.count == 2 ? (keyAndValue[0], keyAndValue[1]) : nil
    }
  }

  private static func writeGeocode(_ place: FoundPlace, to writer: inout JSONWriter) {
    writer.object { writer in
      writeComponents(place, to: &writer)
      writer.member("formatted_address", label(of: place))
      writeGeometry(place, hasLocationType: true, to: &writer)
      writer.member("place_id", GoogleIdentifier.encode(place.id))
      if place.isPartial { writer.member("partial_match", true) }
      writer.strings("types", politicalTypes(place.types))
      if !place.credits.isEmpty { writer.strings("html_attributions", place.credits.map(\.html)) }
    }
  }

  /// The formatted address, preceded by the name unless the address contains it; the title of a place without a formatted address.
  private static func label(of place: FoundPlace) -> String {
    guard let address = place.formattedAddress else { return place.title }
    guard let name = place.name, !address.contains(name) else { return address }
    return "\(name), \(address)"
  }

  private static func writeComponents(_ place: FoundPlace, to writer: inout JSONWriter) {
    writer.key("address_components")
    writer.array { writer in
      for component in place.components {
        writer.object { writer in
          writer.member("long_name", component.long)
          writer.member("short_name", component.short)
          writer.strings("types", politicalTypes(component.types))
        }
      }
    }
  }

  private static func writeGeometry(_ place: FoundPlace, hasLocationType: Bool, to writer: inout JSONWriter) {
    guard let location = place.location, let bounds = place.bounds else { return }
    writer.key("geometry")
    writer.object { writer in
      writer.key("location")
      writer.latLng(location)
      if hasLocationType {
        let isAddress = ["street_address", "premise", "subpremise"].contains(place.type)
        let locationType = place.level >= .street ? "GEOMETRIC_CENTER" : "APPROXIMATE"
        writer.member("location_type", isAddress ? "ROOFTOP" : locationType)
      }
      writer.key("viewport")
      writer.object { writer in
        writer.key("northeast")
        writer.latLng(bounds.high)
        writer.key("southwest")
        writer.latLng(bounds.low)
      }
    }
  }

  /// The types and, for a country, a region, a town or a part of a town, Google's additional type `political`.
  private static func politicalTypes(_ types: [String]) -> [String] {
    let isPolitical = types.contains { type in
      type == "country" || type == "locality" || type == "neighborhood" || type.hasPrefix("administrative_area")
        || type.hasPrefix("sublocality")
    }
    return isPolitical && !types.contains("political") ? types + ["political"] : types
  }

  // MARK: Places

  private static func autocomplete(_ request: GatewayRequest) -> Plan {
    let query = request.query
    guard let input = PlaceQuery.text(query["input"]) else { return .answer(invalidRequest("missing 'input'")) }
    var parameters = Autocomplete.Parameters(query: input)
    parameters.limit = 5
    parameters.kinds = [.place]
    parameters.language = request.language("language")
    parameters.region = query["region"].flatMap { PlaceQuery.countries([$0]).first }
    parameters.types = GooglePlacesAPI.types(query["types"].map { .string($0) })
    let components = query["components"].map { componentFilters($0) } ?? []
    parameters.countries = PlaceQuery.countries(components.filter { $0.key == "country" }.map(\.value))
    if let numbers = query["location"].flatMap({ Decimal.list($0, count: 2) }),
      let center = Coordinate(latitude: numbers[0], wrapping: numbers[1])
    {
      let area = PlaceQuery.circle(center, radius: query.number("radius") ?? 50_000)
      if query.isSet("strictbounds") { parameters.restriction = area } else { parameters.bias = area }
    }
    if let numbers = query["origin"].flatMap({ Decimal.list($0, count: 2) }) {
      parameters.origin = Coordinate(latitude: numbers[0], wrapping: numbers[1])
    }
    let offset = query.integer("offset", in: 0...256, standard: 0)
    if offset > 0, offset <= input.unicodeScalars.count { parameters.inputOffset = offset }
    parameters.session = GoogleIdentifier.session(query["sessiontoken"])
    return .ask(DaemonCall(Autocomplete.self, parameters)) { reply in
      answer(reply) { result, writer in
        let rows = (result["suggestions"]?.array ?? []).filter { $0["id"] != nil }
        writer.member("status", rows.isEmpty ? "ZERO_RESULTS" : "OK")
        writer.key("predictions")
        writer.array { writer in for row in rows { writePrediction(row, to: &writer) } }
        let credits = Credit.list(result["attributions"])
        if !credits.isEmpty { writer.strings("html_attributions", credits.map(\.html)) }
      }
    }
  }

  private static func writePrediction(_ row: JSONValue, to writer: inout JSONWriter) {
    let text = row["text"]?["text"]?.string ?? ""
    let id = GoogleIdentifier.encode(row["id"]?.string ?? "")
    writer.object { writer in
      writer.member("description", text)
      if let distance = row["distance"]?.double { writer.member("distance_meters", Int(min(distance, 1e9).rounded())) }
      writeSubstrings("matched_substrings", row["text"]?["matches"], to: &writer)
      writer.member("place_id", id)
      writer.member("reference", id)
      writer.key("structured_formatting")
      writer.object { writer in
        let main = row["primary"] ?? row["text"]
        writer.member("main_text", main?["text"]?.string ?? text)
        writeSubstrings("main_text_matched_substrings", main?["matches"], to: &writer)
        if let secondary = row["secondary"]?["text"]?.string { writer.member("secondary_text", secondary) }
      }
      writer.key("terms")
      writer.array { writer in
        var offset = 0
        for term in text.split(separator: ", ", omittingEmptySubsequences: false) {
          writer.object { writer in
            writer.member("offset", offset)
            writer.member("value", String(term))
          }
          // The separator has two characters.
          offset += term.unicodeScalars.count + 2
        }
      }
      writer.strings("types", politicalTypes(row["types"]?.array?.compactMap(\.string) ?? []))
    }
  }

  private static func writeSubstrings(_ key: StaticString, _ matches: JSONValue?, to writer: inout JSONWriter) {
    writer.key(key)
    writer.array { writer in
      for match in matches?.array ?? [] {
        guard let start = match["start"]?.integer, let end = match["end"]?.integer, start <= end else { continue }
        writer.object { writer in
          writer.member("length", end - start)
          writer.member("offset", start)
        }
      }
    }
  }

  private static func textSearch(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    let query = request.query
    guard let text = PlaceQuery.text(query["query"]) else { return .answer(invalidRequest("missing 'query'")) }
    var parameters = PlaceQuery.search(text, context, forMap: false)
    parameters.language = request.language("language")
    parameters.region = query["region"].flatMap { PlaceQuery.countries([$0]).first }
    parameters.includedType = GooglePlacesAPI.types(query["type"].map { .string($0) }).types.first
    parameters.openNow = query.isSet("opennow")
    // Google bills this filter too, so the client accepts its price.
    parameters.allowPrice = parameters.openNow
    if let numbers = query["location"].flatMap({ Decimal.list($0, count: 2) }),
      let center = Coordinate(latitude: numbers[0], wrapping: numbers[1])
    {
      parameters.bias = PlaceQuery.circle(center, radius: query.number("radius") ?? 50_000)
    }
    parameters.pageToken = query["pagetoken"].flatMap { $0.utf8.count <= 1_024 ? $0 : nil }
    return .ask(DaemonCall(Search.self, parameters)) { reply in
      placeList(reply, hasPages: true, rows: { $0["places"]?.array ?? [] }, write: writePlace)
    }
  }

  private static func details(_ request: GatewayRequest) -> Plan {
    guard let id = request.query.first("place_id", "placeid").flatMap({ GoogleIdentifier.decode($0) }) else {
      return .answer(invalidRequest("missing or invalid 'place_id'"))
    }
    let requestedNames = request.query.list("fields")
    var parameters = Details.Parameters(id: id, fields: PlaceQuery.fields)
    // Without a mask, Google's older service returns and bills all fields. Here, only fields that cost nothing extra are returned.
    let fieldsByMember: [(String, PlaceField)] = [
      ("website", .website), ("international_phone_number", .phoneNumber), ("formatted_phone_number", .phoneNumber),
      ("opening_hours", .openingHours), ("rating", .rating), ("user_ratings_total", .userRatingsTotal), ("plus_code", .plusCode),
    ]
    for (name, field) in fieldsByMember where requestedNames.contains(name) { parameters.fields.insert(field) }
    parameters.language = request.language("language")
    parameters.session = GoogleIdentifier.session(request.query["sessiontoken"])
    return .ask(DaemonCall(Details.self, parameters)) { reply in
      answer(reply) { result, writer in
        guard let place = result["place"].flatMap({ FoundPlace($0) }) else {
          writer.member("status", "NOT_FOUND")
          return
        }
        writer.member("status", "OK")
        writer.strings("html_attributions", Credit.list(result["attributions"]).map(\.html))
        writer.key("result")
        writePlace(place, to: &writer)
      }
    }
  }

  private static func writePlace(_ place: FoundPlace, to writer: inout JSONWriter) {
    writer.object { writer in
      writeComponents(place, to: &writer)
      writer.member("formatted_address", place.formattedAddress ?? place.title)
      writeGeometry(place, hasLocationType: false, to: &writer)
      writer.member("name", place.title)
      writer.member("place_id", GoogleIdentifier.encode(place.id))
      writer.member("reference", GoogleIdentifier.encode(place.id))
      writer.strings("types", politicalTypes(place.types))
      if let website = place.row["website"] { writer.member("website", website) }
      if let phone = place.row["phoneNumber"] {
        writer.member("formatted_phone_number", phone)
        writer.member("international_phone_number", phone)
      }
      if let rating = place.row["rating"] { writer.member("rating", rating) }
      if let count = place.row["userRatingsTotal"] { writer.member("user_ratings_total", count) }
      if let global = place.row["plusCode"]?["global"] {
        writer.key("plus_code")
        writer.object { $0.member("global_code", global) }
      }
      if let lines = place.row["openingHours"]?["weekdayText"] {
        writer.key("opening_hours")
        writer.object { $0.member("weekday_text", lines) }
      }
    }
  }

  // MARK: Answers

  private static func invalidRequest(_ message: String) -> GatewayResponse {
    .json { write(status: "INVALID_REQUEST", message: message, to: &$0) }
  }

  private static func write(status: String, message: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("status", status)
      writer.member("error_message", message)
      for list in ["results", "predictions", "html_attributions"] { writer.member(list, .array([])) }
    }
  }

  /// A response with the members that `body` writes or, if the daemon failed, with Google's status for the failure.
  private static func answer(_ reply: DaemonReply, _ body: (JSONValue, inout JSONWriter) -> Void) -> GatewayResponse {
    do throws(DaemonFailure) {
      let result = try reply.parsed()
      return .json { writer in writer.object { body(result, &$0) } }
    } catch {
      let status =
        switch error.name {
        case .notFound: "NOT_FOUND"
        case .quotaExceeded: "OVER_QUERY_LIMIT"
        case .permissionDenied: "REQUEST_DENIED"
        case .invalidParams, .unsupported: "INVALID_REQUEST"
        default: "UNKNOWN_ERROR"
        }
      return .json { write(status: status, message: error.message, to: &$0) }
    }
  }

  /// A response with a list of places, and a status that shows whether the list is empty.
  /// - Parameter hasPages: true for an API that has further pages; Geocoding has none.
  private static func placeList(
    _ reply: DaemonReply, hasPages: Bool = false, rows: (JSONValue) -> [JSONValue], write: (FoundPlace, inout JSONWriter) -> Void
  ) -> GatewayResponse {
    answer(reply) { result, writer in
      let places = rows(result).compactMap { FoundPlace($0) }.filter { $0.location != nil }
      writer.strings("html_attributions", Credit.list(result["attributions"]).map(\.html))
      writer.key("results")
      writer.array { writer in for place in places { write(place, &writer) } }
      if hasPages, let token = result["nextPageToken"]?.string { writer.member("next_page_token", token) }
      writer.member("status", places.isEmpty ? "ZERO_RESULTS" : "OK")
    }
  }
}

extension JSONWriter {
  fileprivate mutating func latLng(_ location: Coordinate) {
    object { writer in
      writer.member("lat", location.latitude)
      writer.member("lng", location.longitude)
    }
  }
}
