import PlacesKit
import PlacesTesting
import Testing

@testable import GazetteerIndex

@Suite("A town in GeoNames and in a map is one place")
struct TownDeduplicationTests {
  /// Towns of GeoNames, and a map's: one a bit away under its German name, one of the same name elsewhere, two near the same one.
  private static let lines = [
    SmallIndex.line(3_042_030, "Vaduz", "Vadutz", 47.1415, 9.5215, "LI", "11", 5197),
    SmallIndex.line(2_660_646, "Geneva", "Genf,Genève", 46.2022, 6.1457, "CH", "GE", 183_981),
    SmallIndex.line(2, "Neudorf", "", 47, 8, "CH", "LU", 1000),
  ]

  private static let towns = [
    ("n1", "9.5228,47.1393", #""name":"Vaduz","place":"town","population":"5774","name:de":"Vaduz","wikidata":"Q1844""#),
    ("n2", "6.15,46.21", #""name":"Genève","place":"city","name:de":"Genf""#), ("n3", "9.6,47.3", #""name":"Vaduz","place":"hamlet""#),
    ("n4", "8.01,47", #""name":"Neudorf","place":"village""#), ("n5", "8.02,47", #""name":"Neudorf","place":"hamlet""#),
    ("n6", "9.5215,47.1415", #""name":"Vaduz","amenity":"cafe""#),
  ]

  private func importTowns(into path: String) throws {
    let text = Self.towns.map { id, point, tags in
      #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[\#(point)]},"properties":{\#(tags)}}"#
    }.joined(separator: "\n")
    _ = try GazetteerBuilder(path: path).importFeatures(MemorySource(Array(text.utf8), name: "test"), name: "map")
  }

  private func ids(_ query: String, in path: String) throws -> [String] {
    try GazetteerReader(path: path).autocomplete(AutocompleteRequest(query: query, types: ["locality"])).rows.compactMap(\.id)
  }

  @Test("Both records have the GeoNames id and both credits, and the map's id finds the place, too")
  func joined() throws {
    let index = try SmallIndex(lines: Self.lines)
    try importTowns(into: index.path)
    #expect(try ids("vaduz", in: index.path) == ["3042030", "osm:node/3"])
    #expect(try ids("genf", in: index.path) == ["2660646"])
    // Of two villages near one GeoNames village, the nearer one is merged; the other is a separate place.
    #expect(try ids("neudorf", in: index.path) == ["2", "osm:node/5"])
    let reader = try GazetteerReader(path: index.path)
    for id in ["3042030", "osm:node/1"] {
      let vaduz = try #require(try reader.details(DetailsRequest(id: id, fields: [.name])))
      #expect(vaduz.id == "3042030" && vaduz.evidence.country == "LI")
      #expect(vaduz.evidence.equivalents == ["geonames:3042030", "osm:node/1", "wikidata:Q1844"])
      #expect(vaduz.attributions.map(\.text) == ["© OpenStreetMap contributors"])
    }
    #expect(try reader.details(DetailsRequest(id: "osm:node/6", fields: []))?.id == "osm:node/6")
  }

  @Test("A repeated import changes nothing, and without GeoNames the map's records have their own ids")
  func carried() throws {
    let index = try SmallIndex(lines: Self.lines)
    try importTowns(into: index.path)
    let before = try ids("vaduz", in: index.path)
    try importTowns(into: index.path)
    #expect(try ids("vaduz", in: index.path) == before)
    let dump = try index.folder.write(Self.lines.joined(separator: "\n") + "\n", to: "again.txt")
    _ = try GazetteerBuilder(path: index.path).importGeoNames(dump)
    #expect(try ids("vaduz", in: index.path) == before)
    _ = try GazetteerBuilder(path: index.path).remove("geonames")
    #expect(try Set(ids("vaduz", in: index.path)) == ["osm:node/1", "osm:node/3"])
    let vaduz = try #require(try GazetteerReader(path: index.path).details(DetailsRequest(id: "osm:node/1", fields: [])))
    #expect(vaduz.evidence.equivalents == ["osm:node/1", "wikidata:Q1844"])
    #expect(try GazetteerReader(path: index.path).details(DetailsRequest(id: "3042030", fields: [])) == nil)
  }

  private func importCountries(_ tags: [String], at point: String = "8,47", into path: String) throws -> GazetteerReader {
    let features = tags.enumerated().map { number, tags in
      #"{"type":"Feature","id":"n\#(number + 1)","geometry":{"type":"Point","coordinates":[\#(point)]},"properties":{\#(tags)}}"#
    }
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: path).importFeatures(source, name: "map", country: "CH")
    return try GazetteerReader(path: path)
  }

  @Test("A map's country is matched by its ISO 3166-1 code and has GeoNames' name; without a code it is not matched")
  func countries() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(2_658_434, "Switzerland", "Schweiz", 47, 8, "CH", "00", 8_484_130, code: "A\tPCLI"), Self.lines[0],
    ])
    let reader = try importCountries(
      [
        #""name":"Schweiz/Suisse","name:rm":"Svizra","place":"country","ISO3166-1":"CH""#, #""name":"Svizra","place":"country""#,
        #""name":"Svizra","place":"country","ISO3166-1:alpha2":"AT""#,
      ], into: index.path)
    let rows = try reader.autocomplete(AutocompleteRequest(query: "svizra")).rows
    #expect(Set(rows.compactMap(\.id)) == ["CH", "osm:node/2", "AT"])
    #expect(try reader.details(DetailsRequest(id: "osm:node/1", fields: [.name]))?.id == "CH")
    let english = try reader.autocomplete(AutocompleteRequest(query: "svizra", language: "en")).rows
    #expect(english.first { $0.id == "CH" }?.text.text == "Switzerland")
  }

  @Test("A country that only a map has is one row with its usual name, and later builds keep it")
  func countryOfMap() throws {
    let index = try SmallIndex(lines: [Self.lines[1]])
    let tags = [#""name":"Schweiz/Suisse/Svizzera/Svizra","name:rm":"Svizra","place":"country","ISO3166-1":"CH""#]
    let geneva = try #require(Coordinate(latitude: 46.2, longitude: 6.15))
    for _ in 1...2 {
      let reader = try importCountries(tags, into: index.path)
      for query in ["switzerland", "svizra"] {
        #expect(try reader.autocomplete(AutocompleteRequest(query: query, types: ["country"])).rows.compactMap(\.id) == ["CH"])
      }
      #expect(try reader.reverse(ReverseRequest(location: geneva, fields: [])).rows.map(\.id) == ["2660646", "CH"])
      let english = try #require(try reader.details(DetailsRequest(id: "osm:node/1", fields: [.name], language: "en")))
      #expect(english.id == "CH" && english.values[.name] == .string("Switzerland"))
      #expect(english.evidence.equivalents.contains("osm:node/1"))
    }
  }

  @Test(
    "A country's location is GeoNames', otherwise the centre of its population, otherwise the map's",
    arguments: [
      ([SmallIndex.line(2_658_434, "Switzerland", "", 46.5, 7.5, "CH", "00", 8_484_130, code: "A\tPCLI"), lines[1]], 46.5),
      ([lines[1]], 46.2022), ([lines[0]], 47),
    ] as [([String], Double)])
  func middle(lines: [String], latitude: Double) throws {
    let index = try SmallIndex(lines: lines)
    let reader = try importCountries([#""name":"Schweiz","place":"country","ISO3166-1":"CH""#], into: index.path)
    let country = try #require(try reader.details(DetailsRequest(id: "CH", fields: [])))
    #expect(country.location.map { abs($0.latitude - latitude) < 0.0001 } == true)
    let row = try reader.autocomplete(AutocompleteRequest(query: "schweiz", types: ["country"])).rows.first
    #expect(row?.location == country.location)
  }

  @Test("A city state is shown once, whatever name a source has for the state")
  func namedState() throws {
    let berlin = SmallIndex.line(2_950_159, "Berlin", "", 52.524, 13.411, "DE", "16", 3_426_354)
    let index = try SmallIndex(lines: [berlin], regions: ["DE.16\tState of Berlin\tBerlin\t2950157"])
    #expect(try index.ids("berlin") == ["2950159"])
    #expect(try index.ids("state of berlin") == ["DE.16"])
    let point = try #require(Coordinate(latitude: 52.52, longitude: 13.4))
    #expect(try index.reader.reverse(ReverseRequest(location: point, fields: [])).rows.map(\.id) == ["2950159", "DE"])
    #expect(try index.ids("52.52, 13.4").dropFirst() == ["2950159", "DE"])
  }
}
