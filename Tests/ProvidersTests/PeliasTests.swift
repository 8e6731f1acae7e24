import Foundation
import Geocoders
import PlacesKit
import PlacesTesting
import Testing

@testable import Pelias

private let stadium = #"""
  {"type": "Feature", "geometry": { "type": "Point", "coordinates": [13.23948, 52.51463] }, "properties": {
     "id": "way/38862723", "gid": "openstreetmap:venue:way/38862723", "layer": "venue", "source": "openstreetmap",
     "source_id": "way/38862723", "country_code": "DE", "name": "Olympiastadion Berlin", "housenumber": "3", "street": "Olympischer Platz",
     "postalcode": "14053", "distance": 9.412, "accuracy": "point", "country": "Germany", "country_a": "DEU", "region": "Berlin",
     "region_a": "BE", "locality": "Berlin", "label": "Olympiastadion Berlin, Berlin, Germany",
     "addendum": {"osm": {"website": "https://stadion.example", "wheelchair": "yes"}}},
   "bbox": [13.23727, 52.51359, 13.24175, 52.5157]}
  """#
private let address = #"""
  {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-73.98, 40.74]}, "properties": {
     "gid": "openaddresses:address:us/ny/city:abc", "layer": "address", "source": "openaddresses", "source_id": "us/ny/city:abc",
     "name": "350 5th Avenue", "housenumber": "350", "street": "5th Avenue", "locality": "New York", "region": "New York",
     "country": "United States", "country_code": "US", "label": "350 5th Avenue, New York, NY, USA"}}
  """#
private let city = #"""
  {"type": "Feature", "geometry": {"type": "Point", "coordinates": [13.4, 52.5]}, "properties": {
     "gid": "whosonfirst:locality:101748799", "layer": "locality", "source": "whosonfirst", "source_id": "101748799", "name": "Berlin",
     "locality": "Berlin", "region": "Berlin", "country": "Germany", "country_code": "DE", "label": "Berlin, Germany",
     "addendum": {"concordances": {"gn:id": 2950159, "wd:id": "Q64"}}}}
  """#

private func collection(_ features: String..., geocoding: String = "{}") -> String {
  #"{"geocoding":\#(geocoding),"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
}

@Suite("Pelias") struct PeliasTests {
  static func provider(_ http: Answering) async throws -> Pelias { try await Pelias(context: http.context()) }
  static let point = Coordinate(latitude: 52.5, longitude: 13.25) ?? .zero

  @Test(arguments: [
    (AutocompleteRequest(query: "olym", limit: 7, language: "de"), "text=olym&size=7&lang=de"),
    (AutocompleteRequest(query: "x", limit: 50), "text=x&size=40"),
    (
      AutocompleteRequest(query: "x", bias: .circle(center: point, radius: 100)),
      "text=x&size=10&focus.point.lat=52.5&focus.point.lon=13.25"
    ),
    (
      AutocompleteRequest(query: "x", restriction: .circle(center: point, radius: 1_500)),
      "text=x&size=10&boundary.circle.lat=52.5&boundary.circle.lon=13.25&boundary.circle.radius=1.5"
    ),
    (
      AutocompleteRequest(query: "x", restriction: .rectangle(Rectangle(low: point, high: point))),
      "text=x&size=10&boundary.rect.min_lat=52.499995&boundary.rect.min_lon=13.249995&boundary.rect.max_lat=52.500005&boundary.rect.max_lon=13.250005"
    ),
    (AutocompleteRequest(query: "x", countries: ["DE", "GB"]), "text=x&size=10&boundary.country=DE,GB"),
    (AutocompleteRequest(query: "x", types: ["locality", "country"]), "text=x&size=10&layers=locality,country,dependency"),
    (AutocompleteRequest(query: "x", collection: .establishment), "text=x&size=10&layers=venue"),
    (AutocompleteRequest(query: "x", types: ["food", "lodging"]), "text=x&size=10&categories=food,accommodation"),
    (AutocompleteRequest(query: String(repeating: "é", count: 200)), "text=" + String(repeating: "é", count: 140) + "&size=10"),
  ]) func `Autocomplete is asked as the code wants it`(request: AutocompleteRequest, expected: String) async throws {
    let http = Answering(collection())
    _ = try await PeliasTests.provider(http).autocomplete(request)
    #expect(http.requests.map(spelled) == ["GET - /v1/autocomplete?" + expected])
  }

  @Test(arguments: [
    ("10115", "postal_code", "search/structured?postalcode=10115&size=20&boundary.country=DE&layers=postalcode"),
    ("Berlin", "postal_code", "search?text=Berlin&size=20&boundary.country=DE&layers=postalcode"),
    ("10115", "locality", "search?text=10115&size=20&boundary.country=DE&layers=locality"),
    ("x", "finance", "search?text=x&size=20&boundary.country=DE&categories=finance"),
  ]) func `A postal code is a structured query, and wide types are categories`(query: String, type: String, expected: String) throws {
    let request = SearchRequest(query: query, fields: [], includedType: PlaceType(rawValue: type), countries: ["DE"])
    #expect(try PeliasRequests.search(request).map(spelled) == ["GET - /v1/\(expected)"])
  }

  @Test func `Types that are categories and types that are layers cannot be mixed`() {
    let error = thrown { () throws(ProviderError) in
      try PeliasRequests.autocomplete(AutocompleteRequest(query: "x", types: ["food", "locality"]))
    }
    #expect(error?.cause == .unsupported)
  }

  @Test(
    arguments: [
      (#""match_type":"exact","confidence":0.2"#, nil), (#""match_type":"fallback","confidence":0.9"#, true), (#""confidence":0.4"#, true),
      (#""confidence":0.8"#, nil), (#""x":1"#, nil),
    ] as [(String, Bool?)])
  func `A row that the service fell back to is a partial match, and has the types of its categories`(members: String, isPartial: Bool?)
    async throws
  {
    let row =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"gid":"a:venue:1","layer":"venue","name":"X","category":["food","retail"],\#(members)}}"#
    let place = try #require(
      try await PeliasTests.provider(Answering(collection(row))).search(SearchRequest(query: "x", fields: [.types])).rows.first)
    #expect(place.partialMatch == isPartial && place.types == ["food"])
  }

  @Test func `Search, place and reverse are asked as the code wants them, boxes across the antimeridian in two`() async throws {
    let http = Answering(collection(city), collection(city), collection(stadium))
    let provider = try await PeliasTests.provider(http)
    _ = try await provider.search(
      SearchRequest(query: "x", fields: [], includedType: "route", restriction: try NominatimTests.box(-20, 177.5, -10, -178)))
    _ = try await provider.details(DetailsRequest(id: "openstreetmap:venue:way/38862723", fields: [.name], language: "en"))
    _ = try await provider.reverse(
      ReverseRequest(location: PeliasTests.point, radius: 250, types: ["street_address"], limit: 3, fields: []))
    func box(_ west: String, _ east: String) -> String {
      "GET - /v1/search?text=x&size=20&layers=street&boundary.rect.min_lat=-20&boundary.rect.min_lon=\(west)&boundary.rect.max_lat=-10&boundary.rect.max_lon=\(east)"
    }
    #expect(
      http.requests.map(spelled) == [
        box("177.5", "180"), box("-180", "-178"), "GET - /v1/place?ids=openstreetmap:venue:way/38862723&lang=en",
        "GET - /v1/reverse?point.lat=52.5&point.lon=13.25&size=3&boundary.circle.radius=0.25&layers=address",
      ])
  }

  @Test func `A type that Pelias cannot tell apart is refused, not ignored`() async throws {
    let http = Answering(collection(stadium))
    let provider = try await PeliasTests.provider(http)
    let error = await #expect(throws: ProviderError.self) {
      try await provider.autocomplete(AutocompleteRequest(query: "x", types: ["cafe"]))
    }
    #expect(error?.cause == .unsupported)
    #expect(http.requests.isEmpty)
  }

  @Test func `Rows carry names, addresses, types and the ids of the same place elsewhere`() async throws {
    let rows = try await PeliasTests.provider(Answering(collection(stadium, address, city))).autocomplete(
      AutocompleteRequest(query: "berl")
    ).rows
    #expect(
      rows.map(\.id) == ["openstreetmap:venue:way/38862723", "openaddresses:address:us/ny/city:abc", "whosonfirst:locality:101748799"])
    #expect(
      rows.map(\.text.text) == [
        "Olympiastadion Berlin, Olympischer Platz 3, 14053 Berlin, Germany", "350 5th Avenue, New York, United States", "Berlin, Germany",
      ])
    #expect(rows.map(\.types) == [[], ["street_address"], ["locality"]])
    #expect(rows.map(\.evidence.equivalents) == [["osm:way/38862723"], [], ["whosonfirst:101748799", "geonames:2950159", "wikidata:Q64"]])
    #expect(rows[0].location == Coordinate(latitude: 52.51463, longitude: 13.23948))
    #expect(rows[1].evidence.houseNumber == "350")
    #expect(rows[2].primary?.matches == [TextRange(start: 0, end: 4)])
  }

  @Test func `A place has the fields asked for and no others`() async throws {
    let provider = try await PeliasTests.provider(Answering(collection(stadium)))
    let place = try await provider.details(
      DetailsRequest(id: "openstreetmap:venue:way/38862723", fields: [.name, .formattedAddress, .wheelchairAccessibleEntrance, .rating]))
    #expect(
      place.values == [
        .name: "Olympiastadion Berlin", .formattedAddress: "Olympiastadion Berlin, Berlin, Germany", .wheelchairAccessibleEntrance: true,
      ])
  }

  @Test func `Details are of the id that was asked for, and of one alone`() async throws {
    let http = Answering(collection(city, stadium))
    let provider = try await PeliasTests.provider(http)
    let place = try await provider.details(DetailsRequest(id: "openstreetmap:venue:way/38862723", fields: [.name]))
    #expect(place.name == "Olympiastadion Berlin")
    for id in ["openstreetmap:venue:way/1", "whosonfirst:locality:101748799,openstreetmap:venue:way/38862723", ""] {
      let error = await #expect(throws: ProviderError.self) { try await provider.details(DetailsRequest(id: id, fields: [.name])) }
      #expect(error?.cause == .notFound)
    }
    #expect(http.requests.count == 2)
  }

  @Test func `Ids are not kept for ever: many do not outlive the building of the data`() {
    #expect(Pelias.manifest.terms.idsSeconds == 604_800)
  }

  static let answers: [(String, HTTPResponse, Int?, ProviderError.Cause?)] = [
    ("rows", reply(collection(stadium, address, city)), 3, nil), ("nothing", reply(collection()), 0, nil),
    ("warnings", reply(collection(city, geocoding: #"{"warnings":["out-of-range integer 'size', using MAX_SIZE"]}"#)), 1, nil),
    ("the same row twice", reply(collection(city, city)), 1, nil),
    (
      "a feature without a gid", reply(#"{"features":[{"properties":{"name":"x"},"geometry":{"type":"Point","coordinates":[1,1]}}]}"#), 0,
      nil
    ),
    ("a feature without a point", reply(#"{"features":[{"properties":{"gid":"a:b:c","name":"x"}}]}"#), 0, nil),
    (
      "a name only in the label",
      reply(#"{"features":[{"properties":{"gid":"a:b:c","label":"x"},"geometry":{"type":"Point","coordinates":[1,1]}}]}"#), 1, nil
    ),
    (
      "nested as GeocodeJSON",
      reply(#"{"features":[{"properties":{"geocoding":{"gid":"a:b:c","name":"x"}},"geometry":{"type":"Point","coordinates":[1,1]}}]}"#), 1,
      nil
    ),
    ("features that are none", reply(#"{"features":[null,1,[],{}]}"#), 0, nil),
    (
      "a bad request", reply(collection(geocoding: #"{"errors":["invalid param 'ids': length must be >0"]}"#), status: 400), nil,
      .badRequest
    ),
    ("a time-out by the code", reply(collection(geocoding: #"{"errors":["Request Timeout"]}"#), status: 502), nil, .http),
    ("a time-out by the documentation", reply("{}", status: 408), nil, .http), ("no such address", reply("", status: 404), nil, .http),
    ("the last resort", reply(#"{"error":"x"}"#, status: 500), nil, .http),
    ("no key", reply("", status: 401), nil, .credentials), ("a wrong key", reply("", status: 403), nil, .credentials),
    ("too many", reply("", status: 429, headers: ["retry-after": "2"]), nil, .rateLimit),
    ("another service", reply("<html></html>"), nil, .decode), ("half an answer", reply(#"{"features":[{"#), nil, .decode),
    ("no text", reply(""), nil, .decode), ("another shape", reply("[]"), nil, .decode),
  ]

  @Test(arguments: answers) func `Every answer has its meaning`(
    name: String, response: HTTPResponse, count: Int?, cause: ProviderError.Cause?
  ) async throws {
    let provider = try await PeliasTests.provider(Answering([.success(response)]))
    do {
      #expect(try await provider.search(SearchRequest(query: "q", fields: [.name])).rows.count == count)
      #expect(cause == nil)
    } catch { #expect(error.cause == cause) }
    if count == 0 {
      let error = await #expect(throws: ProviderError.self) { try await provider.details(DetailsRequest(id: "a:b:c", fields: [])) }
      #expect(error?.cause == .notFound)
    }
  }

  @Test func `No damage makes it crash or give what is no place`() throws {
    let count = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1" ? 200_000 : 2_000
    for body in Mutations(of: [collection(stadium, address), collection(city)], seed: 8, count: count) {
      guard let answer = try? PeliasAnswer(from: HTTPResponse(status: 200, body: body)) else { continue }
      for place in answer.places { try checkSound(place) }
    }
  }
}
