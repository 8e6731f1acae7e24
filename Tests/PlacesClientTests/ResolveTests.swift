import Foundation  // encodes manifests
import PlacesAPI
import PlacesKit
import Testing

@testable import PlacesClient

@Suite("A text is resolved to a place, cheapest provider first")
struct ResolveTests {
  static func provider(_ id: String, remote: Bool, isFree: Bool = false, calls: JSONValue = ["search"]) -> JSONValue {
    [
      "id": .string(id), "name": "x", "plugin": "x", "version": "1", "state": "ready", "leavesMachine": .boolean(remote),
      "isFree": .boolean(isFree), "calls": calls, "counters": ["sent": 0, "succeeded": 0, "failed": 0, "timedOut": 0, "saved": 0],
    ]
  }

  static func places(_ ids: String...) -> JSONValue {
    [
      "places": .array(ids.map { ["id": .string($0), "row": "r", "sources": [], "attributions": []] }), "providers": [],
      "attributions": [], "complete": true,
    ]
  }

  /// An answer with one place, and how its name fits.
  static func place(_ id: String, _ match: String) -> JSONValue {
    [
      "places": [["id": .string(id), "row": "r", "sources": [], "attributions": [], "explain": ["match": .string(match)]]],
      "providers": [], "attributions": [], "complete": true,
    ]
  }

  /// A daemon with one local and one remote provider, which return this many places.
  func daemon(local: ScriptedDaemon.Answer, all: ScriptedDaemon.Answer) -> ScriptedDaemon {
    ScriptedDaemon { received, _ in
      if received.method == "providers.list" {
        return .result(["providers": [Self.provider("gazetteer", remote: false), Self.provider("google", remote: true)]])
      }
      return received.params["providers"] == ["gazetteer"] ? local : all
    }
  }

  @Test("A place that a local provider returns causes no further request")
  func local() async throws {
    let daemon = daemon(local: .result(Self.places("gazetteer:1")), all: .never)
    #expect(try await PlacesClient(dialer: daemon).resolve("berlin")?.place.id == PlaceID("gazetteer:1"))
    #expect(daemon.received.last?.params["providers"] == ["gazetteer"])
    #expect(daemon.received.last?.params["limit"] == nil, "the default, 20")
    #expect(daemon.received.count == 2)
  }

  @Test(
    "If the local provider does not know the place or fails, the others are queried",
    arguments: [
      ScriptedDaemon.Answer.result(places()), .error(.refused(.init(code: -32006, message: "m"))),
    ])
  func remote(_ local: ScriptedDaemon.Answer) async throws {
    let daemon = daemon(local: local, all: .result(Self.places("google:2")))
    #expect(try await PlacesClient(dialer: daemon).resolve("cafe x")?.place.id == PlaceID("google:2"))
    #expect(daemon.received.count == 3)
  }

  @Test("Free services are queried before paid ones")
  func free() async throws {
    let daemon = ScriptedDaemon { received, _ in
      if received.method == "providers.list" {
        return .result([
          "providers": [
            Self.provider("gazetteer", remote: false, isFree: true), Self.provider("nominatim", remote: true, isFree: true),
            Self.provider("google", remote: true),
          ]
        ])
      }
      return .result(received.params["providers"] == ["nominatim"] ? Self.places("nominatim:2") : Self.places())
    }
    #expect(try await PlacesClient(dialer: daemon).resolve("cafe x")?.place.id == PlaceID("nominatim:2"))
    #expect(daemon.received.dropFirst().map { $0.params["providers"] } == [["gazetteer"], ["nominatim"]])
  }

  @Test("An unknown place is not an error if at least one provider answers", arguments: [true, false])
  func nobody(answers: Bool) async throws {
    let refused = ScriptedDaemon.Answer.error(.refused(.init(code: -32001, message: "m")))
    let daemon = daemon(local: answers ? .result(Self.places()) : refused, all: refused)
    let client = PlacesClient(dialer: daemon)
    if answers {
      #expect(try await client.resolve("qqq") == nil)
    } else {
      await #expect(throws: ClientError.self) { try await client.resolve("qqq") }
    }
  }

  /// A daemon with Google and Foursquare at their prices, who know what `knows` says.
  /// - Parameter isPublished: false if Foursquare's prices are not known.
  private func paid(isPublished: Bool = true, _ knows: @escaping @Sendable (ScriptedDaemon.ReceivedCall) -> JSONValue) throws
    -> ScriptedDaemon
  {
    let statuses: [String: JSONValue] = [
      "google": Self.provider("google", remote: true, calls: ["search", "geocode"]),
      "foursquare": Self.provider("foursquare", remote: true),
    ]
    let prices = [
      "google": PriceTable(
        classes: [PriceClass("ids", micros: 0), PriceClass("pro", micros: 32_000), PriceClass("geocoding", micros: 5_000)],
        calls: [.search: "ids", .geocode: "geocoding"], fieldClasses: [.search: [.name: "pro"]]),
      "foursquare": PriceTable(
        classes: isPublished ? [PriceClass("pro", micros: 15_000), PriceClass("premium", micros: 40_000)] : [], calls: [.search: "pro"],
        fieldClasses: [.search: [.photos: "premium"]]),
    ]
    let manifests: [String: JSONValue] = try prices.mapValues { prices in
      let manifest = Manifest(plugin: "p", name: "P", version: "1", summary: "s", terms: .nothing, attributions: [], prices: prices)
      return try JSONValue(parsing: Array(JSONEncoder().encode(manifest)))
    }
    return ScriptedDaemon { received, _ in
      switch received.method {
      case "providers.list": return .result(["providers": [statuses["google"] ?? [], statuses["foursquare"] ?? []]])
      case "providers.get":
        let id = received.params["provider"]?.string ?? ""
        return .result(["provider": statuses[id] ?? [], "manifest": manifests[id] ?? []])
      default: return .result(knows(received))
      }
    }
  }

  @Test(
    "Paid services are queried one by one, cheapest first; a geocoder precedes searches only for an address",
    arguments: [
      ("10 High Street", Resolution.usualFields, ["google street_address", "foursquare -", "google -"]),
      ("Hauptstraße Schaan", Resolution.usualFields, ["foursquare -", "google -", "google street_address"]),
      ("cafe x", [.placeID], ["google -", "foursquare -", "google street_address"]),
      ("cafe x", Set(PlaceField.Tier.basic.fields), ["google -", "foursquare -", "google street_address"]),
    ] as [(String, Set<PlaceField>, [String])])
  func cheapest(text: String, fields: Set<PlaceField>, order: [String]) async throws {
    let daemon = try paid { _ in Self.places() }
    #expect(try await PlacesClient(dialer: daemon).resolve(text, fields: fields) == nil)
    let received = daemon.received.filter { $0.method == "places.search" }.map(\.params)
    #expect(received.map { "\($0["providers"]?[0]?.string ?? "") \($0["includedType"]?.string ?? "-")" } == order)
    #expect(received.allSatisfy { $0["providers"]?.array?.count == 1 })
  }

  @Test("A service whose price is not known is queried last")
  func unknownPrice() async throws {
    let daemon = try paid(isPublished: false) { _ in Self.places() }
    #expect(try await PlacesClient(dialer: daemon).resolve("10 High Street") == nil)
    let providers = daemon.received.filter { $0.method == "places.search" }.map { $0.params["providers"]?[0]?.string }
    #expect(providers == ["google", "google", "foursquare"])
  }

  @Test("No service is queried after the first paid one that returns the place; a geocoder's guess without the text's words does not count")
  func known() async throws {
    let geocoded = try paid { $0.params["includedType"] == nil ? Self.places() : Self.place("google:1", "words") }
    #expect(try await PlacesClient(dialer: geocoded).resolve("10 High Street")?.place.id == PlaceID("google:1"))
    #expect(geocoded.received.count { $0.method == "places.search" } == 1)
    let guessed = try paid { $0.params["includedType"] == nil ? Self.place("foursquare:2", "exact") : Self.place("google:1", "other") }
    #expect(try await PlacesClient(dialer: guessed).resolve("cafe 24 schaan")?.place.id == PlaceID("foursquare:2"))
    #expect(guessed.received.count { $0.method == "places.search" } == 2)
  }

  @Test("Providers that are not ready are queried last, and a type that is not an address is not geocoded")
  func late() async throws {
    let daemon = ScriptedDaemon { received, _ in
      guard received.method == "providers.list" else { return .result(Self.places()) }
      var suspended = Self.provider("foursquare", remote: true).object ?? [:]
      suspended["state"] = "suspended"
      return .result(["providers": [.object(suspended), Self.provider("google", remote: true, calls: ["search", "geocode"])]])
    }
    #expect(try await PlacesClient(dialer: daemon).resolve("cafe 1") { $0.includedType = "cafe" } == nil)
    #expect(daemon.received.dropFirst().map { $0.params["providers"] } == [["google"], ["foursquare"]])
  }

  @Test("A similar name is returned if no provider returns a better one")
  func alike() async throws {
    let better = daemon(local: .result(Self.place("gazetteer:1", "fuzzy")), all: .result(Self.place("google:2", "exact")))
    let found = try #require(try await PlacesClient(dialer: better).resolve("schaan"))
    #expect(found.place.id == PlaceID("google:2") && found.fit == .name)
    for all in [ScriptedDaemon.Answer.result(Self.places()), .error(.refused(.init(code: -32001, message: "m")))] {
      let worse = daemon(local: .result(Self.place("gazetteer:1", "fuzzy")), all: all)
      let alike = try #require(try await PlacesClient(dialer: worse).resolve("schaan"))
      #expect(alike.place.id == PlaceID("gazetteer:1") && alike.fit == .alike)
      #expect(alike.place.explain == nil)
    }
  }

  @Test("A place without the text's words does not replace a similar one, and is better than none")
  func unrelated() async throws {
    for other in ["other", "part"] {
      let guessed = daemon(local: .result(Self.place("gazetteer:1", "fuzzy")), all: .result(Self.place("google:2", other)))
      let alike = try #require(try await PlacesClient(dialer: guessed).resolve("londn"))
      #expect(alike.place.id == PlaceID("gazetteer:1") && alike.fit == .alike)
    }
    let geocoded = try paid { $0.params["includedType"] == nil ? Self.place("foursquare:2", "fuzzy") : Self.place("google:1", "other") }
    #expect(try await PlacesClient(dialer: geocoded).resolve("10 Hihg Street")?.place.id == PlaceID("foursquare:2"))
    // After a paid provider returned a different place, no further one is paid for a typing error.
    for other in ["other", "fuzzy"] {
      let slip = try paid { received in
        received.params["providers"]?[0]?.string == "google" ? Self.place("google:1", "fuzzy") : Self.place("foursquare:2", other)
      }
      #expect(try await PlacesClient(dialer: slip).resolve("cafe x", fields: [.placeID])?.place.id == PlaceID("google:1"))
      #expect(slip.received.count { $0.method == "places.search" } == 2)
    }
    let hidden = daemon(local: .result(Self.places()), all: .result(Self.place("google:2", "other")))
    #expect(try await PlacesClient(dialer: hidden).resolve("londn")?.place.id == PlaceID("google:2"))
  }

  /// An answer with a place of a name, and how that fits.
  private func place(_ name: String, _ match: JSONValue, id: String = "gazetteer:1") -> JSONValue {
    [
      "places": [["id": .string(id), "row": "r", "name": .string(name), "sources": [], "attributions": [], "explain": ["match": match]]],
      "providers": [["provider": "gazetteer", "outcome": "ok", "latencyMs": 1, "count": 1]], "attributions": [], "complete": true,
    ]
  }

  @Test(
    "If the name is only a part of the text, further providers are queried; a similar name fits better",
    arguments: [true, false])
  func part(isKnown: Bool) async throws {
    let daemon = daemon(
      local: .result(place("Rhein", "part")), all: .result(isKnown ? place("Köln am Rhein", "fuzzy", id: "google:2") : Self.places()))
    let found = try #require(try await PlacesClient(dialer: daemon).resolve("Kölnn am Rhein"))
    #expect(found.fit == (isKnown ? .alike : .part) && found.name == (isKnown ? "Köln am Rhein" : "Rhein"))
    #expect(daemon.received.count == 3)
  }

  @Test("A place is rated once, and a geocoder may know more than its answer shows")
  func partAgain() async throws {
    let again = daemon(local: .result(place("Rhein", "part")), all: .result(place("Rhein", "other")))
    #expect(try await PlacesClient(dialer: again).resolve("Kölnn am Rhein")?.fit == .part)
    let geocoder = daemon(local: .result(Self.places()), all: .result(place("Hauptstraße 5", "part", id: "google:2")))
    #expect(try await PlacesClient(dialer: geocoder).resolve("Hauptstraße 5, Ulm, Germany")?.fit == .other)
  }

  @Test("An unrequested name is fetched only if it is free, and is not a field of the place; the queried providers are reported")
  func unwantedName() async throws {
    let local = daemon(local: .result(place("Vaduz", "exact")), all: .never)
    let found = try #require(try await PlacesClient(dialer: local).resolve("vaduz", fields: [.coordinate]))
    #expect(found.name == "Vaduz" && found.place.values.isEmpty)
    let received = local.received.last?.params["fields"]?.array?.compactMap(\.string) ?? []
    #expect(Set(received) == ["name", "formattedAddress", "addressComponents", "coordinate", "types"])
    #expect(found.providers.map(\.provider) == ["gazetteer"])
    let all = daemon(local: .result(Self.places()), all: .result(Self.places("google:2")))
    #expect(try await PlacesClient(dialer: all).resolve("vaduz", fields: [.coordinate])?.place.id == PlaceID("google:2"))
    #expect(all.received.last?.params["fields"] == ["coordinate"])
  }

  @Test("An umlaut written with an e is not a typing error")
  func umlaut() async throws {
    let answer: JSONValue = [
      "places": [["id": "gazetteer:1", "row": "r", "name": "Zürich", "sources": [], "attributions": [], "explain": ["match": "fuzzy"]]],
      "providers": [], "attributions": [], "complete": true,
    ]
    let daemon = daemon(local: .result(answer), all: .never)
    #expect(try await PlacesClient(dialer: daemon).resolve("zuerich")?.fit == .name)
    #expect(daemon.received.count == 2)
  }

  @Test("A provider that only suggests is queried for a suggestion, and for its details if it has any", arguments: [false, true])
  func suggesting(hasDetails: Bool) async throws {
    let daemon = ScriptedDaemon { received, _ in
      switch received.method {
      case "providers.list": return .result(["providers": [Self.provider("tiny", remote: false, calls: ["autocomplete"])]])
      case "places.autocomplete":
        return .result([
          "suggestions": [
            [
              "kind": "place", "id": "tiny:2", "text": ["text": "Schaan, Liechtenstein", "matches": []], "row": "r1", "types": ["locality"],
              "sources": [], "explain": ["match": "exact"],
            ]
          ], "providers": [], "attributions": [], "complete": true, "revision": 1,
        ])
      case "places.details" where hasDetails:
        return .result([
          "place": ["id": "tiny:2", "row": "r1", "name": "Schaan", "sources": [], "attributions": []], "providers": [], "attributions": [],
        ])
      default: return .error(.refused(.init(code: -32006, message: "m")))
      }
    }
    let found = try #require(try await PlacesClient(dialer: daemon).resolve("schaan"))
    #expect(found.place.id == PlaceID("tiny:2") && found.fit == .name)
    #expect(found.place.values[.name]?.string == (hasDetails ? "Schaan" : "Schaan, Liechtenstein"))
  }
}
