import Foundation
import Geocoders
import PlacesKit
import PlacesTesting
import Testing

@testable import Photon

private let stadium = #"""
  {"type": "Feature", "properties": {
     "osm_type": "W", "osm_id": 38862723, "osm_key": "leisure", "osm_value": "stadium", "type": "house",
     "postcode": "14053", "housenumber": "3", "countrycode": "DE", "name": "Olympiastadion Berlin",
     "country": "Germany", "city": "Berlin", "district": "Westend", "street": "Olympischer Platz", "state": "Berlin",
     "extra": { "website": "https://stadion.example", "wikidata": "Q151374" }, "extent": [13.23727, 52.5157, 13.24175, 52.51359]},
   "geometry": { "type": "Point", "coordinates": [13.23948, 52.51463] }}
  """#
private let house = #"""
  {"type": "Feature", "properties": {"osm_type": "N", "osm_id": 5, "osm_key": "place", "osm_value": "house", "type": "house",
     "housenumber": "10", "street": "Downing Street", "city": "London", "postcode": "SW1A 2AA", "country": "United Kingdom", "countrycode": "GB"},
   "geometry": {"type": "Point", "coordinates": [-0.1276, 51.5034]}}
  """#
private let berlin = #"""
  {"type": "Feature", "properties": {"osm_type": "R", "osm_id": 62422, "osm_key": "boundary", "osm_value": "administrative", "type": "city",
     "name": "Berlin", "country": "Germany", "countrycode": "DE", "extent": [13.08, 52.67, 13.76, 52.33]},
   "geometry": {"type": "Point", "coordinates": [13.3888, 52.517]}}
  """#
private let imported = #"""
  {"type": "Feature", "properties": {"type": "other", "name": "Depot", "countrycode": "de"},
   "geometry": {"type": "Point", "coordinates": [13.5, 52.5]}}
  """#

private func collection(_ features: String...) -> String {
  #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
}

@Suite("Photon") struct PhotonTests {
  static func provider(_ http: Answering, settings: [String: JSONValue] = [:], baseURL: String? = nil) async throws -> Photon {
    var context = http.context(settings: settings)
    context.baseURL = baseURL
    return try await Photon(context: context)
  }

  @Test(
    arguments: [(nil, ""), (.relevance, "&location_bias_scale=1"), (.distance, "&location_bias_scale=0")]
      as [(SearchRequest.RankBy?, String)])
  func `The order of a search decides how much prominence counts beside a bias`(order: SearchRequest.RankBy?, item: String) async throws {
    let http = Answering(#"{"features":[]}"#)
    let provider = try await Photon(context: http.context())
    let bias = Area.circle(center: Coordinate(latitude: 52.5, longitude: 13.25) ?? .zero, radius: 100)
    _ = try await provider.search(SearchRequest(query: "x", fields: [], rankBy: order, limit: 5, bias: bias))
    _ = try await provider.search(SearchRequest(query: "x", fields: [], rankBy: order, limit: 5))
    #expect(http.requests.map(spelled) == ["GET - /api?q=x&limit=5&lat=52.5&lon=13.25&zoom=18\(item)", "GET - /api?q=x&limit=5"])
  }

  @Test(arguments: [("1.1.0", "&exclude=osm.place&exclude=osm.boundary"), ("0.7.0", "")])
  func `A newer server leaves settlements and boundaries out of a search for establishments`(version: String, items: String) async throws {
    let http = Answering(#"{"status":"Ok","version":"\#(version)"}"#, #"{"features":[]}"#)
    let provider = try await Photon(context: http.context())
    _ = try await provider.autocomplete(AutocompleteRequest(query: "x", collection: .establishment))
    #expect(http.requests.map(spelled) == ["GET - /status", "GET - /api?q=x&limit=50\(items)"])
  }

  @Test func `A postal code is a structured query, and an ordinary one if the server has none or is older`() async throws {
    let code =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.38,52.53]},"properties":{"osm_key":"place","osm_value":"postcode","name":"10115","countrycode":"DE"}}"#
    let request = SearchRequest(query: "10115", fields: [.name], includedType: "postal_code", countries: ["DE"])
    func asked(_ http: Answering) async throws -> [String] {
      #expect(try await Photon(context: http.context()).search(request).rows.map(\.name) == ["10115"])
      return http.requests.map(spelled)
    }
    let (newer, older) = (#"{"status":"Ok","version":"1.1.0"}"#, #"{"status":"Ok","version":"0.7.0"}"#)
    let structured = "GET - /structured?postcode=10115&limit=50&countrycode=DE"
    #expect(try await asked(Answering(newer, collection(code))) == ["GET - /status", structured])
    let plain = "GET - /api?q=10115&limit=50"
    #expect(try await asked(Answering(older, collection(code))) == ["GET - /status", plain])
    let lacking = Answering([
      .success(reply(newer)), .success(reply("Endpoint GET /structured not found", status: 404)), .success(reply(collection(code))),
      .success(reply(collection(code))),
    ])
    let provider = try await Photon(context: lacking.context())
    for _ in 0..<2 { #expect(try await provider.search(request).rows.map(\.name) == ["10115"]) }
    #expect(lacking.requests.map(spelled) == ["GET - /status", structured, plain + "&countrycode=DE", plain + "&countrycode=DE"])
  }

  @Test func `A text that is not a postal code, and several countries, are no structured query`() async throws {
    for (query, countries) in [("Berlin", ["DE"]), ("10115", ["DE", "AT"])] {
      let http = Answering(#"{"status":"Ok","version":"1.1.0"}"#, #"{"features":[]}"#)
      _ = try await Photon(context: http.context()).search(
        SearchRequest(query: query, fields: [], includedType: "postal_code", countries: countries))
      #expect(http.requests.last?.path == ["api"])
    }
  }

  @Test(arguments: [
    (AutocompleteRequest(query: "olym", limit: 7), ["GET - /api?q=olym&limit=7"]),
    (AutocompleteRequest(query: "olym", language: "de-AT", region: "DE"), ["GET - /api?q=olym&limit=10&lang=de"]),
    (AutocompleteRequest(query: "olym", language: "ja"), ["GET - /api?q=olym&limit=10"]),
    (
      AutocompleteRequest(query: "x", bias: .circle(center: Coordinate(latitude: 52.5, longitude: 13.25) ?? .zero, radius: 100)),
      ["GET - /api?q=x&limit=10&lat=52.5&lon=13.25&zoom=18"]
    ),
    (
      AutocompleteRequest(query: "x", bias: .circle(center: Coordinate(latitude: -0.00001, longitude: 13) ?? .zero, radius: 50_000)),
      ["GET - /api?q=x&limit=10&lat=-0.00001&lon=13&zoom=10"]
    ),
    (
      AutocompleteRequest(query: "x", types: ["cafe", "stadium"]), ["GET - /api?q=x&limit=50&osm_tag=amenity:cafe&osm_tag=leisure:stadium"]
    ),
    (AutocompleteRequest(query: "x", types: ["street_address", "route"]), ["GET - /api?q=x&limit=50&layer=house&layer=street"]),
    (AutocompleteRequest(query: "x", types: ["locality"]), ["GET - /api?q=x&limit=50&layer=city&layer=district&layer=locality"]),
    (AutocompleteRequest(query: "x", types: ["street_address", "cafe"]), ["GET - /api?q=x&limit=50"]),
    (AutocompleteRequest(query: "x", collection: .cities), ["GET - /api?q=x&limit=50&layer=city&layer=district&layer=locality"]),
  ]) func `Requests hold what every version knows`(request: AutocompleteRequest, expected: [String]) async throws {
    let http = Answering(collection())
    _ = try await PhotonTests.provider(http).autocomplete(request)
    #expect(http.requests.map(spelled) == expected)
  }

  @Test func `A box across the antimeridian makes two requests, whose rows come in turn and once`() async throws {
    let http = Answering(collection(stadium, house), collection(berlin, house))
    let page = try await PhotonTests.provider(http).search(
      SearchRequest(query: "x", fields: [.name], limit: 3, restriction: try NominatimTests.box(-20, 177.5, -10, -178)))
    #expect(
      http.requests.map(spelled) == ["GET - /api?q=x&limit=3&bbox=177.5,-20,180,-10", "GET - /api?q=x&limit=3&bbox=-180,-20,-178,-10"])
    #expect(page.rows.map(\.id) == ["way/38862723", "relation/62422", "node/5"])
  }

  @Test(arguments: [
    (#"{"status":"Ok","version":"1.2.1"}"#, true), (#"{"status":"Ok","version":"1.1.0"}"#, true),
    (#"{"status":"Ok","version":"2.0"}"#, true),
    (#"{"status":"Ok","version":"1.0.3"}"#, false), (#"{"status":"Ok","version":"0.7.4"}"#, false), (#"{"status":"Ok"}"#, false),
    ("not json", false),
    (#"{"status":"Error","version":"1.2.1"}"#, false),
  ]) func `Countries are sent to servers that know the parameter, and checked here for all`(status: String, sends: Bool) async throws {
    let http = Answering(status, collection(stadium, house, imported))
    let provider = try await PhotonTests.provider(http)
    let page = try await provider.autocomplete(AutocompleteRequest(query: "x", countries: ["DE"]))
    #expect(page.rows.map(\.id) == ["way/38862723", "point/52.5,13.5"])
    #expect(
      http.requests.map(spelled) == ["GET - /status", sends ? "GET - /api?q=x&limit=10&countrycode=DE" : "GET - /api?q=x&limit=50"])
  }

  @Test func `The version is asked for once`() async throws {
    let http = Answering(#"{"status":"Ok","version":"1.2.1"}"#, collection())
    let provider = try await PhotonTests.provider(http)
    for _ in 0..<3 { _ = try await provider.autocomplete(AutocompleteRequest(query: "x", countries: ["DE"])) }
    #expect(http.requests.filter { $0.path == ["status"] }.count == 1)
    #expect(try await PhotonTests.provider(Answering(#"{"status":"Ok","version":"1.2.1"}"#)).probe() == "Photon 1.2.1")
  }

  @Test func `A server that refuses the parameter is asked what it is now, and once more without`() async throws {
    let unknown = PhotonTests.message("Unknown query parameter 'countrycode'.  Allowed parameters are: [q]")
    let http = Answering([
      .success(reply(#"{"status":"Ok","version":"1.2.1"}"#)), .success(reply(collection(stadium))), .success(unknown),
      .success(reply(#"{"status":"Ok","version":"1.0.0"}"#)), .success(reply(collection(stadium))),
    ])
    let provider = try await PhotonTests.provider(http)
    for _ in 0..<3 {
      #expect(try await provider.autocomplete(AutocompleteRequest(query: "x", countries: ["DE"])).rows.count == 1)
    }
    let (with, without) = ("GET - /api?q=x&limit=10&countrycode=DE", "GET - /api?q=x&limit=50")
    #expect(http.requests.map(spelled) == ["GET - /status", with, with, "GET - /status", without, without])
  }

  @Test func `A server that refuses every parameter is asked twice and no more`() async throws {
    let http = Answering([
      .success(reply(#"{"status":"Ok","version":"1.2.1"}"#)), .success(PhotonTests.message("Unknown query parameter 'limit'.")),
      .success(reply(#"{"status":"Ok","version":"1.2.1"}"#)), .success(PhotonTests.message("Unknown query parameter 'limit'.")),
    ])
    let provider = try await PhotonTests.provider(http)
    let error = await #expect(throws: ProviderError.self) {
      try await provider.autocomplete(AutocompleteRequest(query: "x", countries: ["DE"]))
    }
    #expect(error?.detail == "parameter" && http.requests.count == 4)
  }

  @Test func `A server that does not tell its version is left alone for a while`() async throws {
    let http = Answering([.failure(ProviderError(.timeout, "late")), .success(reply(collection()))])
    var context = http.context()
    let time = ManualTime()
    context.now = { time.wall() }
    let provider = try await Photon(context: context)
    for _ in 0..<3 { _ = try await provider.autocomplete(AutocompleteRequest(query: "x", countries: ["DE"])) }
    #expect(http.requests.map { $0.path } == [["status"], ["api"], ["api"], ["api"]])
    time.advance(by: 301)
    _ = try await provider.autocomplete(AutocompleteRequest(query: "x", countries: ["DE"]))
    #expect(http.requests.filter { $0.path == ["status"] }.count == 2)
  }

  @Test func `Being cancelled while the version is asked for ends the call, and says nothing about the server`() async throws {
    let http = Answering([
      .failure(ProviderError(.cancelled, "cancelled")), .success(reply(#"{"status":"Ok","version":"1.2.1"}"#)),
      .success(reply(collection())),
    ])
    let provider = try await PhotonTests.provider(http)
    let request = AutocompleteRequest(query: "x", countries: ["DE"])
    let error = await #expect(throws: ProviderError.self) { try await provider.autocomplete(request) }
    #expect(error?.cause == .cancelled && http.requests.count == 1)
    _ = try await provider.autocomplete(request)
    #expect(http.requests.map(spelled).last == "GET - /api?q=x&limit=10&countrycode=DE")
  }

  @Test func `Labels are composed from small to large without repeating`() async throws {
    let http = Answering(collection(stadium, house, berlin, imported))
    let rows = try await PhotonTests.provider(http).autocomplete(AutocompleteRequest(query: "berl", language: "en", region: "GB")).rows
    #expect(
      rows.map(\.text.text) == [
        "Olympiastadion Berlin, Olympischer Platz 3, 14053 Berlin, Germany", "10 Downing Street, SW1A 2AA London", "Berlin, Germany",
        "Depot",
      ])
    #expect(rows.map(\.types) == [["stadium"], ["street_address"], ["locality"], []])
    #expect(rows[0].primary?.matches == [TextRange(start: 15, end: 19)])
    #expect(rows[0].evidence.equivalents == ["osm:way/38862723", "wikidata:Q151374"])
    #expect(rows[0].evidence.website == "https://stadion.example")
    #expect(rows[0].location == Coordinate(latitude: 52.51463, longitude: 13.23948))
    #expect(rows[3].evidence.country == "DE")
  }

  @Test func `The extent is north-west and south-east`() async throws {
    let place = try #require(
      try await PhotonTests.provider(Answering(collection(stadium))).search(SearchRequest(query: "x", fields: [.viewport])).rows.first)
    #expect(
      place.values == [
        .viewport: ["low": ["latitude": 52.51359, "longitude": 13.23727], "high": ["latitude": 52.5157, "longitude": 13.24175]]
      ])
  }

  @Test func `Details come from a Nominatim when there is one, and else are no call of Photon's`() async throws {
    #expect(try await PhotonTests.provider(Answering()).manifest.details == nil)
    let http = Answering(#"[{"osm_type":"way","osm_id":38862723,"lat":"52.5","lon":"13.2","name":"Olympiastadion"}]"#)
    let provider = try await PhotonTests.provider(http, settings: ["nominatim_url": "http://127.0.0.1:8088/nominatim/"])
    #expect(provider.manifest.details != nil)
    #expect(try await provider.details(DetailsRequest(id: "way/38862723", fields: [.name], language: "de")).name == "Olympiastadion")
    #expect(
      http.requests.map(spelled) == [
        "GET http://127.0.0.1:8088 /nominatim/lookup?osm_ids=W38862723&\(NominatimTests.common)&accept-language=de"
      ])
    for (settings, id, cause) in [
      ([:], "way/1", ProviderError.Cause.unsupported), (["nominatim_url": "http://127.0.0.1:8088"], "way/1", .notFound),
      (["nominatim_url": "http://127.0.0.1:8088"], "point/1,2", .unsupported),
    ] as [([String: JSONValue], String, ProviderError.Cause)] {
      let provider = try await PhotonTests.provider(Answering("[]"), settings: settings)
      let error = await #expect(throws: ProviderError.self) { try await provider.details(DetailsRequest(id: id, fields: [.name])) }
      #expect(error?.cause == cause)
    }
    await #expect(throws: ProviderError.self) {
      try await PhotonTests.provider(Answering(), settings: ["nominatim_url": "https://nominatim.openstreetmap.org"])
    }
    for status in [302, 404] {
      let gone = try await PhotonTests.provider(
        Answering([.success(reply("", status: status))]), settings: ["nominatim_url": "http://127.0.0.1:8088"])
      let error = await #expect(throws: ProviderError.self) { try await gone.details(DetailsRequest(id: "way/1", fields: [.name])) }
      #expect(error?.message.contains("nominatim_url") == true)
    }
    for status in [401, 403] {
      let closed = try await PhotonTests.provider(
        Answering([.success(reply("", status: status))]), settings: ["nominatim_url": "http://127.0.0.1:8088"])
      let error = await thrownBy { try await closed.details(DetailsRequest(id: "way/1", fields: [.name])) }
      #expect(error?.cause == .badRequest, "whom the other server lets in is no matter of Photon's, which is asked on")
      #expect(error?.message.contains("nominatim_url") == true)
    }
  }

  @Test func `Reverse asks in kilometres and filters by type`() async throws {
    let http = Answering(collection(stadium, house))
    let point = try #require(Coordinate(latitude: 52.5, longitude: 13.25))
    let page = try await PhotonTests.provider(http).reverse(
      ReverseRequest(location: point, radius: 250, types: ["stadium"], limit: 3, fields: [.name], language: "en"))
    #expect(page.rows.map(\.name) == ["Olympiastadion Berlin"])
    _ = try await PhotonTests.provider(http).reverse(ReverseRequest(location: point, limit: 3, fields: [.name]))
    #expect(
      http.requests.map(spelled) == [
        "GET - /reverse?lat=52.5&lon=13.25&limit=50&osm_tag=leisure:stadium&radius=0.25&lang=en",
        "GET - /reverse?lat=52.5&lon=13.25&limit=3",
      ])
  }

  static func message(_ text: String) -> HTTPResponse { reply(#"{"message":"\#(text)"}"#, status: 400) }

  static let answers: [(String, HTTPResponse, Int?, ProviderError.Cause?, String?)] = [
    ("rows", reply(collection(stadium, house, berlin)), 3, nil, nil), ("nothing", reply(collection()), 0, nil, nil),
    ("the same row twice", reply(collection(house, house)), 1, nil, nil),
    (
      "a feature without a point",
      reply(#"{"features":[{"properties":{"name":"x"}},{"properties":{"name":"x"},"geometry":{"type":"Polygon","coordinates":[]}}]}"#), 0,
      nil, nil
    ),
    (
      "a point out of range", reply(#"{"features":[{"properties":{"name":"x"},"geometry":{"type":"Point","coordinates":[200, 1]}}]}"#), 0,
      nil, nil
    ),
    (
      "a feature without any name", reply(#"{"features":[{"properties":{"osm_id":1},"geometry":{"type":"Point","coordinates":[1, 1]}}]}"#),
      0, nil, nil
    ),
    (
      "nested as GeocodeJSON",
      reply(#"{"features":[{"properties":{"geocoding":{"name":"x"}},"geometry":{"type":"Point","coordinates":[1, 1]}}]}"#), 1, nil, nil
    ),
    ("features that are none", reply(#"{"features":[null,1,[],{}]}"#), 0, nil, nil),
    ("an unknown parameter", message("Unknown query parameter 'x'.  Allowed parameters are: [q]"), nil, .badRequest, "parameter"),
    ("an unknown language", message("Language is not supported. Supported are: default, en, de, fr"), nil, .badRequest, "language"),
    ("no text", message("q parameter is required when no include categories are specified"), nil, .badRequest, "request"),
    ("a time-out that looks like our fault", message("Timeout while waiting for OpenSearch"), nil, .http, "transient"),
    ("a 400 without JSON", reply("Bad Request", status: 400), nil, .http, "transient"),
    ("too many", reply("", status: 429), nil, .rateLimit, nil), ("a ban", reply("", status: 403), nil, .rateLimit, nil),
    ("overload", reply("", status: 503), nil, .http, nil), ("a server's end", reply("", status: 500), nil, .http, nil),
    ("a page", reply("<html>"), nil, .decode, "page"), ("half an answer", reply(#"{"features":[{"#), nil, .decode, nil),
    ("no text at all", reply(""), nil, .decode, nil), ("another shape", reply("[]"), nil, .decode, nil),
    ("an object", reply("{}"), nil, .decode, nil),
  ]

  @Test(arguments: answers)
  func `Every answer has its meaning`(name: String, response: HTTPResponse, count: Int?, cause: ProviderError.Cause?, detail: String?)
    async throws
  {
    let provider = try await PhotonTests.provider(Answering([.success(response)]))
    do {
      #expect(try await provider.search(SearchRequest(query: "q", fields: [.name])).rows.count == count)
      #expect(cause == nil)
    } catch {
      #expect(error.cause == cause)
      #expect(error.detail == detail)
    }
  }

  @Test(
    arguments: [
      (nil, .rateLimit), ("https://photon.komoot.io", .rateLimit), ("https://Photon.komoot.io./", .rateLimit),
      ("http://localhost:2322", .http), ("https://photon.komoot.io.example", .http),
    ] as [(String?, ProviderError.Cause)])
  func `A 403 is komoot's throttling, and a refusal where the server is one's own`(baseURL: String?, cause: ProviderError.Cause)
    async throws
  {
    let provider = try await PhotonTests.provider(Answering([.success(reply("", status: 403))]), baseURL: baseURL)
    let search = await thrownBy { try await provider.search(SearchRequest(query: "q", fields: [.name])) }
    #expect(search?.cause == cause)
    let point = try #require(Coordinate(latitude: 52.5, longitude: 13.25))
    let reverse = await thrownBy { try await provider.reverse(ReverseRequest(location: point, limit: 1, fields: [.name])) }
    #expect(reverse?.cause == cause)
  }

  @Test func `No damage makes it crash or give what is no place`() throws {
    let count = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1" ? 200_000 : 2_000
    for body in Mutations(of: [collection(stadium, house), collection(berlin, imported)], seed: 6, count: count) {
      guard let places = try? PhotonAnswer.places(from: HTTPResponse(status: 200, body: body), service: "x") else {
        continue
      }
      for place in places { try checkSound(place) }
    }
  }
}
