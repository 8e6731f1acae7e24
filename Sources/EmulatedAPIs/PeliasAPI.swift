import JSON
import PlacesAPI
import PlacesKit
import Text

/// Pelias's API (github.com/pelias/documentation): `/v1/autocomplete`, `/v1/search`, `/v1/search/structured`, `/v1/reverse`, `/v1/place`.
enum PeliasAPI {
  static func plan(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    switch request.path {
    case ["autocomplete"]: search(request, context, text: request.query["text"], isAsYouType: true)
    case ["search"]: search(request, context, text: request.query["text"], isAsYouType: false)
    case ["search", "structured"]: search(request, context, text: structuredText(request.query), isAsYouType: false)
    case ["reverse"]: reverse(request, context)
    case ["place"]: place(request, context)
    default: .answer(failure(404, EmulatedAPIs.unknownPath, Envelope(context)))
    }
  }

  /// The content of the reply besides the features.
  private struct Envelope: Sendable {
    var now: Double
    var version: String
    /// The parameters of the request, as Pelias names them.
    var query: [(key: String, value: JSONValue)] = []
    var warnings: [String] = []

    init(_ context: EmulationContext) {
      now = context.now
      version = context.version
    }
  }

  /// The maximum length of a text in code points, as in Pelias.
  private static let maxTextLength = 140

  /// - Parameter isAsYouType: true if a user may still be typing the text.
  private static func search(_ request: GatewayRequest, _ context: EmulationContext, text: String?, isAsYouType: Bool) -> Plan {
    var envelope = Envelope(context)
    guard let text = PlaceQuery.text(text, limit: maxTextLength) else {
      return .answer(failure(400, "invalid param 'text': text length, must be >0", envelope))
    }
    if let wholeText = PlaceQuery.text(request.query["text"]), wholeText.unicodeScalars.count > maxTextLength {
      envelope.warnings.append("param 'text' truncated to \(maxTextLength) characters")
    }
    let size = request.query.integer("size", in: 1...PlaceQuery.maxRows, standard: 10)
    envelope.query = [("text", .string(text)), ("size", .integer(Int64(size)))]
    if let point = PlaceQuery.coordinate(text) { return reverse(request, context, point: point, envelope) }
    let filter = Filter(request.query)
    var parameters = PlaceQuery.search(text, context)
    parameters.limit = filter.isEmpty ? size : PlaceQuery.maxRows
    parameters.language = request.language("lang")
    parameters.countries = PlaceQuery.countries(request.query.list("boundary.country"))
    let query = request.query
    if let low = query.coordinate("boundary.rect.min_lat", "boundary.rect.min_lon"),
      let high = query.coordinate("boundary.rect.max_lat", "boundary.rect.max_lon")
    {
      parameters.restriction = PlaceQuery.rectangle(low, high)
    } else if let center = query.coordinate("boundary.circle.lat", "boundary.circle.lon") {
      // The radius is in kilometres; its default in Pelias is 50.
      parameters.restriction = PlaceQuery.circle(center, radius: (query.number("boundary.circle.radius") ?? 50) * 1_000)
    }
    if let focus = query.coordinate("focus.point.lat", "focus.point.lon") {
      parameters.origin = focus
      if parameters.restriction == nil { parameters.bias = PlaceQuery.circle(focus, radius: 50_000) }
    }
    let calls = [DaemonCall(Search.self, parameters)] + (isAsYouType ? [PlaceQuery.suggestions(for: parameters)] : [])
    return .ask(calls) { [envelope] in render($0, envelope, filter, size: size) }
  }

  /// The parts of a structured query in one line; nil if there are none.
  private static func structuredText(_ query: QueryParameters) -> String? {
    let parts = ["venue", "address", "neighbourhood", "borough", "locality", "county", "region", "postalcode", "country"]
      .compactMap { query[$0] }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func reverse(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    guard let point = request.query.coordinate("point.lat", "point.lon") else {
      return .answer(failure(400, "missing or invalid param 'point.lat' and 'point.lon'", Envelope(context)))
    }
    return reverse(request, context, point: point, Envelope(context))
  }

  private static func reverse(
    _ request: GatewayRequest, _ context: EmulationContext, point: Coordinate, _ envelope: Envelope
  ) -> Plan {
    var envelope = envelope
    let size = request.query.integer("size", in: 1...PlaceQuery.maxRows, standard: 10)
    let filter = Filter(request.query)
    envelope.query += [("point.lat", .number(point.latitude)), ("point.lon", .number(point.longitude))]
    if !envelope.query.contains(where: { $0.key == "size" }) { envelope.query.append(("size", .integer(Int64(size)))) }
    var parameters = PlaceQuery.reverse(point, context)
    parameters.limit = filter.isEmpty ? size : PlaceQuery.maxRows
    parameters.language = request.language("lang")
    if let radius = request.query.number("boundary.circle.radius"), radius > 0 {
      parameters.radius = min(radius * 1_000, PlaceQuery.maxRadius)
    }
    return .ask([DaemonCall(Reverse.self, parameters)]) { [envelope] in render($0, envelope, filter, size: size) }
  }

  private static func place(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    var envelope = Envelope(context)
    let ids = request.query.list("ids").prefix(50)
    envelope.query = [("ids", .array(ids.map { .string($0) }))]
    let calls = ids.compactMap { placeID($0) }.map { id in
      var parameters = Details.Parameters(id: id, fields: PlaceQuery.fields)
      parameters.language = request.language("lang")
      return DaemonCall(Details.self, parameters)
    }
    if calls.isEmpty { return .answer(failure(400, "invalid param 'ids': expected source:layer:id", envelope)) }
    return .ask(calls) { [envelope] replies in
      var (places, credits): ([FoundPlace], [Credit]) = ([], [])
      for reply in replies {
        guard let result = try? reply.parsed(), let place = result["place"].flatMap({ FoundPlace($0) }), place.location != nil else {
          continue
        }
        places.append(place)
        for credit in Credit.list(result["attributions"]) where !credits.contains(credit) { credits.append(credit) }
      }
      return collection(places, envelope, credits: credits)
    }
  }

  /// The id `source:id` for a `gid` of the form `source:layer:id`; nil for any other form.
  private static func placeID(_ gid: String) -> PlaceID? {
    let parts = gid.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    return PlaceID("\(parts[0]):\(parts[2])")
  }

  // MARK: Answers

  /// - Parameter replies: the reply to the search; if a user may be typing, also the reply to `PlaceQuery.suggestions`.
  private static func render(_ replies: [DaemonReply], _ envelope: Envelope, _ filter: Filter, size: Int) -> GatewayResponse {
    let result: JSONValue
    do throws(DaemonFailure) { result = try (replies.first ?? .failure(.unreachable)).parsed() } catch {
      return failure(error.status, error.message, envelope, retryAfter: error.retryAfterHeader)
    }
    let rows = FoundPlace.rows(result, suggestions: replies.dropFirst().first)
    let places = rows.filter { $0.location != nil && filter.admits($0) }.prefix(size)
    return collection(Array(places), envelope, credits: Credit.list(result["attributions"]))
  }

  private static func failure(_ status: Int, _ message: String, _ envelope: Envelope, retryAfter: Int? = nil) -> GatewayResponse {
    .json(status, retryAfter: retryAfter) { write([], envelope, credits: [], errors: [message], to: &$0) }
  }

  private static func collection(_ places: [FoundPlace], _ envelope: Envelope, credits: [Credit]) -> GatewayResponse {
    .json(reserving: 512 + 768 * places.count) { write(places, envelope, credits: credits, errors: [], to: &$0) }
  }

  private static func write(
    _ places: [FoundPlace], _ envelope: Envelope, credits: [Credit], errors: [String], to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.key("geocoding")
      writer.object { writer in
        writer.member("version", "0.2")
        writer.member("attribution", Credit.line(credits))
        writer.key("query")
        writer.object { writer in for (key, value) in envelope.query { writer.member(key, value) } }
        if !envelope.warnings.isEmpty { writer.strings("warnings", envelope.warnings) }
        if !errors.isEmpty { writer.strings("errors", errors) }
        writer.key("engine")
        writer.object { writer in
          writer.member("name", "placesd")
          writer.member("version", envelope.version)
        }
        writer.member("timestamp", Int(envelope.now * 1_000))
      }
      writer.member("type", "FeatureCollection")
      writer.key("features")
      writer.array { writer in for (index, place) in places.enumerated() { write(place, index, to: &writer) } }
      if let bounds = boundingBox(of: places) { writer.box(bounds) }
    }
  }

  private static func write(_ place: FoundPlace, _ index: Int, to writer: inout JSONWriter) {
    guard let location = place.location else { return }
    let (address, layer) = (Address(place), layer(of: place))
    let idParts = place.id.split(separator: ":", maxSplits: 1).map(String.init)
    let (source, idInSource) = (idParts.first ?? "", idParts.count > 1 ? idParts[1] : "")
    writer.object { writer in
      writer.member("type", "Feature")
      writer.key("geometry")
      writer.point(location)
      writer.key("properties")
      writer.object { writer in
        writer.member("id", idInSource)
        writer.member("gid", "\(source):\(layer):\(idInSource)")
        writer.member("layer", layer)
        writer.member("source", source)
        writer.member("source_id", idInSource)
        if let code = address.countryCode { writer.member("country_code", code) }
        writer.member("name", place.title)
        if let value = address.houseNumber { writer.member("housenumber", value) }
        if let value = address.road { writer.member("street", value) }
        if let value = address.postcode { writer.member("postalcode", value) }
        writer.member("confidence", confidence(of: place, at: index))
        if place.isPartial { writer.member("match_type", "fallback") }
        // The distance is in kilometres, to the metre.
        if let distance = place.distance { writer.member("distance", distance.rounded() / 1_000) }
        writer.member("accuracy", layer == "venue" || layer == "address" ? "point" : "centroid")
        if let value = address.country { writer.member("country", value) }
        if let value = address.countryCode.flatMap({ CountryCodes.three(of: $0) }) { writer.member("country_a", value) }
        if let value = address.state { writer.member("region", value) }
        if let value = address.stateCode { writer.member("region_a", value) }
        if let value = address.county { writer.member("county", value) }
        if let value = address.city { writer.member("locality", value) }
        if let value = address.suburb { writer.member("borough", value) }
        if let value = address.neighbourhood { writer.member("neighbourhood", value) }
        writer.member("label", label(of: place))
      }
      if let viewport = place.viewport { writer.box(viewport) }
    }
  }

  /// The daemon has no confidence value. This number falls with the position in the daemon's order, for programs that sort by confidence.
  /// It is below one half if and only if a row matches only a part of the text, because programs expect that.
  private static func confidence(of place: FoundPlace, at index: Int) -> Double {
    // In hundredths.
    let (highest, lowest) = place.isPartial ? (48, 10) : (100, 50)
    return Double(max(lowest, highest - 2 * index)) / 100
  }

  /// The formatted address, preceded by the name unless the address contains it.
  private static func label(of place: FoundPlace) -> String {
    guard let address = place.formattedAddress else { return place.title }
    guard let name = place.name, !address.contains(name) else { return address }
    return "\(name), \(address)"
  }

  /// Pelias's layer of a place, which its types determine.
  static func layer(of place: FoundPlace) -> String {
    switch place.level {
    case .country: return "country"
    case .state: return "region"
    case .county: return "county"
    case .city: return "locality"
    case .district: return place.types.contains("postal_code") ? "postalcode" : "borough"
    case .locality: return "neighbourhood"
    case .street: return "street"
    case .house, .other:
      return ["street_address", "premise", "subpremise"].contains(place.type) ? "address" : "venue"
    }
  }

  /// The smallest rectangle that contains all places and does not cross the antimeridian. Nil if there are no places.
  private static func boundingBox(of places: [FoundPlace]) -> Rectangle? {
    let corners = places.flatMap { place in
      place.viewport.map { [$0.low, $0.high] } ?? place.location.map { [$0] } ?? []
    }
    guard let south = corners.map(\.latitude).min(), let north = corners.map(\.latitude).max(),
      let west = corners.map(\.longitude).min(), let east = corners.map(\.longitude).max(),
      let low = Coordinate(latitude: south, longitude: west), let high = Coordinate(latitude: north, longitude: east)
    else { return nil }
    return Rectangle(low: low, high: high)
  }

  /// The parameter `layers`. The gateway applies it, because the daemon does not have Pelias's layers.
  private struct Filter: Sendable {
    var layers: Set<String>

    init(_ query: QueryParameters) {
      var layers = Set(query.list("layers"))
      if layers.remove("coarse") != nil {
        layers.formUnion(["country", "region", "county", "locality", "borough", "neighbourhood", "postalcode"])
      }
      self.layers = layers
    }

    var isEmpty: Bool { layers.isEmpty }
    func admits(_ place: FoundPlace) -> Bool { layers.isEmpty || layers.contains(PeliasAPI.layer(of: place)) }
  }
}

extension JSONWriter {
  mutating func strings(_ key: StaticString, _ values: [String]) {
    self.key(key)
    array { writer in for value in values { writer.string(value) } }
  }
}
