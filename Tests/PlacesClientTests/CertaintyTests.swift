import Foundation  // encodes manifests
import PlacesAPI
import PlacesKit
import Testing

@testable import PlacesClient

@Suite("A resolution is correct or reported as uncertain")
struct CertaintyTests {
  private static func row(
    _ id: String, _ name: String, _ address: String, _ match: String, at latitude: Double = 47, type: String = "supermarket",
    components: JSONValue = []
  ) -> JSONValue {
    [
      "id": .string(id), "row": .string(id), "name": .string(name), "formattedAddress": .string(address), "types": [.string(type)],
      "coordinate": ["latitude": .number(latitude), "longitude": 9.5], "addressComponents": components, "sources": [],
      "attributions": [], "explain": ["match": .string(match)],
    ]
  }

  private func resolution(_ text: String, _ rows: JSONValue...) async throws -> Resolution? {
    let daemon = ScriptedDaemon { call, _ in
      if call.method == "providers.list" { return .result(["providers": [ResolveTests.provider("gazetteer", remote: false)]]) }
      return .result(["places": .array(rows), "providers": [], "attributions": [], "complete": true])
    }
    return try await PlacesClient(dialer: daemon).resolve(text)
  }

  @Test("An exact name beats a prefix that the provider ranks first")
  func exact() async throws {
    let found = try #require(
      try await resolution(
        "coop", Self.row("gazetteer:1", "Cooper City", "Cooper City, Florida", "prefix", type: "locality"),
        Self.row("gazetteer:2", "Coop", "Vaduz", "exact"), Self.row("gazetteer:3", "Coop Pronto", "Vaduz", "prefix", at: 47.1)))
    #expect(found.place.id == PlaceID("gazetteer:2") && found.isCertain)
    #expect(found.candidates.map(\.id.text) == ["gazetteer:2", "gazetteer:3", "gazetteer:1"])
  }

  @Test("Several shops of one name are candidates, several cities of one name are the first")
  func namesakes() async throws {
    for (type, isCertain) in [("supermarket", false), ("locality", true)] {
      let found = try #require(
        try await resolution(
          "coop", Self.row("gazetteer:1", "Coop", "Vaduz", "exact", type: type),
          Self.row("gazetteer:2", "Coop", "Schaan", "exact", at: 47.1, type: type)))
      #expect(found.isCertain == isCertain && found.candidates.count == 2 && found.place.id == PlaceID("gazetteer:1"))
    }
  }

  @Test("A word of a longer name, and the beginning of a name, are not certain", arguments: [("pizza", "words"), ("denne", "prefix")])
  func inside(text: String, match: String) async throws {
    let name = match == "words" ? "Azzurro Pizza & Kebap" : "Dennery"
    let found = try #require(try await resolution(text, Self.row("gazetteer:1", name, "Vaduz", match)))
    #expect(!found.isCertain && found.place.id == PlaceID("gazetteer:1"))
  }

  @Test("A German street is abbreviated with a full stop or without", arguments: ["friedrichstr 43 berlin", "Friedrichstr. 43, Berlin"])
  func street(text: String) async throws {
    let row = Self.row("gazetteer:1", "Friedrichstraße 43", "Friedrichstraße 43, 10117 Berlin", "words", type: "street_address")
    let found = try #require(try await resolution(text, row))
    #expect(found.isCertain && found.fit == .name)
  }

  @Test("A place that only a part of the text names is not certain, however long the text is")
  func partial() async throws {
    guard case .object(var row) = Self.row("gazetteer:1", "Linden", "Linden, Germany", "other", type: "locality") else { return }
    row["explain"] = ["match": "other", "partialMatch": true]
    let found = try #require(try await resolution("unter den linden", .object(row)))
    #expect(!found.isCertain && found.fit == .part)
  }

  @Test(
    "One typing error in a whole name is certain, and an abbreviation is not an error",
    arguments: [("stadtle 5 vaduz", 0.98), ("Städtel 5, Vaduz", 0.9), ("Städ. 5", 0.98), ("Städtle 6", 0.6)])
  func spelling(text: String, confidence: Double) async throws {
    let found = try #require(
      try await resolution(text, Self.row("gazetteer:1", "Städtle 5", "Städtle 5, 9490 Vaduz", "fuzzy", type: "street_address")))
    #expect(found.confidence == confidence)
  }

  @Test("The only row of a local provider is certain by a name that it does not show, one of several is not")
  func foreignName() async throws {
    let milan = Self.row("gazetteer:1", "Milan", "Milan, Italy", "other", type: "locality")
    #expect(try await resolution("Mailand", milan)?.isCertain == true)
    let other = Self.row("gazetteer:2", "Maillane", "Maillane, France", "other", at: 43, type: "locality")
    #expect(try await resolution("Mailand", milan, other)?.isCertain == false)
  }

  /// A Google server that answers geocoding with these rows, and text search with a bar elsewhere.
  private func google(_ rows: JSONValue...) throws -> ScriptedDaemon {
    let prices = PriceTable(
      classes: [PriceClass("pro", micros: 32_000), PriceClass("geocoding", micros: 5_000)],
      calls: [.search: "pro", .geocode: "geocoding"])
    let manifest = Manifest(plugin: "p", name: "P", version: "1", summary: "s", terms: .nothing, attributions: [], prices: prices)
    let manifestJSON = try JSONValue(parsing: Array(JSONEncoder().encode(manifest)))
    let status = ResolveTests.provider("google", remote: true, calls: ["search", "geocode"])
    return ScriptedDaemon { call, _ in
      switch call.method {
      case "providers.list": return .result(["providers": [status]])
      case "providers.get": return .result(["provider": status, "manifest": manifestJSON])
      default:
        let isGeocoding = call.params["includedType"] != nil
        let bar = Self.row("google:bar", "Bar", "Hauptstraße 5, Potsdam", "other", type: "bar")
        return .result(["places": .array(isGeocoding ? rows : [bar]), "providers": [], "attributions": [], "complete": true])
      }
    }
  }

  private static func component(_ long: String, _ short: String) -> JSONValue {
    ["long": .string(long), "short": .string(short), "types": []]
  }

  @Test("The long and the short text of an address component are the same word, and no dearer call follows a good hit")
  func components() async throws {
    let daemon = try google(
      Self.row(
        "google:1", "1600 Amphitheatre Pkwy", "1600 Amphitheatre Pkwy, Mountain View, CA 94043, USA", "other", type: "street_address",
        components: [Self.component("1600", "1600"), Self.component("Amphitheatre Parkway", "Amphitheatre Pkwy")]))
    for text in ["1600 Amphitheatre Parkway", "1600 Amphitheatre Pkwy", "1600 Amphitheatre Parkway, Mountain View"] {
      let found = try #require(try await PlacesClient(dialer: daemon).resolve(text))
      #expect(found.place.id == PlaceID("google:1") && found.isCertain, "\(text): \(found.confidence)")
    }
    #expect(daemon.received.filter { $0.method == "places.search" }.allSatisfy { $0.params["includedType"] == "street_address" })
  }

  @Test("A partial match of the geocoder is not certain, and the next service is queried")
  func partialMatch() async throws {
    var row = Self.row("google:1", "Hauptstraße 5", "Hauptstraße 5, 10827 Berlin", "exact", type: "street_address").object ?? [:]
    row["explain"] = ["match": "exact", "partialMatch": true]
    let daemon = try google(.object(row))
    let found = try #require(try await PlacesClient(dialer: daemon).resolve("Hauptstraße 5, Berlin"))
    #expect(!found.isCertain, "\(found)")
    #expect(daemon.received.count { $0.method == "places.search" } == 2)
  }

  @Test("Two letters of a country or region that the place lies in are words of its address")
  func codes() async throws {
    let found = try #require(
      try await resolution(
        "Gilbert, US",
        Self.row(
          "gazetteer:1", "Gilbert", "Gilbert, Arizona, United States", "exact", type: "locality",
          components: [Self.component("Arizona", "AZ"), Self.component("United States", "US")]),
        Self.row(
          "gazetteer:2", "Gilbert", "Gilbert, Iowa, United States", "exact", at: 42, type: "locality",
          components: [Self.component("Iowa", "IA"), Self.component("United States", "US")])))
    #expect(found.isCertain && found.place.id == PlaceID("gazetteer:1"))
  }

  @Test(
    "Of several towns that a typing error may mean, one is certain if nearly all of their people live in it",
    arguments: [(0.75, 0.4, true), (0.75, 0.7, false)])
  func people(first: Double, second: Double, isCertain: Bool) async throws {
    func town(_ id: String, _ name: String, _ importance: Double, _ latitude: Double) -> JSONValue {
      var row = Self.row(id, name, name, "fuzzy", at: latitude, type: "locality").object ?? [:]
      row["explain"] = ["match": "fuzzy", "importance": .number(importance)]
      return .object(row)
    }
    let found = try #require(
      try await resolution("Giuyang", town("gazetteer:1", "Guiyang", first, 26), town("gazetteer:2", "Guyang", second, 41)))
    #expect(found.isCertain == isCertain && found.place.id == PlaceID("gazetteer:1"), "\(found.confidence)")
  }

  @Test(
    "Among equally similar towns, the largest is chosen, regardless of the provider's order, even for a text of five letters",
    arguments: [("Ambla", 0.4, 0.75, true), ("Ambla", 0.7, 0.75, false), ("Abla", 0.4, 0.75, false)])
  func largest(_ text: String, first: Double, second: Double, isCertain: Bool) async throws {
    func town(_ id: String, _ name: String, _ importance: Double, _ latitude: Double) -> JSONValue {
      var row = Self.row(id, name, name, "fuzzy", at: latitude, type: "locality").object ?? [:]
      row["explain"] = ["match": "fuzzy", "importance": .number(importance)]
      return .object(row)
    }
    let found = try #require(
      try await resolution(
        text, town("gazetteer:1", "Amblar", first, 46), town("gazetteer:2", text == "Abla" ? "Ambla" : "Ambala", second, 30)))
    #expect(found.isCertain == isCertain && found.place.id == PlaceID("gazetteer:2"), "\(found.confidence)")
  }

  @Test("Of namesakes the first is certain only if most of their people live in it", arguments: [(0.7, true), (0.76, false)])
  func namesakesByPeople(second: Double, isCertain: Bool) async throws {
    func town(_ id: String, _ importance: Double, _ latitude: Double) -> JSONValue {
      var row = Self.row(id, "Westminster", "Westminster", "exact", at: latitude, type: "locality").object ?? [:]
      row["explain"] = ["match": "exact", "importance": .number(importance)]
      return .object(row)
    }
    let found = try #require(try await resolution("Westminster", town("gazetteer:1", 0.75, 51), town("gazetteer:2", second, 39)))
    #expect(found.isCertain == isCertain, "\(found.confidence)")
  }

  @Test("An address that several quarters of a city have is not certain, and no dearer call follows")
  func quarters() async throws {
    func house(_ id: String, _ quarter: String, _ latitude: Double) -> JSONValue {
      Self.row(id, "Hauptstraße 5", "Hauptstraße 5, \(quarter), 10827 Berlin", "exact", at: latitude, type: "street_address")
    }
    let daemon = try google(house("google:1", "Schöneberg", 52.49), house("google:2", "Köpenick", 52.45))
    let found = try #require(try await PlacesClient(dialer: daemon).resolve("Hauptstraße 5, Berlin"))
    #expect(!found.isCertain && found.candidates.map(\.id.text) == ["google:1", "google:2"])
    #expect(daemon.received.count { $0.method == "places.search" } == 1)
  }
}
