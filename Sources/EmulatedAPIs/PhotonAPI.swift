import JSON
import PlacesAPI
import PlacesKit

/// Photon's API (github.com/komoot/photon, docs/api-v1.md): `/api`, `/structured`, `/reverse`, `/status`.
enum PhotonAPI {
  static func plan(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    switch request.path {
    case ["api"]: search(request, context, text: PlaceQuery.text(request.query["q"]), isAsYouType: true)
    case ["structured"]: structured(request, context)
    case ["reverse"]: reverse(request, context)
    case ["status"]: status(context)
    default: .answer(error(404, EmulatedAPIs.unknownPath))
    }
  }

  static func error(_ status: Int, _ message: String, retryAfter: Int? = nil) -> GatewayResponse {
    .json(status, retryAfter: retryAfter) { $0.object { $0.member("message", message) } }
  }

  /// - Parameter isAsYouType: true if a user may still be typing the text.
  private static func search(_ request: GatewayRequest, _ context: EmulationContext, text: String?, isAsYouType: Bool) -> Plan {
    guard let text else { return .answer(error(400, "missing search term 'q'")) }
    if let point = PlaceQuery.coordinate(text) { return reverse(request, context, point: point) }
    let filter = Filter(request.query)
    let limit = request.query.integer("limit", in: 1...PlaceQuery.maxRows, standard: 15)
    var parameters = PlaceQuery.search(text, context)
    parameters.limit = filter.isEmpty ? limit : PlaceQuery.maxRows
    parameters.includedType = filter.type
    parameters.language = request.language("lang")
    parameters.countries = PlaceQuery.countries(request.query.list("countrycode"))
    parameters.restriction = PlaceQuery.box(request.query["bbox"])
    if parameters.restriction == nil, let center = request.query.coordinate("lat", "lon") {
      parameters.bias = PlaceQuery.circle(center, radius: radius(zoom: request.query.number("zoom")))
    }
    let calls = [DaemonCall(Search.self, parameters)] + (isAsYouType ? [PlaceQuery.suggestions(for: parameters)] : [])
    return .ask(calls) { replies in render(replies, limit: limit) { filter.admits($0) } }
  }

  private static func structured(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    guard let text = structuredText(request.query) else {
      let names = "countrycode, state, county, city, postcode, district, street, housenumber"
      return .answer(error(400, "at least one of these parameters is required: \(names)"))
    }
    return search(request, context, text: text, isAsYouType: false)
  }

  /// The radius in metres of the area that a map shows at a zoom level. It is 20 km, the size of a city, at level 12, and halves with each
  /// further level.
  private static func radius(zoom: Double?) -> Double {
    var radius = 20_000.0
    let steps = Int(min(max(zoom ?? 12, 5), 18)) - 12
    for _ in 0..<abs(steps) { radius *= steps > 0 ? 0.5 : 2 }
    return radius
  }

  /// The parts of a structured query in one line; nil if there are none. The country code is in the text only if there is no other part,
  /// because `search` filters by it.
  private static func structuredText(_ query: QueryParameters) -> String? {
    let street = [query["street"], query["housenumber"]].compactMap { $0 }.joined(separator: " ")
    let town = [query["postcode"], query["city"]].compactMap { $0 }.joined(separator: " ")
    let parts = [street, query["district"] ?? "", town, query["county"] ?? "", query["state"] ?? ""].filter { !$0.isEmpty }
    return PlaceQuery.text(parts.joined(separator: ", ")) ?? PlaceQuery.text(query["countrycode"])
  }

  private static func reverse(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    guard let point = request.query.coordinate("lat", "lon") else {
      return .answer(error(400, "missing or invalid search term 'lat' and/or 'lon': these are degrees as numbers"))
    }
    return reverse(request, context, point: point)
  }

  private static func reverse(_ request: GatewayRequest, _ context: EmulationContext, point: Coordinate) -> Plan {
    let filter = Filter(request.query)
    let limit = request.query.integer("limit", in: 1...PlaceQuery.maxRows, standard: 1)
    var parameters = PlaceQuery.reverse(point, context)
    parameters.limit = filter.isEmpty ? limit : PlaceQuery.maxRows
    parameters.language = request.language("lang")
    // The radius is in kilometres.
    if let radius = request.query.number("radius"), radius > 0 { parameters.radius = min(radius * 1_000, PlaceQuery.maxRadius) }
    return .ask([DaemonCall(Reverse.self, parameters)]) { replies in render(replies, limit: limit) { filter.admits($0) } }
  }

  private static func status(_ context: EmulationContext) -> Plan {
    .ask(DaemonCall(ServiceInfo.self, NoParameters())) { reply in
      do throws(DaemonFailure) { _ = try reply.parsed() } catch {
        return self.error(error.status, error.message, retryAfter: error.retryAfterHeader)
      }
      return .json { writer in
        writer.object { writer in
          writer.member("status", "Ok")
          writer.member("version", context.version)
        }
      }
    }
  }

  /// - Parameter replies: the reply to the search; if a user may be typing, also the reply to `PlaceQuery.suggestions`.
  private static func render(_ replies: [DaemonReply], limit: Int, where admits: (FoundPlace) -> Bool) -> GatewayResponse {
    let result: JSONValue
    do throws(DaemonFailure) { result = try (replies.first ?? .failure(.unreachable)).parsed() } catch {
      return self.error(error.status, error.message, retryAfter: error.retryAfterHeader)
    }
    // Photon returns only places that match the whole query.
    let rows = FoundPlace.rows(result, suggestions: replies.dropFirst().first)
    let places = rows.filter { $0.location != nil && !$0.isPartial && admits($0) }.prefix(limit)
    return .json(reserving: 512 + 512 * places.count) { writer in
      writer.object { writer in
        writer.member("type", "FeatureCollection")
        writer.key("features")
        writer.array { writer in for place in places { write(place, to: &writer) } }
        // Photon has no member for credits, so this is a foreign member, which GeoJSON allows (RFC 7946, section 6.1).
        writer.member("attribution", Credit.line(Credit.list(result["attributions"])))
      }
    }
  }

  private static func write(_ place: FoundPlace, to writer: inout JSONWriter) {
    guard let location = place.location else { return }
    let (address, tag, level) = (Address(place), OSMClassification(place.types), place.level)
    writer.object { writer in
      writer.member("type", "Feature")
      writer.key("properties")
      writer.object { writer in
        if let object = place.object {
          writer.member("osm_type", String(object.kind.rawValue.prefix(1).uppercased()))
          writer.member("osm_id", object.number)
        } else {
          // Programs distinguish places by this number. A negative number without a type is not the id of an OpenStreetMap object, so
          // programs do not link to a wrong object.
          writer.member("osm_id", -place.numericID)
        }
        writer.member("osm_key", tag.key)
        writer.member("osm_value", tag.value)
        writer.member("type", layer(level))
        if let number = address.houseNumber { writer.member("housenumber", number) }
        writer.member("name", place.title)
        if level > .street, let road = address.road { writer.member("street", road) }
        if level > .locality, let value = address.neighbourhood { writer.member("locality", value) }
        if level > .district, let value = address.suburb { writer.member("district", value) }
        if level > .city, let value = address.city { writer.member("city", value) }
        if level > .county, let value = address.county { writer.member("county", value) }
        if level > .state, let value = address.state { writer.member("state", value) }
        if let value = address.country { writer.member("country", value) }
        if let value = address.postcode { writer.member("postcode", value) }
        if let value = address.countryCode { writer.member("countrycode", value) }
        if let viewport = place.viewport {
          writer.key("extent")
          writer.array { writer in
            for number in [viewport.low.longitude, viewport.high.latitude, viewport.high.longitude, viewport.low.latitude] {
              writer.number(number)
            }
          }
        }
      }
      writer.key("geometry")
      writer.point(location)
    }
  }

  /// Photon's name of a level, for the member `type` of a row and for the parameter `layer`.
  static func layer(_ level: PlaceLevel) -> String {
    switch level {
    case .country: "country"
    case .state: "state"
    case .county: "county"
    case .city: "city"
    case .district: "district"
    case .locality: "locality"
    case .street: "street"
    case .house: "house"
    case .other: "other"
    }
  }

  /// The parameters `osm_tag` and `layer`. The gateway applies them, because the daemon has no such parameters.
  private struct Filter: Sendable {
    var included: [String]
    var excluded: [String]
    var layers: Set<String>

    init(_ query: QueryParameters) {
      let tags = query.all("osm_tag")
      // `!key`, `!key:value` and `:!value` exclude. `key:!value` does not: it includes the key with any other value.
      func isExclusion(_ tag: String) -> Bool { tag.hasPrefix("!") || tag.hasPrefix(":!") }
      excluded = tags.filter { isExclusion($0) }.map { $0.filter { $0 != "!" } }
      included = tags.filter { !isExclusion($0) }
      layers = Set(query.list("layer"))
    }

    var isEmpty: Bool { included.isEmpty && excluded.isEmpty && layers.isEmpty }

    /// The type to send as `includedType`, so that the daemon prefers its places; nil unless the filter requires exactly one tag.
    var type: PlaceType? { included.count == 1 ? OSMClassification.type(ofFilter: included[0]) : nil }

    func admits(_ place: FoundPlace) -> Bool {
      if isEmpty { return true }
      let tag = OSMClassification(place.types)
      return (included.isEmpty || included.contains { tag.matches($0) }) && !excluded.contains { tag.matches($0) }
        && (layers.isEmpty || layers.contains(PhotonAPI.layer(place.level)))
    }
  }
}

extension JSONWriter {
  /// A GeoJSON point.
  mutating func point(_ location: Coordinate) {
    object { writer in
      writer.member("type", "Point")
      writer.key("coordinates")
      writer.array { writer in
        writer.number(location.longitude)
        writer.number(location.latitude)
      }
    }
  }

  /// A GeoJSON bounding box: west, south, east, north.
  mutating func box(_ bounds: Rectangle) {
    key("bbox")
    array { writer in
      for number in [bounds.low.longitude, bounds.low.latitude, bounds.high.longitude, bounds.high.latitude] { writer.number(number) }
    }
  }
}
