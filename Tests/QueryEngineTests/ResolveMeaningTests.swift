import PlacesAPI
import PlacesKit
import Testing

@testable import QueryEngine

@Suite("A text means a place only if it names that place and no other one")
struct ResolveMeaningTests {
  /// A row of the gazetteer.
  private static func row(
    _ id: String, _ name: String, _ address: String, _ match: String = "exact", type: String = "supermarket", importance: Double? = nil,
    at latitude: Double = 47, components: [JSONValue] = [], matchedName: String? = nil
  ) throws -> PlaceRow {
    var row = PlaceRow(
      id: try #require(PlaceID("gazetteer:\(id)")), row: id,
      values: [
        .name: .string(name), .formattedAddress: .string(address), .types: [.string(type)],
        .coordinate: ["latitude": .number(latitude), "longitude": 9.5], .addressComponents: .array(components),
      ], sources: [], attributions: [])
    row.explain = [
      "match": .string(match), "importance": importance.map { .number($0) } ?? .null,
      "matchedName": matchedName.map { .string($0) } ?? .null,
    ]
    return row
  }

  private static func component(_ type: String, _ long: String, _ short: String? = nil) -> JSONValue {
    ["long": .string(long), "short": .string(short ?? long), "types": [.string(type)]]
  }
  private static let vaduz = [component("locality", "Vaduz"), component("country", "Liechtenstein", "LI")]

  private func resolution(
    _ text: String, near latitude: Double? = nil, type: PlaceType? = nil, _ rows: PlaceRow...
  ) throws -> Resolution {
    let center = latitude.flatMap { Coordinate(latitude: $0, longitude: 9.5) }
    return try #require(
      Resolution(
        rows: rows, for: text, isLocal: true, bias: center.map { .circle(center: $0, radius: 20_000) }, type: type,
        fields: Resolve.usualFields))
  }

  @Test("The name of a town is not the beginning of another town's", arguments: ["Rathaus Triesen", "Rathaus Triesenberg"])
  func beginningOfTown(text: String) throws {
    let found = try resolution(
      text, Self.row("1", "Gemeindeverwaltung Triesen", "Dröschistrasse 4, 9495 Triesen", "other", type: "city_hall"),
      Self.row("2", "Rathaus", "Bergstrasse 1, 9497 Triesenberg", type: "city_hall", at: 47.1))
    let isWhole = text == "Rathaus Triesenberg"
    #expect(found.isCertain == isWhole && found.place.id == PlaceID(isWhole ? "gazetteer:2" : "gazetteer:1"))
  }

  @Test("One word of a country's name does not mean the country", arguments: ["victoria state", "victoria united states"])
  func wordOfCountry(text: String) throws {
    let row = try Self.row(
      "1", "Victoria", "Victoria, Texas, United States", "words", type: "locality",
      components: [Self.component("administrative_area_level_1", "Texas", "TX"), Self.component("country", "United States", "US")])
    #expect(try resolution(text, row).isCertain == (text == "victoria united states"))
  }

  @Test("A Latin spelling is not compared with the transliteration of the shown name")
  func transliteration() throws {
    #expect(try resolution("wuxi", Self.row("1", "无锡市", "无锡市, 江苏省, 中国", type: "locality")).isCertain)
  }

  @Test("A region or country may be abbreviated", arguments: ["portland ore", "portland oregon"])
  func abbreviatedRegion(text: String) throws {
    let row = try Self.row(
      "1", "Portland", "Portland, Oregon", type: "locality", components: [Self.component("administrative_area_level_1", "Oregon", "OR")])
    #expect(try resolution(text, row).isCertain)
  }

  @Test("Two letters that only begin a region's name do not make a place certain", arguments: ["paris il", "paris ile"])
  func regionCode(text: String) throws {
    let row = try Self.row(
      "1", "Paris", "Paris, Île-de-France, France", "words", type: "locality",
      components: [
        Self.component("administrative_area_level_1", "Île-de-France", "IDF"), Self.component("country", "France", "FR"),
      ])
    #expect(try resolution(text, row).isCertain == (text == "paris ile"))
  }

  @Test(
    "A stop is certain only if the text or the type says that a stop is meant",
    arguments: [
      ("Post Vaduz", "Vaduz Post", nil, false), ("Post Vaduz", "Vaduz Post", "bus_stop", true), ("Post bus Vaduz", "Post bus", nil, true),
    ])
  func stop(text: String, name: String, type: PlaceType?, isCertain: Bool) throws {
    let stop = try Self.row("1", name, "Vaduz, Liechtenstein", type: "bus_stop", components: Self.vaduz)
    let found = try resolution(text, type: type, stop)
    #expect(found.isCertain == isCertain && found.match == .exact)
    // The provider's order decides between a stop and a place that it found by its category.
    let office = try Self.row("2", "Filiale Vaduz", "Städtle 38, 9490 Vaduz", "other", type: "post_office")
    #expect(try resolution(text, type: type, office, stop).place.id == PlaceID(isCertain ? "gazetteer:1" : "gazetteer:2"))
  }

  @Test("The code of a state does not cover a word of a town's name")
  func codeInName() throws {
    let found = try resolution(
      "ny city",
      Self.row(
        "1", "New City", "New City, New York, United States", "words", type: "locality",
        components: [Self.component("administrative_area_level_1", "New York", "NY")]))
    #expect(!found.isCertain)
  }

  @Test("A house number does not make up for a missing word of the street")
  func oldStreet() throws {
    let found = try resolution(
      "Landstrasse 12, Triesen", Self.row("1", "Alte Landstrasse 12", "Alte Landstrasse 12, 9495 Triesen", "words", type: "street_address"))
    #expect(!found.isCertain)
  }

  @Test("Of two places of one name, the first is certain if it has two thirds of their people", arguments: [(0.72, true), (0.765, false)])
  func namesakes(second: Double, isCertain: Bool) throws {
    let found = try resolution(
      "punjab", Self.row("1", "Punjab", "Punjab, India", type: "administrative_area_level_1", importance: 0.773, at: 30),
      Self.row("2", "Punjab", "Punjab, Pakistan", type: "administrative_area_level_1", importance: second, at: 32))
    #expect(found.isCertain == isCertain)
  }

  @Test("A name that begins the name of a larger place of the same type is not certain", arguments: ["country", "locality"])
  func beginningOfLargerPlace(type: String) throws {
    let found = try resolution(
      "congo", Self.row("1", "Congo", "Congo", type: "country", importance: 0.818, at: -1),
      Self.row("2", "DR Congo", "DR Congo", "prefix", type: type, importance: 0.876, at: -4, matchedName: "Congo-Kinshasa"))
    #expect(found.isCertain == (type == "locality"))
  }

  @Test("The places of its name in a country do not compete with it", arguments: ["MX", "PH"])
  func partsOfCountry(code: String) throws {
    let found = try resolution(
      "mexico",
      Self.row(
        "1", "Mexico", "Mexico", type: "country", importance: 0.9, at: 23, components: [Self.component("country", "Mexico", "MX")]),
      Self.row(
        "2", "Mexico City", "Mexico City", type: "locality", importance: 0.96, at: 19, components: [Self.component("country", "", code)],
        matchedName: "México"))
    #expect(found.isCertain == (code == "MX") && found.place.id == PlaceID("gazetteer:1"))
  }

  @Test("A town does not compete with its country that the provider also knows by the town's name", arguments: ["BR", "AR"])
  func country(code: String) throws {
    let found = try resolution(
      "brasilia",
      Self.row(
        "1", "Brasília", "Brasília, Brasil", type: "locality", importance: 0.85, at: -15,
        components: [Self.component("country", "Brasil", "BR")]),
      Self.row(
        "2", "Brasil", "Brasil", type: "country", importance: 0.9, at: -10, components: [Self.component("country", "Brasil", code)],
        matchedName: "Brasilia"))
    #expect(found.isCertain == (code == "BR") && found.place.id == PlaceID("gazetteer:1"))
  }

  @Test(
    "A Chinese or Japanese name without its last sign, which states the kind of place, is the whole name",
    arguments: [("東京", "東京都", true), ("広島", "広島湾", false)])
  func hanName(text: String, name: String, isCertain: Bool) throws {
    let found = try resolution(text, Self.row("1", "Tokyo", "Tokyo, Japan", "prefix", type: "locality", matchedName: name))
    #expect(found.isCertain == isCertain)
  }

  @Test("The address of a single place means that place", arguments: ["Städtle 32, 9490 Vaduz", "staedtle 32 vaduz"])
  func address(text: String) throws {
    let components = [Self.component("street_number", "32"), Self.component("route", "Städtle")] + Self.vaduz
    let museum = try Self.row(
      "1", "Kunstmuseum Liechtenstein", "Städtle 32, 9490 Vaduz, Liechtenstein", "other", type: "museum", components: components)
    let cafe = try Self.row("2", "Café", "Städtle 32, 9490 Vaduz, Liechtenstein", "other", type: "cafe", components: components)
    #expect(try resolution(text, museum).isCertain)
    #expect(try !resolution(text, museum, cafe).isCertain)
  }

  @Test("A name may be written as one word", arguments: ["Feldkircherstrasse 50, Schaan", "feldkircherstr. 50 schaan"])
  func joined(text: String) throws {
    let found = try resolution(
      text, Self.row("1", "Feldkircher Strasse 50", "Feldkircher Strasse 50, 9494 Schaan", "other", type: "street_address"))
    #expect(found.isCertain && found.match == .exact)
  }

  @Test(
    "With the town, a name needs no words of its country; with the country, it needs the town",
    arguments: [
      ("Kunstmuseum Vaduz", "Kunstmuseum Liechtenstein", true), ("Kunstmuseum", "Kunstmuseum Liechtenstein", false),
      ("Rathaus Liechtenstein", "Rathaus Vaduz", false),
    ])
  func areaInName(text: String, name: String, isCertain: Bool) throws {
    let found = try resolution(
      text, Self.row("1", name, "Städtle 32, 9490 Vaduz, Liechtenstein", "words", type: "museum", components: Self.vaduz))
    #expect(found.isCertain == isCertain)
  }

  @Test("A part of the name of one town, which is much larger than the others of that name, is certain")
  func frankfurt() throws {
    let found = try resolution(
      "frankfurt", Self.row("1", "Frankfurt am Main", "Frankfurt am Main", type: "locality", importance: 0.815, at: 50),
      Self.row("2", "Frankfurt (Oder)", "Frankfurt (Oder)", type: "locality", importance: 0.692, at: 52))
    #expect(found.isCertain && found.place.id == PlaceID("gazetteer:1"))
  }

  @Test("Five letters with an error are certain if nine tenths of the people live in that city")
  func berlin() throws {
    let found = try resolution(
      "berln", Self.row("1", "Bern", "Bern", "fuzzy", type: "locality", importance: 0.779, at: 47),
      Self.row("2", "Berlin", "Berlin", "fuzzy", type: "locality", importance: 0.917, at: 52))
    #expect(found.isCertain && found.place.id == PlaceID("gazetteer:2"))
  }

  @Test("Of shops of one name, the one at the given point is meant if the others are much farther away", arguments: [47.003, 47.02])
  func nearest(other: Double) throws {
    let rows = try [Self.row("1", "Coop", "Schaan", at: other), Self.row("2", "Coop", "Vaduz", at: 47.001)]
    let found = try resolution("coop", near: 47, rows[0], rows[1])
    #expect(found.isCertain == (other == 47.02) && found.place.id == PlaceID("gazetteer:2"))
    #expect(try !resolution("coop", near: 46.9, rows[0], rows[1]).isCertain)
  }

  @Test("At the given point, a name needs no words of the town")
  func townOfPoint() throws {
    let found = try resolution(
      "rathaus", near: 47, Self.row("1", "Rathaus", "Schaan", type: "city_hall", at: 47.05),
      Self.row("2", "Rathaus Vaduz", "Städtle 6, 9490 Vaduz", "prefix", type: "city_hall", at: 47.002, components: Self.vaduz))
    #expect(found.isCertain && found.place.id == PlaceID("gazetteer:2"))
  }
}
