import Foundation
import Geocoders
import PlacesKit
import PlacesTesting
import Testing

@testable import Nominatim

private let london = #"""
  {
    "place_id": 100149, "licence": "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright",
    "osm_type": "node", "osm_id": 107775, "lat": "51.5073219", "lon": "-0.1276474", "category": "place", "type": "city",
    "place_rank": 16, "importance": 0.8820, "addresstype": "city", "name": "London",
    "display_name": "London, Greater London, England, United Kingdom",
    "address": { "city": "London", "state_district": "Greater London", "state": "England", "ISO3166-2-lvl4": "GB-ENG", "country": "United Kingdom", "country_code": "gb" },
    "extratags": { "wikidata": "Q84", "website": "https://london.example" },
    "namedetails": { "name": "London", "name:de": "London", "name:fr": "Londres", "alt_name": "The City;Big Smoke" },
    "boundingbox": ["51.3473219", "51.6673219", "-0.2876474", "0.0323526"]
  }
  """#

private let house = #"""
  {"place_id": 7, "osm_type": "way", "osm_id": "42", "lat": 47.1, "lon": 9.5, "class": "building", "type": "yes", "importance": 7,
   "name": "", "display_name": "6, Silum, 9497 Triesenberg, Liechtenstein",
   "address": {"house_number": "6", "road": "Silum", "village": "Triesenberg", "postcode": "9497", "country": "Liechtenstein", "country_code": "li"},
   "boundingbox": ["47.0", "47.2", "9.4", "9.6"]}
  """#

private let contact: [String: JSONValue] = ["contact": "ops@example.org"]

@Suite("Nominatim") struct NominatimTests {
  static func provider(_ http: Answering, settings: [String: JSONValue] = contact, baseURL: String? = nil) async throws -> Nominatim {
    var context = http.context(settings: settings)
    context.baseURL = baseURL
    return try await Nominatim(context: context)
  }

  static let common = "format=jsonv2&addressdetails=1&extratags=1&namedetails=1"

  static func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws -> Area {
    .rectangle(
      Rectangle(
        low: try #require(Coordinate(latitude: south, longitude: west)), high: try #require(Coordinate(latitude: north, longitude: east))))
  }

  @Test func `A search sends what it was asked, and a box across the antimeridian makes two requests`() async throws {
    let http = Answering("[]")
    let provider = try await NominatimTests.provider(http)
    _ = try await provider.search(SearchRequest(query: "vaduz & co", fields: [.name], limit: 5))
    _ = try await provider.search(
      SearchRequest(
        query: "x", fields: [], limit: 20, language: "de-CH", bias: try NominatimTests.box(47, 9, 48, 10.5), countries: ["LI", "CH"]))
    _ = try await provider.search(SearchRequest(query: "x", fields: [], restriction: try NominatimTests.box(-20, 177.5, -10, -178)))
    #expect(
      http.requests.map(spelled) == [
        "GET - /search?q=vaduz & co&\(NominatimTests.common)&limit=5",
        "GET - /search?q=x&\(NominatimTests.common)&accept-language=de-CH&limit=20&countrycodes=li,ch&viewbox=9,47,10.5,48",
        "GET - /search?q=x&\(NominatimTests.common)&limit=20&viewbox=177.5,-20,180,-10&bounded=1",
        "GET - /search?q=x&\(NominatimTests.common)&limit=20&viewbox=-180,-20,-178,-10&bounded=1",
      ])
  }

  @Test(
    arguments: [
      (["country"], nil, "q=10115", "limit=40&featureType=country"),
      (["administrative_area_level_1"], nil, "q=10115", "limit=40&featureType=state"),
      (["locality"], nil, "q=10115", "limit=40&featureType=settlement"), ([], .cities, "q=10115", "limit=40&featureType=settlement"),
      (["postal_code"], nil, "postalcode=10115", "limit=40&layer=address"), (["route"], nil, "q=10115", "limit=40&layer=address"),
      (["restaurant"], nil, "q=10115", "limit=40&layer=poi"),
      (["restaurant", "street_address"], nil, "q=10115", "limit=40&layer=address,poi"),
      ([], .regions, "q=10115", "limit=40&layer=address"), ([], .address, "q=10115", "limit=40&layer=address"),
      ([], .establishment, "q=10115", "limit=40&layer=poi,railway,natural,manmade"), ([], nil, "q=10115", "limit=10"),
    ] as [([PlaceType], TypeCollection?, String, String)])
  func `Types select the layer or the feature type, and a postal code is a structured query`(
    types: [PlaceType], collection: TypeCollection?, text: String, rest: String
  ) {
    let sent = NominatimRequests.autocomplete(AutocompleteRequest(query: "10115", types: types, collection: collection))
    #expect(sent.map(spelled) == ["GET - /search?\(text)&\(NominatimTests.common)&\(rest)"])
    guard types.count == 1, let type = types.first else { return }
    let search = NominatimRequests.search(SearchRequest(query: "10115", fields: [], includedType: type))
    #expect(search.map(spelled) == ["GET - /search?\(text)&\(NominatimTests.common)&\(rest)"])
  }

  @Test func `Rows of other types are dropped before rows are cut to the limit`() async throws {
    let provider = try await NominatimTests.provider(Answering("[\(house),\(london)]"))
    let page = try await provider.search(SearchRequest(query: "x", fields: [.name], includedType: "locality", limit: 1))
    #expect(page.rows.map(\.id) == ["node/107775"])
  }

  @Test(arguments: [
    ("10115", true), ("SW1A 1AA", true), ("1012 AB", true), ("D-10115", true), ("K1A0B1", true), ("12345-6789", true), ("Berlin", false),
    ("Berlin 10115", false), ("Route 66", false), ("1", false), ("", false), ("-123", false), ("10115, Berlin", false), ("12 34 56", false),
    ("１２３４５", false),
  ]) func `A text is recognized as a postal code by its form`(text: String, isCode: Bool) { #expect(PostalCode.isCode(text) == isCode) }

  @Test func `Lookup, reverse and status are asked as the reference says`() async throws {
    let http = Answering("[\(london)]", "[\(london)]", #"{"status": 0, "message": "OK", "software_version": "5.3.0"}"#)
    let provider = try await NominatimTests.provider(http)
    _ = try await provider.details(DetailsRequest(id: "node/107775", fields: [.name], language: "en"))
    let point = try #require(Coordinate(latitude: 47.14151, longitude: 9.00000015))
    _ = try await provider.reverse(ReverseRequest(location: point, fields: [.name], language: "de"))
    #expect(try await provider.probe() == "Nominatim 5.3.0")
    #expect(
      http.requests.map(spelled) == [
        "GET - /lookup?osm_ids=N107775&\(NominatimTests.common)&accept-language=en",
        "GET - /reverse?lat=47.14151&lon=9.0000002&zoom=18&\(NominatimTests.common)&accept-language=de",
        "GET - /status?format=json",
      ])
  }

  @Test func `A city is mapped with everything that is known`() async throws {
    let provider = try await NominatimTests.provider(Answering("[\(london)]"))
    let fields = GeocodedPlace.fields
    let place = try #require(try await provider.search(SearchRequest(query: "london", fields: fields, language: "en")).rows.first)
    #expect(place.id == "node/107775")
    #expect(place.name == "London")
    #expect(place.formattedAddress == "London, Greater London, England, United Kingdom")
    #expect(place.location == Coordinate(latitude: 51.5073219, longitude: -0.1276474))
    #expect(place.types == ["locality"])
    #expect(place.importance == 0.882)
    #expect(place.evidence.country == "GB")
    #expect(place.evidence.equivalents == ["osm:node/107775", "wikidata:Q84"])
    #expect(place.evidence.otherNames == ["The City", "Big Smoke", "Londres"])
    #expect(place.values[.website] == "https://london.example")
    #expect(place.values[.viewport]?["low"]?["longitude"] == -0.2876474)
    #expect(place.values[.addressComponents]?.array?.count == 4)
  }

  @Test func `A house is named by its address, with numbers or strings for ids and positions`() async throws {
    let provider = try await NominatimTests.provider(
      Answering("[\(house)]"), settings: ["autocomplete": true], baseURL: "http://127.0.0.1:8088")
    let row = try #require(try await provider.autocomplete(AutocompleteRequest(query: "6 silum", region: "LI")).rows.first)
    #expect(row.text.text == "Silum 6, 9497 Triesenberg")
    #expect(row.primary == FormattedText("Silum 6", matches: [TextRange(start: 0, end: 5), TextRange(start: 6, end: 7)]))
    #expect(row.secondary?.text == "9497 Triesenberg")
    #expect(row.types == ["street_address", "premise"])
    #expect(row.id == "way/42")
    #expect(row.importance == 1)
    #expect(row.evidence.houseNumber == "6")
    #expect(row.evidence.street == "Silum")
  }

  static let answers: [(String, HTTPResponse, Int?, ProviderError.Cause?)] = [
    ("a row", reply("[\(london)]"), 1, nil), ("nothing", reply("[]"), 0, nil), ("two rows", reply("[\(london),\(house)]"), 2, nil),
    ("the same row twice", reply("[\(london),\(london)]"), 1, nil), ("an object, as reverse gives", reply(london), 1, nil),
    ("nothing there", reply(#"{"error":"Unable to geocode"}"#), 0, nil),
    ("a row without position", reply(#"[{"osm_type":"node","osm_id":1,"display_name":"x"}]"#), 0, nil),
    ("a position out of range", reply(#"[{"lat":"91","lon":"0","name":"x"}]"#), 0, nil),
    ("a position that is no number", reply(#"[{"lat":"nan","lon":"inf","name":"x"}]"#), 0, nil),
    (
      "a computed postcode", reply(#"[{"lat":"1.5","lon":"2","category":"place","type":"postcode","name":"9490","postcode_id":3}]"#), 1, nil
    ),
    ("a mark before the text", reply("\u{FEFF}[]"), 0, nil),
    ("rows that are none", reply("[null, 1, [], {}]"), 0, nil),
    ("a bad request", reply(#"{"error":{"code":400,"message":"x"}}"#, status: 400), nil, .badRequest),
    ("a bad request whose JSON is broken", reply(#"{"error":{"code":400,"message":"Unknown "x""}}"#, status: 400), nil, .badRequest),
    ("an error with a good status", reply(#"{"error":{"code":500,"message":"x"}}"#), nil, .http),
    ("our error with a good status", reply(#"{"error":{"code":400,"message":"x"}}"#), nil, .badRequest),
    ("overload in plain text", reply("Query took too long to process.", status: 503), nil, .http),
    ("a server's end", reply("Internal Server Error", status: 500), nil, .http),
    ("a ban", reply("blocked", status: 403), nil, .rateLimit),
    ("too many", reply("", status: 429, headers: ["retry-after": "5"]), nil, .rateLimit),
    ("a reverse-only server", reply("", status: 404), nil, .badRequest), ("a redirect", reply("", status: 301), nil, .http),
    ("a page", reply("<!DOCTYPE html>", headers: ["content-type": "text/html"]), nil, .decode),
    ("half an answer", reply(#"[{"lat": "1"#), nil, .decode), ("no text", reply(""), nil, .decode),
    ("another shape", reply(#"{"type":"x"}"#), nil, .decode),
    ("too deep", reply(String(repeating: "[", count: 100)), nil, .decode),
  ]

  @Test(arguments: answers) func `Every answer has its meaning`(
    name: String, response: HTTPResponse, count: Int?, cause: ProviderError.Cause?
  ) async throws {
    let provider = try await NominatimTests.provider(Answering([.success(response)]))
    do {
      #expect(try await provider.search(SearchRequest(query: "q", fields: [.name])).rows.count == count)
      #expect(cause == nil)
    } catch { #expect(error.cause == cause) }
  }

  @Test func `A deleted object is not found, and a place without an object cannot be looked up`() async throws {
    for (id, body, cause) in [
      ("node/1", "[]", ProviderError.Cause.notFound), ("node/1", "[\(london)]", .notFound), ("", "[]", .notFound),
      ("node/0", "[]", .notFound), ("way/x", "[]", .notFound), ("point/1,2", "[\(london)]", .unsupported),
    ] {
      let provider = try await NominatimTests.provider(Answering(body))
      let error = await #expect(throws: ProviderError.self) { try await provider.details(DetailsRequest(id: id, fields: [.name])) }
      #expect(error?.cause == cause)
    }
  }

  @Test func `Further pages exclude what was given, until there is no more`() async throws {
    let http = Answering("[\(london),\(house)]", "[\(house)]")
    let provider = try await NominatimTests.provider(http)
    let first = try await provider.search(SearchRequest(query: "q", fields: [], limit: 2))
    #expect(first.next == "N107775,W42")
    let second = try await provider.search(SearchRequest(query: "q", fields: [], limit: 2, pageToken: "N107775,W42,'; drop,R-1,N"))
    #expect(second.next == nil)
    #expect(http.requests.last.map(spelled)?.hasSuffix("&limit=2&exclude_place_ids=N107775,W42") == true)
  }

  @Test func `A server of one's own gets its own ids, because older versions reject those of OpenStreetMap`() async throws {
    let http = Answering("[\(london),\(house)]", "[\(house)]")
    let provider = try await NominatimTests.provider(http, baseURL: "http://127.0.0.1:8088")
    let first = try await provider.search(SearchRequest(query: "q", fields: [], limit: 2))
    #expect(first.next == "100149,7")
    let second = try await provider.search(SearchRequest(query: "q", fields: [], limit: 2, pageToken: first.next))
    #expect(second.next == nil)
    #expect(http.requests.last.map(spelled)?.hasSuffix("&limit=2&exclude_place_ids=100149,7") == true)
  }

  @Test func `A full answer has a next page even if few rows have the type, and that page excludes the others too`() async throws {
    func rows(_ first: Int, _ count: Int, then last: String) -> String {
      let houses = (first..<first + count).map { house.replacingOccurrences(of: "\"42\"", with: "\"\($0)\"") }
      return "[\((houses + [last]).joined(separator: ","))]"
    }
    let town = london.replacingOccurrences(of: "107775", with: "2")
    let http = Answering(rows(1, 39, then: london), rows(101, 2, then: town))
    let provider = try await NominatimTests.provider(http)
    var request = SearchRequest(query: "q", fields: [], includedType: "locality", limit: 2)
    let first = try await provider.search(request)
    #expect(first.rows.map(\.id) == ["node/107775"])
    #expect(first.next == ((1...39).map { "W\($0)" } + ["N107775"]).joined(separator: ","))
    request.pageToken = first.next
    let second = try await provider.search(request)
    #expect(second.rows.map(\.id) == ["node/2"] && second.next == nil)
    // Rows that have the type but are not shown yet are not excluded.
    request.limit = 1
    let third = try await NominatimTests.provider(Answering("[\(london),\(house),\(town)]")).search(request)
    #expect(third.next?.hasSuffix(",N107775,W42") == true)
  }

  @Test(
    arguments: [
      nil, "https://nominatim.openstreetmap.org", "https://NOMINATIM.openstreetmap.org/", "https://nominatim.openstreetmap.org.",
      "nonsense",
    ] as [String?])
  func `The public server wants a contact, one request a second, and no autocomplete`(baseURL: String?) async throws {
    let http = Answering("[]")
    await #expect(throws: ProviderError.self) { try await NominatimTests.provider(http, settings: [:], baseURL: baseURL) }
    await #expect(throws: ProviderError.self) {
      try await NominatimTests.provider(http, settings: ["contact": "a@b.c", "autocomplete": true], baseURL: baseURL)
    }
    let manifest = try await NominatimTests.provider(http, baseURL: baseURL).manifest
    #expect(manifest.autocomplete == nil)
    #expect(!manifest.terms.autocompleteAllowed)
    #expect(manifest.rate == Rate(perSecond: 1, burst: 1, concurrent: 1))
  }

  @Test func `A server of one's own wants no contact, and autocomplete only where it is asked for`() async throws {
    let plain = try await NominatimTests.provider(Answering("[]"), settings: [:], baseURL: "http://127.0.0.1:8088").manifest
    #expect(plain.autocomplete == nil)
    #expect(plain.rate.perSecond == nil)
    let typing = try await NominatimTests.provider(Answering("[]"), settings: ["autocomplete": true], baseURL: "http://127.0.0.1:8088")
      .manifest
    #expect(typing.autocomplete != nil)
    #expect(typing.terms.autocompleteAllowed)
  }

  @Test(
    arguments: [("[]", [], true), ("[\(london)]", ["restaurant"], false), ("[\(london)]", ["locality"], false)]
      as [(String, [PlaceType], Bool)])
  func `Suggestions are exhaustive only if Nominatim returns no row, not if the filter drops them all`(
    body: String, types: [PlaceType], isExhaustive: Bool
  ) async throws {
    let provider = try await NominatimTests.provider(Answering(body), settings: ["autocomplete": true], baseURL: "http://127.0.0.1:8088")
    let page = try await provider.autocomplete(AutocompleteRequest(query: "london", types: types))
    #expect(page.exhaustive == isExhaustive)
    #expect(page.rows.count == (types == ["locality"] ? 1 : 0))
  }

  @Test(arguments: [401, 403]) func `A refusal of a server of one's own is neither a ban nor a key's`(status: Int) async throws {
    let provider = try await NominatimTests.provider(Answering([.success(reply("", status: status))]), baseURL: "http://127.0.0.1:8088")
    let search = await thrownBy { try await provider.search(SearchRequest(query: "q", fields: [.name])) }
    #expect(search?.cause == .http, "no key was sent that it could have refused for good")
    #expect(search?.message.contains("base_url") == true)
    #expect(search?.retryAfterSeconds == nil, "one query that it refuses is no reason to ask it no other")
    let details = await thrownBy { try await provider.details(DetailsRequest(id: "way/1", fields: [.name])) }
    #expect(details?.cause == .http)
  }

  @Test func `No damage makes it crash or give what is no place`() async throws {
    let count = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1" ? 200_000 : 2_000
    for body in Mutations(of: ["[\(london)]", "[\(house),\(london)]", #"{"error":"Unable to geocode"}"#], seed: 5, count: count) {
      guard let places = try? NominatimAnswer.places(from: HTTPResponse(status: 200, body: body), service: "x") else {
        continue
      }
      for place in places { try checkSound(place) }
    }
  }
}

/// Properties of every row, for any input.
func checkSound(_ place: GeocodedPlace) throws {
  #expect(!place.id.isEmpty)
  #expect((0...1).contains(place.importance ?? 0))
  if let suggestion = place.suggestion(query: "berlin 6", region: "DE") {
    #expect(isSound(suggestion.text))
    #expect(suggestion.primary.map(isSound) ?? true)
  }
  #expect(place.place(fields: GeocodedPlace.fields).id == place.id)
}
