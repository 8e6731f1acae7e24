import JSON
import PlacesAPI
import PlacesKit

/// Nominatim's API (nominatim.org/release-docs, 5.x): `/search`, `/reverse`, `/lookup`, `/status`, each also with `.php`.
enum NominatimAPI {
  static func plan(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    guard request.path.count == 1, let name = request.path.first else {
      return .answer(failure(.jsonv2, 404, EmulatedAPIs.unknownPath))
    }
    switch name.hasSuffix(".php") ? String(name.dropLast(4)) : name {
    case "search": return search(request, context)
    case "reverse": return reverse(request, context)
    case "lookup": return lookup(request, context)
    case "status": return status(request)
    default: return .answer(failure(.jsonv2, 404, EmulatedAPIs.unknownPath))
    }
  }

  enum Format: String, Sendable { case xml, json, jsonv2, geojson, geocodejson }

  /// The format of the answer, and the optional parts of its rows.
  struct Output: Sendable {
    var format: Format
    var hasAddress: Bool
    var hasExtras: Bool
    var hasNames: Bool

    /// Throws the message for the client if the parameter `format` names an unknown format.
    init(_ query: QueryParameters) throws(Refusal) {
      guard let formatName = query["format"] else {
        (format, hasAddress, hasExtras, hasNames) = (.jsonv2, true, query.flag("extratags") ?? false, query.flag("namedetails") ?? false)
        return
      }
      guard let format = Format(rawValue: formatName.lowercased()) else {
        throw Refusal(message: "Parameter 'format' must be one of: xml, json, jsonv2, geojson, geocodejson")
      }
      self.format = format
      hasAddress = true
      hasExtras = query.flag("extratags") ?? false
      hasNames = query.flag("namedetails") ?? false
    }

    struct Refusal: Error { var message: String }
  }

  static func failure(_ format: Format, _ status: Int, _ message: String, retryAfter: Int? = nil) -> GatewayResponse {
    if format == .xml { return failureXML(status, message, retryAfter: retryAfter) }
    return .json(status, retryAfter: retryAfter) { writer in
      writer.object { writer in
        writer.key("error")
        writer.object { writer in
          writer.member("code", status)
          writer.member("message", message)
        }
      }
    }
  }

  // MARK: Requests

  private static func search(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    let query = request.query
    let output: Output
    do throws(Output.Refusal) { output = try Output(query) } catch { return .answer(failure(.jsonv2, 400, error.message)) }
    let addressText = structuredText(query)
    if query["q"] != nil, addressText != nil {
      return .answer(
        failure(
          output.format, 400,
          "Structured query parameters (amenity, street, city, county, state, postalcode, country) cannot be used together with 'q' parameter."
        ))
    }
    guard let text = PlaceQuery.text(query["q"]) ?? addressText else {
      return .answer(failure(output.format, 400, "Nothing to search for: give 'q', or parts of an address"))
    }
    if let point = PlaceQuery.coordinate(text) { return reverse(request, context, point: point, output, asList: true) }
    let filter = Filter(query)
    let limit = query.integer("limit", in: 1...PlaceQuery.maxRows, standard: 10)
    var parameters = PlaceQuery.search(text, context)
    if output.hasExtras { parameters.fields.formUnion([.website, .phoneNumber, .openingHours]) }
    // With `explain`, the rows contain their importance.
    parameters.explain = true
    parameters.limit = filter.isEmpty ? limit : PlaceQuery.maxRows
    parameters.language = request.language("accept-language")
    parameters.countries = PlaceQuery.countries(query.list("countrycodes"))
    if let country = query["country"], country.count == 2, parameters.countries.isEmpty {
      parameters.countries = PlaceQuery.countries([country])
    }
    if let box = PlaceQuery.box(query["viewbox"] ?? query["viewboxlbrt"]) {
      if query.flag("bounded") ?? false { parameters.restriction = box } else { parameters.bias = box }
    }
    return .ask(DaemonCall(Search.self, parameters)) { reply in
      let result: JSONValue
      do throws(DaemonFailure) { result = try reply.parsed() } catch {
        return failure(output.format, error.status, error.message, retryAfter: error.retryAfterHeader)
      }
      // Nominatim returns only places that match the whole query.
      let places = FoundPlace.rows(result).filter { $0.location != nil && !$0.isPartial && filter.admits($0) }.prefix(limit)
      return render(Array(places), output, credits: Credit.list(result["attributions"]), query: text)
    }
  }

  /// The parts of a structured query in one line.
  private static func structuredText(_ query: QueryParameters) -> String? {
    let parts = ["amenity", "street", "city", "county", "state", "postalcode", "country"].compactMap { query[$0] }
    return PlaceQuery.text(parts.joined(separator: ", "))
  }

  private static func reverse(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    let output: Output
    do throws(Output.Refusal) { output = try Output(request.query) } catch { return .answer(failure(.jsonv2, 400, error.message)) }
    guard let point = request.query.coordinate("lat", "lon") else {
      return .answer(failure(output.format, 400, "Need coordinates: 'lat' and 'lon' in degrees"))
    }
    return reverse(request, context, point: point, output, asList: false)
  }

  /// - Parameter asList: true if the answer must have the form of a search's answer.
  private static func reverse(
    _ request: GatewayRequest, _ context: EmulationContext, point: Coordinate, _ output: Output, asList: Bool
  ) -> Plan {
    let levelLimit = smallestLevel(zoom: request.query.integer("zoom", in: 0...18, standard: 18))
    var parameters = PlaceQuery.reverse(point, context)
    parameters.explain = true
    if output.hasExtras { parameters.fields.formUnion([.website, .phoneNumber, .openingHours]) }
    // The daemon returns the nearest row first. The first row that is large enough for the zoom may come later.
    parameters.limit = levelLimit == nil ? 1 : PlaceQuery.maxRows
    parameters.language = request.language("accept-language")
    return .ask(DaemonCall(Reverse.self, parameters)) { reply in
      let result: JSONValue
      do throws(DaemonFailure) { result = try reply.parsed() } catch {
        return failure(output.format, error.status, error.message, retryAfter: error.retryAfterHeader)
      }
      let places = FoundPlace.rows(result).filter { $0.location != nil }
      let chosenPlace = levelLimit.flatMap { level in places.first { $0.level <= level } } ?? places.first
      let credits = Credit.list(result["attributions"])
      if asList || chosenPlace == nil && output.format == .geocodejson {
        return render(chosenPlace.map { [$0] } ?? [], output, credits: credits, query: "")
      }
      guard let chosenPlace else { return nothing(output) }
      return render(one: chosenPlace, output, credits: credits)
    }
  }

  /// The level of the smallest places that a reverse request returns at a zoom; nil for no limit.
  private static func smallestLevel(zoom: Int) -> PlaceLevel? {
    switch zoom {
    case ...4: .country
    case 5...7: .state
    case 8...9: .county
    case 10...12: .city
    case 13: .district
    case 14...15: .locality
    case 16...17: .street
    default: nil
    }
  }

  private static func lookup(_ request: GatewayRequest, _ context: EmulationContext) -> Plan {
    let output: Output
    do throws(Output.Refusal) { output = try Output(request.query) } catch { return .answer(failure(.jsonv2, 400, error.message)) }
    let objects = request.query.list("osm_ids").compactMap { objectName($0) }.prefix(50)
    var calls: [DaemonCall] = []
    for object in objects {
      for prefix in context.objectPrefixes {
        guard let id = PlaceID(prefix + object) else { continue }
        var parameters = Details.Parameters(id: id, fields: PlaceQuery.fields)
        parameters.language = request.language("accept-language")
        calls.append(DaemonCall(Details.self, parameters))
      }
    }
    if calls.isEmpty { return .answer(render([], output, credits: [], query: "")) }
    let prefixCount = context.objectPrefixes.count
    return .ask(calls) { replies in
      var (places, credits): ([FoundPlace], [Credit]) = ([], [])
      // The replies for one object are consecutive, one for each provider; the first with a place is used. Unknown objects are omitted.
      for start in stride(from: 0, to: replies.count, by: max(1, prefixCount)) {
        var providerFailure: DaemonFailure?
        var isFound = false
        for reply in replies[start..<min(start + prefixCount, replies.count)] where !isFound {
          let result: JSONValue
          do throws(DaemonFailure) { result = try reply.parsed() } catch {
            if ![400, 404].contains(error.status) { providerFailure = error }
            continue
          }
          guard let place = result["place"].flatMap({ FoundPlace($0) }), place.location != nil else { continue }
          isFound = true
          places.append(place)
          for credit in Credit.list(result["attributions"]) where !credits.contains(credit) { credits.append(credit) }
        }
        // A failure is reported, because otherwise an object whose provider does not answer would seem to be unknown.
        if let providerFailure, !isFound {
          return failure(
            output.format, providerFailure.status, providerFailure.message, retryAfter: providerFailure.retryAfterHeader)
        }
      }
      return render(places, output, credits: credits, query: "")
    }
  }

  /// Converts `N1` to `node/1`; nil for any other form.
  private static func objectName(_ text: String) -> String? {
    guard let number = Int(text.dropFirst()), number > 0 else { return nil }
    switch text.first {
    case "N", "n": return "node/\(number)"
    case "W", "w": return "way/\(number)"
    case "R", "r": return "relation/\(number)"
    default: return nil
    }
  }

  private static func status(_ request: GatewayRequest) -> Plan {
    let isJSON = request.query["format"]?.lowercased() == "json"
    return .ask(DaemonCall(ServiceInfo.self, NoParameters())) { reply in
      let failure: DaemonFailure?
      do throws(DaemonFailure) {
        _ = try reply.parsed()
        failure = nil
      } catch { failure = error }
      // Nominatim reports a failure with status 200 in JSON, and with status 500 in text.
      guard isJSON else { return failure.map { .text(500, "ERROR: \($0.message)") } ?? .text(200, "OK") }
      return .json { writer in
        writer.object { writer in
          writer.member("status", failure == nil ? 0 : 700)
          writer.member("message", failure?.message ?? "OK")
        }
      }
    }
  }

  /// The parameters `featureType` and `layer`. The gateway applies them, because the daemon has no such parameters.
  private struct Filter: Sendable {
    var feature: String?
    var layers: Set<String>

    init(_ query: QueryParameters) {
      feature = query.first("featureType", "featuretype")
      layers = Set(query.list("layer"))
    }

    var isEmpty: Bool { feature == nil && layers.isEmpty }

    func admits(_ place: FoundPlace) -> Bool {
      if isEmpty { return true }
      let level = place.level
      switch feature {
      case "country": if level != .country { return false }
      case "state": if level != .state { return false }
      case "city": if level != .city { return false }
      case "settlement": if ![.state, .county, .city, .district, .locality].contains(level) { return false }
      default: break
      }
      if layers.isEmpty { return true }
      let group = place.types.lazy.compactMap { PlaceType(rawValue: $0).group }.first
      let isAddress = level <= .street || group == .address || group == .region
      return layers.contains("address") && isAddress || layers.contains("natural") && group == .natural
        || layers.contains("railway") && place.types.contains("train_station")
        || layers.contains("poi") && !isAddress && group != .natural
    }
  }
}
