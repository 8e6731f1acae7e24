import PlacesAPI
import PlacesKit
import Testing

@testable import QueryEngine

@Suite("A resolution is correct or reported as uncertain")
struct CertaintyTests {
  private static func row(
    _ id: String, _ name: String, _ address: String, _ match: String, at latitude: Double = 47, type: String = "supermarket",
    components: JSONValue = []
  ) throws -> PlaceRow {
    PlaceRow(
      id: try #require(PlaceID(id)), row: id,
      values: [
        .name: .string(name), .formattedAddress: .string(address), .types: [.string(type)],
        .coordinate: ["latitude": .number(latitude), "longitude": 9.5], .addressComponents: components,
      ], sources: [], attributions: [], explain: ["match": .string(match)])
  }

  private func resolution(_ text: String, _ rows: PlaceRow...) throws -> Resolution {
    try #require(Resolution(rows: rows, for: text, isLocal: true, bias: nil, fields: Resolve.usualFields))
  }

  @Test("An exact name beats a prefix that the provider ranks first")
  func exact() throws {
    let found = try resolution(
      "coop", Self.row("gazetteer:1", "Cooper City", "Cooper City, Florida", "prefix", type: "locality"),
      Self.row("gazetteer:2", "Coop", "Vaduz", "exact"), Self.row("gazetteer:3", "Coop Pronto", "Vaduz", "prefix", at: 47.1))
    #expect(found.place.id == PlaceID("gazetteer:2") && found.isCertain)
    #expect(found.candidates.map(\.id.text) == ["gazetteer:2", "gazetteer:3", "gazetteer:1"])
  }

  @Test("Several shops of one name are candidates, several cities of one name are the first")
  func namesakes() throws {
    for (type, isCertain) in [("supermarket", false), ("locality", true)] {
      let found = try resolution(
        "coop", Self.row("gazetteer:1", "Coop", "Vaduz", "exact", type: type),
        Self.row("gazetteer:2", "Coop", "Schaan", "exact", at: 47.1, type: type))
      #expect(found.isCertain == isCertain && found.candidates.count == 2 && found.place.id == PlaceID("gazetteer:1"))
    }
  }

  @Test("Of several places of one name, the one around the bias is meant")
  func nearBias() throws {
    func place(_ id: String, _ importance: Double, at latitude: Double, type: String) throws -> PlaceRow {
      var row = try Self.row("gazetteer:\(id)", "Georgia", "Georgia", "exact", at: latitude, type: type)
      row.explain = ["match": "exact", "importance": .number(importance)]
      return row
    }
    let rows = try [
      place("US.GA", 0.8, at: 33, type: "administrative_area_level_1"), place("GE", 0.9, at: 42, type: "country"),
    ]
    func resolution(near bias: Area?) throws -> Resolution {
      try #require(Resolution(rows: rows, for: "georgia", isLocal: true, bias: bias, fields: Resolve.usualFields))
    }
    let center = try #require(Coordinate(latitude: 33.7, longitude: 9.5))
    #expect(try !resolution(near: nil).isCertain)
    #expect(try resolution(near: .circle(center: center, radius: 50_000)).isCertain)
  }

  @Test("A part of the names of several towns means one of them only if most of the people live there", arguments: [0.67, 0.8])
  func partOfName(importance: Double) throws {
    func town(_ id: String, _ name: String, _ match: String, _ importance: Double, at latitude: Double) throws -> PlaceRow {
      var row = try Self.row("gazetteer:\(id)", name, "\(name), Germany", match, at: latitude, type: "locality")
      row.explain = ["match": .string(match), "importance": .number(importance)]
      return row
    }
    let found = try resolution(
      "Neustadt", town("1", "Neustadt an der Weinstraße", "exact", importance, at: 49),
      town("2", "Neustadt am Rübenberge", "prefix", 0.66, at: 52), town("3", "Wiener Neustadt", "words", 0.65, at: 48))
    #expect(found.isCertain == (importance == 0.8) && found.place.id == PlaceID("gazetteer:1") && found.candidates.count == 3)
    // The people of one of them are not known.
    let unknown = try resolution(
      "Neustadt", town("1", "Neustadt an der Weinstraße", "exact", importance, at: 49),
      Self.row("photon:2", "Neustadt an der Aisch", "Germany", "prefix", at: 51, type: "locality"))
    #expect(!unknown.isCertain)
  }

  @Test("A name that no row shows means one of several towns only if nearly all of the people live there", arguments: [0.72, 0.85])
  func sharedOtherName(importance: Double) throws {
    func town(_ id: String, _ name: String, _ importance: Double, at latitude: Double) throws -> PlaceRow {
      var row = try Self.row("gazetteer:\(id)", name, name, "exact", at: latitude, type: "locality")
      row.explain = ["match": "exact", "importance": .number(importance)]
      return row
    }
    let found = try resolution("sylt", town("1", "Sylhet", importance, at: 25), town("2", "Sila", 0.63, at: 35))
    #expect(found.isCertain == (importance == 0.85))
  }

  @Test(
    "A word of a longer name, and the beginning of a name, are not certain",
    arguments: [
      ("pizza", "Azzurro Pizza & Kebap", "words"), ("pizza", "Pizzano", "prefix"), ("denner", "Dennery", "prefix"),
      ("städtle", "Stadtlengsfeld", "prefix"), ("coop", "Cooper City", "prefix"),
    ])
  func inside(text: String, name: String, match: String) throws {
    let found = try resolution(text, Self.row("gazetteer:1", name, "Vaduz", match))
    #expect(!found.isCertain && found.place.id == PlaceID("gazetteer:1"))
  }

  @Test("A German street is abbreviated with a full stop or without", arguments: ["friedrichstr 43 berlin", "Friedrichstr. 43, Berlin"])
  func street(text: String) throws {
    let row = try Self.row("gazetteer:1", "Friedrichstraße 43", "Friedrichstraße 43, 10117 Berlin", "words", type: "street_address")
    let found = try resolution(text, row)
    #expect(found.isCertain && found.match == .exact)
  }

  @Test(
    "A direction, a saint and a legal form may be abbreviated or left out; an initial that the name lacks is not certain",
    arguments: [
      ("n. las vegas", "North Las Vegas", "locality", true), ("Sta Marta", "Santa Marta", "locality", true),
      ("E. London", "East London", "locality", true), ("e. london", "London", "locality", false),
      ("saint gallen", "St. Gallen", "locality", true), ("sigma bank", "Sigma Bank AG", "bank", true),
      ("getränkeoase", "Die Getränkeoase", "supermarket", true), ("sigma", "Sigma Bank AG", "bank", false),
      ("s. bend", "Bend", "locality", false), ("las vegas", "North Las Vegas", "locality", false),
    ])
  func shortForms(text: String, name: String, type: String, isCertain: Bool) throws {
    let found = try resolution(text, Self.row("gazetteer:1", name, "\(name), Somewhere", name == "Bend" ? "exact" : "prefix", type: type))
    #expect(found.isCertain == isCertain, "\(found.confidence)")
  }

  @Test("A name without its legal form is not certain if another place's name contains it", arguments: [(47.3, false), (47.0005, true)])
  func partOfLongerName(latitude: Double, isCertain: Bool) throws {
    let found = try resolution(
      "gutenberg", Self.row("gazetteer:1", "Gutenberg AG", "Schaan", "prefix"),
      Self.row("gazetteer:2", "Burg Gutenberg", "Balzers", "words", at: latitude, type: "castle"))
    #expect(found.isCertain == isCertain && found.place.id == PlaceID("gazetteer:1"), "\(found.confidence)")
  }

  @Test("A postcode means the town whose addresses have it, before a place with the postcode in its address")
  func postcode() throws {
    var town = try Self.row("gazetteer:1", "Vaduz", "Vaduz, Liechtenstein", "words", type: "locality")
    town.explain = ["match": "words", "importance": 0.64]
    let theater = try Self.row("gazetteer:2", "Kleintheater", "9490 Vaduz, Liechtenstein", "words", type: "theater")
    let found = try resolution("9490", theater, town)
    #expect(found.isCertain && found.place.id == town.id, "\(found.confidence)")
    var otherTown = try Self.row("gazetteer:3", "Triesen", "Triesen, Liechtenstein", "words", at: 47.11, type: "locality")
    otherTown.explain = ["match": "words", "importance": 0.6]
    #expect(try !resolution("9490", town, otherTown).isCertain)
    // Paris and Addison, Texas, share a postcode.
    (town.explain, otherTown.explain) = (["match": "words", "importance": 0.97], ["match": "words", "importance": 0.4])
    otherTown.values[.coordinate] = ["latitude": 33, "longitude": -97]
    #expect(try !resolution("9490", town, otherTown).isCertain)
    otherTown.values[.name] = town.values[.name]
    #expect(try !resolution("9490", town, otherTown).isCertain)
  }

  @Test("A word with a digit, or a number in another name of a town, is not its postcode", arguments: [("16b", nil), ("16", "Arzamas 16")])
  func noPostcode(text: String, matchedName: String?) throws {
    var town = try Self.row("gazetteer:1", "Sarov", "Sarov, Russia", "words", type: "locality")
    town.explain = ["match": "words", "importance": 0.64, "matchedName": matchedName.map { .string($0) } ?? .null]
    #expect(try !resolution(text, town).isCertain)
  }

  @Test(
    "A little known town is not certain if a business elsewhere has its name",
    arguments: [(0.6, 47.0, false), (0.8, 47.0, true), (0.6, 35.6, true)])
  func businessElsewhere(importance: Double, latitude: Double, isCertain: Bool) throws {
    var town = try Self.row("gazetteer:1", "Jones", "Jones, Oklahoma", "exact", at: 35.5, type: "locality")
    town.explain = ["match": "exact", "importance": .number(importance)]
    let found = try resolution("jones", town, Self.row("gazetteer:2", "Jones", "Jones, Somewhere", "exact", at: latitude))
    #expect(found.isCertain == isCertain && found.place.id == town.id, "\(found.confidence)")
  }

  @Test(
    "A short name with an error is certain only of a city, because it may be the name of a town that the index lacks",
    arguments: [
      ("davos", "Davis", 0.65, false), ("grabs", "Grays", 0.68, false), ("pariz", "Paris", 0.92, true),
      ("steinach", "Steinbach", 0.6, false), ("berlni", "Berlin", 0.94, true),
      ("neuenkirchn", "Neuenkirchen", 0.6, true),
    ])
  func unknownTowns(text: String, name: String, importance: Double, isCertain: Bool) throws {
    var town = try Self.row("gazetteer:1", name, name, "fuzzy", type: "locality")
    town.explain = ["match": "fuzzy", "importance": .number(importance)]
    #expect(try resolution(text, town).isCertain == isCertain)
  }

  @Test("A place that only a part of the text names is not certain, however long the text is")
  func partial() throws {
    var row = try Self.row("gazetteer:1", "Linden", "Linden, Germany", "other", type: "locality")
    row.explain = ["match": "other", "partialMatch": true]
    let found = try resolution("unter den linden", row)
    #expect(!found.isCertain && found.match == .part)
  }

  @Test(
    "One typing error in a whole name is certain, and an abbreviation is not an error",
    arguments: [("stadtle 5 vaduz", 0.98), ("Städtel 5, Vaduz", 0.9), ("Städ. 5", 0.98), ("Städtle 6", 0.6)])
  func spelling(text: String, confidence: Double) throws {
    let found = try resolution(text, Self.row("gazetteer:1", "Städtle 5", "Städtle 5, 9490 Vaduz", "fuzzy", type: "street_address"))
    #expect(found.confidence == confidence)
  }

  @Test("The only row of a local provider is certain by a name that it does not show, and not if it matches in an unknown way")
  func foreignName() throws {
    for (match, isCertain) in [("exact", true), ("other", false)] {
      let milan = try Self.row("gazetteer:1", "Milan", "Milan, Italy", match, type: "locality")
      #expect(try resolution("Mailand", milan).isCertain == isCertain)
    }
  }

  /// A Google server that answers geocoding with these rows, and text search with a bar elsewhere.
  private func google(_ rows: PlaceRow...) throws -> ScriptedSteps {
    let prices = PriceTable(
      classes: [PriceClass("pro", micros: 32_000), PriceClass("geocoding", micros: 5_000)],
      calls: [.search: "pro", .geocode: "geocoding"])
    let bar = try Self.row("google:bar", "Bar", "Hauptstraße 5, Potsdam", "other", type: "bar")
    return ScriptedSteps([.scripted("google", calls: [.search, .geocode])], prices: ["google": prices]) {
      $0.callKind == .geocode ? rows : [bar]
    }
  }

  private static func component(_ long: String, _ short: String) -> JSONValue {
    ["long": .string(long), "short": .string(short), "types": []]
  }

  @Test("The long and the short text of an address component are the same word, and no dearer call follows a good hit")
  func components() async throws {
    let steps = try google(
      Self.row(
        "google:1", "1600 Amphitheatre Pkwy", "1600 Amphitheatre Pkwy, Mountain View, CA 94043, USA", "other", type: "street_address",
        components: [Self.component("1600", "1600"), Self.component("Amphitheatre Parkway", "Amphitheatre Pkwy")]))
    for text in ["1600 Amphitheatre Parkway", "1600 Amphitheatre Pkwy", "1600 Amphitheatre Parkway, Mountain View"] {
      let found = try await steps.resolve(text)
      #expect(found.certain && found.place?.id == PlaceID("google:1"), "\(text): \(found.confidence)")
    }
    #expect(steps.asked.allSatisfy { $0.callKind == .geocode })
  }

  @Test("A partial match of the geocoder is not certain, and the next service is queried")
  func partialMatch() async throws {
    var row = try Self.row("google:1", "Hauptstraße 5", "Hauptstraße 5, 10827 Berlin", "exact", type: "street_address")
    row.explain = ["match": "exact", "partialMatch": true]
    let steps = try google(row)
    let found = try await steps.resolve("Hauptstraße 5, Berlin")
    #expect(!found.certain, "\(found)")
    #expect(steps.asked.count == 2)
  }

  @Test("Two letters of a country or region that the place lies in are words of its address")
  func codes() throws {
    let found = try resolution(
      "Gilbert, US",
      Self.row(
        "gazetteer:1", "Gilbert", "Gilbert, Arizona, United States", "exact", type: "locality",
        components: [Self.component("Arizona", "AZ"), Self.component("United States", "US")]),
      Self.row(
        "gazetteer:2", "Gilbert", "Gilbert, Iowa, United States", "exact", at: 42, type: "locality",
        components: [Self.component("Iowa", "IA"), Self.component("United States", "US")]))
    #expect(found.isCertain && found.place.id == PlaceID("gazetteer:1"))
  }

  @Test(
    "Of several towns that a typing error may mean, one is certain if nearly all of their people live in it",
    arguments: [(0.8, 0.4, true), (0.8, 0.75, false)])
  func people(first: Double, second: Double, isCertain: Bool) throws {
    func town(_ id: String, _ name: String, _ importance: Double, _ latitude: Double) throws -> PlaceRow {
      var row = try Self.row(id, name, name, "fuzzy", at: latitude, type: "locality")
      row.explain = ["match": "fuzzy", "importance": .number(importance)]
      return row
    }
    let found = try resolution("Giuyang", town("gazetteer:1", "Guiyang", first, 26), town("gazetteer:2", "Guyang", second, 41))
    #expect(found.isCertain == isCertain && found.place.id == PlaceID("gazetteer:1"), "\(found.confidence)")
  }

  @Test(
    "Among equally similar towns, the largest is chosen, regardless of the provider's order, even for a text of five letters",
    arguments: [("Ambla", 0.4, 0.8, true), ("Ambla", 0.75, 0.8, false), ("Abla", 0.4, 0.8, false)])
  func largest(_ text: String, first: Double, second: Double, isCertain: Bool) throws {
    func town(_ id: String, _ name: String, _ importance: Double, _ latitude: Double) throws -> PlaceRow {
      var row = try Self.row(id, name, name, "fuzzy", at: latitude, type: "locality")
      row.explain = ["match": "fuzzy", "importance": .number(importance)]
      return row
    }
    let found = try resolution(
      text, town("gazetteer:1", "Amblar", first, 46), town("gazetteer:2", text == "Abla" ? "Ambla" : "Ambala", second, 30))
    #expect(found.isCertain == isCertain && found.place.id == PlaceID("gazetteer:2"), "\(found.confidence)")
  }

  @Test(
    "A mistyped name means the largest of its namesakes if few people live in places with similar names",
    arguments: [(0.7, true), (0.78, false)])
  func mistypedNamesakes(second: Double, isCertain: Bool) throws {
    func town(_ id: String, _ name: String, _ importance: Double, _ latitude: Double) throws -> PlaceRow {
      var row = try Self.row(id, name, name, "fuzzy", at: latitude, type: "locality")
      row.explain = ["match": "fuzzy", "importance": .number(importance)]
      return row
    }
    let found = try resolution(
      "Cleeland", town("gazetteer:1", "Cleveland", 0.78, 41), town("gazetteer:2", "Cleveland", second, 35),
      town("gazetteer:3", "Cleveland", second, 30), town("gazetteer:4", "Cleland", 0.55, 55))
    #expect(found.isCertain == isCertain && found.place.id == PlaceID("gazetteer:1"), "\(found.confidence)")
  }

  @Test("An error in a name that the row does not show counts as one in a shown name", arguments: [("München", "1"), (nil, "2")])
  func errorInHiddenName(hidden: String?, id: String) throws {
    func town(_ id: String, _ name: String, _ importance: Double, _ hidden: String?) throws -> PlaceRow {
      var row = try Self.row("gazetteer:\(id)", name, name, "fuzzy", at: 48, type: "locality")
      row.explain = ["match": "fuzzy", "importance": .number(importance), "matchedName": hidden.map { .string($0) } ?? .null]
      return row
    }
    let found = try resolution("mnchen", town("1", "Munich", 0.85, hidden), town("2", "Machen", 0.48, nil))
    // Machen is a village, so the text may be the name of a town that the index lacks.
    #expect(found.isCertain == (hidden != nil) && found.place.id == PlaceID("gazetteer:\(id)"), "\(found.confidence)")
  }

  @Test("Of namesakes the first is certain only if most of their people live in it", arguments: [(0.7, true), (0.76, false)])
  func namesakesByPeople(second: Double, isCertain: Bool) throws {
    func town(_ id: String, _ importance: Double, _ latitude: Double) throws -> PlaceRow {
      var row = try Self.row(id, "Westminster", "Westminster", "exact", at: latitude, type: "locality")
      row.explain = ["match": "exact", "importance": .number(importance)]
      return row
    }
    let found = try resolution("Westminster", town("gazetteer:1", 0.75, 51), town("gazetteer:2", second, 39))
    #expect(found.isCertain == isCertain, "\(found.confidence)")
  }

  @Test("An address that several quarters of a city have is not certain, and no dearer call follows")
  func quarters() async throws {
    func house(_ id: String, _ quarter: String, _ latitude: Double) throws -> PlaceRow {
      try Self.row(id, "Hauptstraße 5", "Hauptstraße 5, \(quarter), 10827 Berlin", "exact", at: latitude, type: "street_address")
    }
    let steps = try google(house("google:1", "Schöneberg", 52.49), house("google:2", "Köpenick", 52.45))
    let found = try await steps.resolve("Hauptstraße 5, Berlin")
    #expect(!found.certain && found.candidates?.map(\.id.text) == ["google:1", "google:2"])
    #expect(found.candidates?.map(\.confidence) == [0.49, 0.49])
    #expect(steps.asked.count == 1)
  }

  @Test("The confidences of the candidates fall and add up to at most 1, and the first is that of the answer")
  func candidates() throws {
    let found = try resolution(
      "coop", Self.row("gazetteer:1", "Coop", "Vaduz", "exact"), Self.row("gazetteer:2", "Coop", "Schaan", "exact", at: 48),
      Self.row("gazetteer:3", "Coop Pronto", "Vaduz", "words", at: 49), Self.row("gazetteer:4", "Cooper", "Vaduz", "prefix", at: 50))
    #expect(found.confidence == 0.49 && found.candidates.map(\.confidence) == [0.49, 0.49, 0.02, 0])
    #expect(found.candidates.allSatisfy { $0.explain == nil && $0.values[.addressComponents] == nil })
  }

  @Test("A confidence is in hundredths, and an uncertain one stays below 0.8, also if it rounds to that")
  func rounded() {
    #expect([0.7999, 0.8, 0.57, 0.985].map(Resolution.rounded) == [0.79, 0.8, 0.57, 0.99])
  }
}
