import JSON
import PlacesAPI
import PlacesKit

/// Google's Places API (New), as its REST reference describes it: `places:autocomplete`, `places:searchText`, `places:searchNearby` and
/// `places/ID`. The `attributions` of a row name the sources of the row, which need not be Google.
enum GooglePlacesAPI {
  private static let unknownMethod = "there is no such method; places-gateway(8) lists the methods"

  /// - Parameter request: its path is the part after `/v1`.
  static func plan(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    if request.path.count == 2, request.path[0] == "places", request.httpMethod == .get { return details(request) }
    guard request.path.count == 1, request.httpMethod == .post else {
      return .answer(failure(404, unknownMethod))
    }
    let body: JSONValue
    do throws(JSONError) { body = try JSONValue(parsing: request.body, limits: JSONLimits(depth: 16, values: 2_000)) } catch {
      return .answer(failure(400, "Invalid JSON payload received: \(error.message)"))
    }
    switch request.path[0] {
    case "places:autocomplete": return autocomplete(body, request)
    case "places:searchText": return searchText(body, request, context)
    case "places:searchNearby": return searchNearby(body, request, context)
    default: return .answer(failure(404, unknownMethod))
    }
  }

  static func failure(_ status: Int, _ message: String, retryAfter: Int? = nil) -> GatewayResponse {
    let statusName =
      switch status {
      case 400: "INVALID_ARGUMENT"
      case 403: "PERMISSION_DENIED"
      case 404: "NOT_FOUND"
      case 429: "RESOURCE_EXHAUSTED"
      case 504: "DEADLINE_EXCEEDED"
      case 500: "INTERNAL"
      default: "UNAVAILABLE"
      }
    return .json(status, retryAfter: retryAfter) { writer in
      writer.object { writer in
        writer.key("error")
        writer.object { writer in
          writer.member("code", status)
          writer.member("message", message)
          writer.member("status", statusName)
        }
      }
    }
  }

  private static func failure(_ failure: DaemonFailure) -> GatewayResponse {
    self.failure(failure.status, failure.message, retryAfter: failure.retryAfterHeader)
  }

  // MARK: Autocomplete

  private static func autocomplete(_ body: JSONValue, _ request: GatewayRequest) -> Plan {
    guard let input = PlaceQuery.text(body["input"]?.string) else { return .answer(failure(400, "Request contains an empty input.")) }
    var parameters = Autocomplete.Parameters(query: input)
    // Google returns at most five suggestions.
    parameters.limit = 5
    parameters.kinds = body["includeQueryPredictions"]?.boolean == true ? [.place, .query] : [.place]
    parameters.language = LanguageRange.first(of: body["languageCode"]?.string) ?? request.language()
    parameters.region = PlaceQuery.countries([body["regionCode"]?.string ?? ""]).first
    parameters.origin = Coordinate(json: body["origin"])
    parameters.restriction = area(body["locationRestriction"])
    if parameters.restriction == nil { parameters.bias = area(body["locationBias"]) }
    parameters.types = types(body["includedPrimaryTypes"])
    parameters.countries = PlaceQuery.countries(body["includedRegionCodes"]?.array?.compactMap(\.string) ?? [])
    parameters.session = GoogleIdentifier.session(body["sessionToken"]?.string)
    if let offset = body["inputOffset"]?.integer, offset > 0, offset <= input.unicodeScalars.count { parameters.inputOffset = offset }
    return .ask(DaemonCall(Autocomplete.self, parameters)) { reply in
      let result: JSONValue
      do throws(DaemonFailure) { result = try reply.parsed() } catch { return failure(error) }
      return .json { writer in
        writer.object { writer in
          // Google's answer without rows is an empty object.
          guard let rows = result["suggestions"]?.array, !rows.isEmpty else { return }
          writer.key("suggestions")
          writer.array { writer in for row in rows { writePrediction(row, to: &writer) } }
          writeAttributions(Credit.list(result["attributions"]), to: &writer)
        }
      }
    }
  }

  private static func writePrediction(_ row: JSONValue, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key(row["kind"] == "query" ? "queryPrediction" : "placePrediction")
      writer.object { writer in
        if let id = row["id"]?.string {
          writer.member("place", "places/\(GoogleIdentifier.encode(id))")
          writer.member("placeId", GoogleIdentifier.encode(id))
        }
        writer.key("text")
        writeFormatted(row["text"], to: &writer)
        writer.key("structuredFormat")
        writer.object { writer in
          writer.key("mainText")
          writeFormatted(row["primary"] ?? row["text"], to: &writer)
          if let secondary = row["secondary"] {
            writer.key("secondaryText")
            writeFormatted(secondary, to: &writer)
          }
        }
        if let types = row["types"]?.array, !types.isEmpty { writer.member("types", .array(types)) }
        if let distance = row["distance"]?.double, distance >= 1 { writer.member("distanceMeters", Int(distance.rounded())) }
      }
    }
  }

  /// Writes a text and its matches. Offsets count code points, like those of the daemon. Google omits an offset of zero, so it is omitted
  /// here.
  private static func writeFormatted(_ text: JSONValue?, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("text", text?["text"]?.string ?? "")
      guard let matches = text?["matches"]?.array, !matches.isEmpty else { return }
      writer.key("matches")
      writer.array { writer in
        for match in matches {
          writer.object { writer in
            if let start = match["start"]?.integer, start > 0 { writer.member("startOffset", start) }
            writer.member("endOffset", match["end"]?.integer ?? 0)
          }
        }
      }
    }
  }

  /// The filter for Google's type names, given as a list or as a string with `|` between them: one collection, or up to five types. Names
  /// that the type table lacks are ignored.
  static func types(_ value: JSONValue?) -> TypeFilter {
    let names = value?.array?.compactMap(\.string) ?? value?.string.map { $0.split(separator: "|").map(String.init) } ?? []
    if let collection = names.lazy.compactMap({ TypeCollection(rawValue: $0) }).first {
      return TypeFilter(types: [], collection: collection)
    }
    let types = Set(names).sorted().map { PlaceType(rawValue: $0) }.filter(\.isKnown)
    return TypeFilter(types: Array(types.prefix(5)))
  }

  /// `{circle {center, radius}}` or `{rectangle {low, high}}`; nil for anything else.
  static func area(_ value: JSONValue?) -> Area? {
    if let circle = value?["circle"], let center = Coordinate(json: circle["center"]) {
      return PlaceQuery.circle(center, radius: circle["radius"]?.double ?? 5_000)
    }
    guard let low = Coordinate(json: value?["rectangle"]?["low"]), let high = Coordinate(json: value?["rectangle"]?["high"]) else {
      return nil
    }
    let rectangle = Rectangle(low: low, high: high)
    return rectangle.isEmpty ? nil : .rectangle(rectangle)
  }

  // MARK: Searches and details

  private static func searchText(_ body: JSONValue, _ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    guard let mask = GoogleFieldMask(request, prefix: "places") else { return .answer(failure(400, GoogleFieldMask.missing)) }
    guard let text = PlaceQuery.text(body["textQuery"]?.string) else { return .answer(failure(400, "Empty text_query.")) }
    var parameters = PlaceQuery.search(text, context, forMap: false)
    parameters.fields = mask.fields
    parameters.limit = min(max(body["pageSize"]?.integer ?? body["maxResultCount"]?.integer ?? 20, 1), 20)
    parameters.includedType = types(body["includedType"]).types.first
    parameters.strictTypeFiltering = parameters.includedType != nil && body["strictTypeFiltering"]?.boolean == true
    parameters.openNow = body["openNow"]?.boolean == true
    parameters.minRating = body["minRating"]?.double.flatMap { (0...5).contains($0) ? $0 : nil }
    parameters.priceLevels = Set((body["priceLevels"]?.array ?? []).compactMap { priceLevel($0.string) })
    parameters.language = LanguageRange.first(of: body["languageCode"]?.string) ?? request.language()
    parameters.region = PlaceQuery.countries([body["regionCode"]?.string ?? ""]).first
    parameters.restriction = area(body["locationRestriction"])
    if parameters.restriction == nil { parameters.bias = area(body["locationBias"]) }
    switch body["rankPreference"]?.string {
    case "RELEVANCE": parameters.rankBy = .relevance
    case "DISTANCE" where parameters.bias != nil || parameters.restriction != nil: parameters.rankBy = .distance
    default: break
    }
    parameters.pageToken = body["pageToken"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    // Google bills these filters too, so the client accepts their price.
    parameters.allowPrice = true
    return .ask(DaemonCall(Search.self, parameters)) { reply in placeList(reply, mask) }
  }

  private static func searchNearby(_ body: JSONValue, _ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    guard let mask = GoogleFieldMask(request, prefix: "places") else { return .answer(failure(400, GoogleFieldMask.missing)) }
    guard case .circle(let center, let radius)? = area(body["locationRestriction"]) else {
      return .answer(failure(400, "Invalid location_restriction: a circle is required."))
    }
    let typeFilter = types(body["includedTypes"] ?? body["includedPrimaryTypes"])
    let limit = min(max(body["maxResultCount"]?.integer ?? 20, 1), 20)
    let language = LanguageRange.first(of: body["languageCode"]?.string) ?? request.language()
    // A search returns the most important places of the circle, as Google does. It accepts only one type, so a request with several types
    // becomes a reverse request.
    if typeFilter.collection == nil, typeFilter.types.count == 1, radius > 0 {
      var parameters = PlaceQuery.search("", context, forMap: false)
      parameters.includedType = typeFilter.types.first
      parameters.strictTypeFiltering = true
      parameters.restriction = PlaceQuery.circle(center, radius: radius)
      parameters.rankBy = body["rankPreference"]?.string == "DISTANCE" ? .distance : nil
      parameters.fields = mask.fields
      parameters.limit = limit
      parameters.language = language
      // Google bills the type too, so the client accepts its price.
      parameters.allowPrice = true
      return .ask(DaemonCall(Search.self, parameters)) { reply in placeList(reply, mask) }
    }
    var parameters = PlaceQuery.reverse(center, context, forMap: false)
    parameters.radius = radius
    parameters.fields = mask.fields
    parameters.types = typeFilter
    parameters.limit = limit
    parameters.language = language
    return .ask(DaemonCall(Reverse.self, parameters)) { reply in placeList(reply, mask) }
  }

  private static func placeList(_ reply: DaemonReply, _ mask: GoogleFieldMask) -> GatewayResponse {
    let result: JSONValue
    do throws(DaemonFailure) { result = try reply.parsed() } catch { return failure(error) }
    return .json { writer in
      writer.object { writer in
        let places = FoundPlace.rows(result)
        guard !places.isEmpty else { return }
        writer.key("places")
        writer.array { writer in for place in places { write(place, mask, to: &writer) } }
        if let token = result["nextPageToken"]?.string { writer.member("nextPageToken", token) }
      }
    }
  }

  private static func details(_ request: GatewayRequest) -> Plan {
    guard let mask = GoogleFieldMask(request, prefix: nil) else { return .answer(failure(400, GoogleFieldMask.missing)) }
    guard let id = GoogleIdentifier.decode(request.path[1]) else { return .answer(failure(404, "The Place ID is no longer valid.")) }
    var parameters = Details.Parameters(id: id, fields: mask.fields)
    parameters.language = request.language("languageCode")
    parameters.region = PlaceQuery.countries([request.query["regionCode"] ?? ""]).first
    parameters.session = GoogleIdentifier.session(request.query["sessionToken"])
    return .ask(DaemonCall(Details.self, parameters)) { reply in
      let result: JSONValue
      do throws(DaemonFailure) { result = try reply.parsed() } catch { return failure(error) }
      guard let place = result["place"].flatMap({ FoundPlace($0) }) else { return failure(404, "The Place ID is no longer valid.") }
      return .json { write(place, mask, to: &$0) }
    }
  }

  static func priceLevel(_ name: String?) -> PriceLevel? {
    guard let name, name.hasPrefix("PRICE_LEVEL_") else { return nil }
    return PriceLevel(rawValue: name.dropFirst("PRICE_LEVEL_".count).lowercased())
  }

  static func writeAttributions(_ credits: [Credit], to writer: inout JSONWriter) {
    guard !credits.isEmpty else { return }
    writer.key("attributions")
    writer.array { writer in
      for credit in credits {
        writer.object { writer in
          writer.member("provider", credit.text)
          if let url = credit.url { writer.member("providerUri", url) }
        }
      }
    }
  }
}
