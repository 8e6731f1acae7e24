import PlacesAPI
import PlacesKit
import Testing

@testable import QueryEngine

/// Resolves texts with scripted answers of the steps, and records the steps.
final class ScriptedSteps {
  private let providers: [ProviderStatus]
  private let prices: [String: PriceTable]
  private let answer: (ResolveStep) throws(APIError) -> [PlaceRow]
  private(set) var asked: [ResolveStep] = []

  init(
    _ providers: [ProviderStatus], prices: [String: PriceTable] = [:], answer: @escaping (ResolveStep) throws(APIError) -> [PlaceRow]
  ) {
    self.providers = providers
    self.prices = prices
    self.answer = answer
  }

  func resolve(
    _ text: String, fields: Set<PlaceField> = Resolve.usualFields, type: PlaceType? = nil
  ) async throws(APIError) -> Resolve.Result {
    var parameters = Resolve.Parameters(query: text)
    (parameters.fields, parameters.includedType) = (fields, type)
    let steps = [ResolveStep](providers, for: parameters) { self.prices[$0] }
    var resolver = Resolver(text: text, bias: nil, fields: fields, localProviders: Set(providers.filter { !$0.leavesMachine }.map(\.id)))
    try await resolver.query(steps) { step throws(APIError) in
      asked.append(step)
      return (try answer(step), step.providers.map { ProviderReport(provider: $0, outcome: .ok) })
    }
    return try resolver.result()
  }
}

extension ProviderStatus {
  /// A service on the network, unless its id is `gazetteer`.
  static func scripted(
    _ id: String, isFree: Bool = false, calls: [Call] = [.search], state: State = .ready
  ) -> ProviderStatus {
    ProviderStatus(
      id: id, name: id, plugin: id, version: "1", state: state, leavesMachine: id != "gazetteer", isFree: isFree, calls: calls)
  }
}

extension Resolve.Result {
  var best: PlaceRow? { place ?? candidates?.first }
}

@Suite("A text is resolved to a place, cheapest provider first")
struct ResolveTests {
  private static let failed = APIError(.allProvidersFailed, "m", providers: [ProviderReport(provider: "p", outcome: .error)])

  /// A place, and how it matches.
  private static func place(_ id: String, _ match: String = "exact", name: String? = nil) -> [PlaceRow] {
    [
      PlaceRow(
        id: PlaceID(id) ?? PlaceID(provider: "", native: ""), row: "r", values: name.map { [.name: .string($0)] } ?? [:], sources: [],
        attributions: [AttributionRow(provider: "p", text: "©", url: nil)], explain: ["match": .string(match)])
    ]
  }

  /// One local and one remote provider, which return these rows; nil if they fail.
  private func steps(local: [PlaceRow]?, remote: [PlaceRow]? = nil) -> ScriptedSteps {
    ScriptedSteps([.scripted("gazetteer", isFree: true), .scripted("google")]) { step throws(APIError) in
      guard let rows = step.providers == ["gazetteer"] ? local : remote else { throw Self.failed }
      return rows
    }
  }

  @Test("A place that a local provider returns causes no further request")
  func local() async throws {
    let steps = steps(local: Self.place("gazetteer:1"))
    let found = try await steps.resolve("berlin")
    #expect(found.certain && found.place?.id == PlaceID("gazetteer:1") && found.candidates == nil)
    #expect(found.attributions.map(\.text) == ["©"] && found.providers.map(\.provider) == ["gazetteer"])
    #expect(steps.asked.map(\.providers) == [["gazetteer"]] && steps.asked[0].callKind == .search && steps.asked[0].isFree)
  }

  @Test("If the local provider does not know the place or fails, the others are queried", arguments: [true, false])
  func remote(fails: Bool) async throws {
    let steps = steps(local: fails ? nil : [], remote: Self.place("google:2"))
    let found = try await steps.resolve("cafe x")
    #expect(found.place?.id == PlaceID("google:2") && steps.asked.count == 2)
    #expect(found.providers.map(\.provider) == [fails ? "p" : "gazetteer", "google"])
  }

  @Test("A guess of the local provider does not keep others from being queried", arguments: ["other", "prefix", "fuzzy"])
  func localGuess(match: String) async throws {
    let steps = steps(local: Self.place("gazetteer:1", match, name: "Saransk"), remote: Self.place("google:2", name: "Sargans"))
    let found = try await steps.resolve("sargans")
    #expect(found.certain && found.place?.id == PlaceID("google:2") && steps.asked.count == 2)
  }

  @Test("If the local provider is not certain of a place with all words, free services are queried, and paid ones are not")
  func localUncertain() async throws {
    let steps = ScriptedSteps(["gazetteer", "photon", "google"].map { .scripted($0, isFree: $0 != "google") }) { step throws(APIError) in
      switch step.providers {
      case ["gazetteer"]: Self.place("gazetteer:1", "words", name: "Gmünd am Kamp im Waldviertel")
      case ["photon"]: Self.place("photon:2", name: "Gmünd")
      default: throw Self.failed
      }
    }
    let found = try await steps.resolve("gmünd")
    #expect(found.certain && found.place?.id == PlaceID("photon:2") && steps.asked.map(\.providers) == [["gazetteer"], ["photon"]])
    let alone = self.steps(local: Self.place("gazetteer:1", "words", name: "Gmünd am Kamp im Waldviertel"))
    #expect(try await !alone.resolve("gmünd").certain && alone.asked.count == 1)
  }

  @Test("Free services are queried before paid ones")
  func free() async throws {
    let steps = ScriptedSteps([.scripted("google"), .scripted("nominatim", isFree: true), .scripted("gazetteer", isFree: true)]) {
      $0.providers == ["nominatim"] ? Self.place("nominatim:2") : []
    }
    #expect(try await steps.resolve("cafe x").place?.id == PlaceID("nominatim:2"))
    #expect(steps.asked.map(\.providers) == [["gazetteer"], ["nominatim"]])
  }

  @Test("An unknown place is not an error if at least one provider answers")
  func nobody() async throws {
    let found = try await steps(local: []).resolve("qqq")
    #expect(!found.certain && found.confidence == 0 && found.match == nil && found.place == nil && found.candidates == [])
    do throws(APIError) {
      _ = try await steps(local: nil).resolve("qqq")
      Issue.record("no provider answered")
    } catch { #expect(error.name == .allProvidersFailed && error.providers.map(\.provider) == ["p", "p"]) }
  }

  /// Google and Foursquare at their prices; `knows` returns the rows of a step.
  /// - Parameter isPublished: false if Foursquare's prices are not known.
  private func paid(isPublished: Bool = true, _ knows: @escaping (ResolveStep) -> [PlaceRow]) -> ScriptedSteps {
    let prices = [
      "google": PriceTable(
        classes: [PriceClass("ids", micros: 0), PriceClass("pro", micros: 32_000), PriceClass("geocoding", micros: 5_000)],
        calls: [.search: "ids", .geocode: "geocoding"], fieldClasses: [.search: [.name: "pro"]]),
      "foursquare": PriceTable(
        classes: isPublished ? [PriceClass("pro", micros: 15_000), PriceClass("premium", micros: 40_000)] : [], calls: [.search: "pro"],
        fieldClasses: [.search: [.photos: "premium"]]),
    ]
    return ScriptedSteps([.scripted("google", calls: [.search, .geocode]), .scripted("foursquare")], prices: prices, answer: knows)
  }

  @Test(
    "Paid services are queried one by one, cheapest first; a geocoder precedes searches only for an address",
    arguments: [
      ("10 High Street", Resolve.usualFields, ["google geocode", "foursquare search", "google search"]),
      ("Hauptstraße Schaan", Resolve.usualFields, ["foursquare search", "google search", "google geocode"]),
      ("cafe x", [.placeID], ["google search", "foursquare search", "google geocode"]),
      ("cafe x", Set(PlaceField.Tier.basic.fields), ["google search", "foursquare search", "google geocode"]),
    ] as [(String, Set<PlaceField>, [String])])
  func cheapest(text: String, fields: Set<PlaceField>, order: [String]) async throws {
    let steps = paid { _ in [] }
    #expect(try await steps.resolve(text, fields: fields).best == nil)
    #expect(steps.asked.map { "\($0.providers.joined(separator: "+")) \($0.callKind)" } == order)
  }

  @Test("A service whose price is not known is queried last")
  func unknownPrice() async throws {
    let steps = paid(isPublished: false) { _ in [] }
    #expect(try await steps.resolve("10 High Street").best == nil)
    #expect(steps.asked.map(\.providers) == [["google"], ["google"], ["foursquare"]])
  }

  @Test("No service is queried after the first paid one that returns the place; a geocoder's guess without the text's words does not count")
  func known() async throws {
    let geocoded = paid { $0.callKind == .search ? [] : Self.place("google:1", "words") }
    #expect(try await geocoded.resolve("10 High Street").best?.id == PlaceID("google:1"))
    #expect(geocoded.asked.count == 1)
    let guessed = paid { $0.callKind == .search ? Self.place("foursquare:2") : Self.place("google:1", "other") }
    #expect(try await guessed.resolve("cafe 24 schaan").best?.id == PlaceID("foursquare:2"))
    #expect(guessed.asked.count == 2)
  }

  @Test("Providers that are not ready are queried last, and a type that is not an address is not geocoded")
  func late() async throws {
    let steps = ScriptedSteps([.scripted("foursquare", state: .suspended), .scripted("google", calls: [.search, .geocode])]) { _ in [] }
    #expect(try await steps.resolve("cafe 1", type: "cafe").best == nil)
    #expect(steps.asked.map(\.providers) == [["google"], ["foursquare"]])
  }

  @Test("A free provider that is starting is queried before a paid one; those that are late, in the usual order")
  func starting() async throws {
    let prices = ["a": 9, "b": 3].mapValues {
      PriceTable(classes: [PriceClass("x", micros: $0)], calls: [.search: "x", .autocomplete: "x"])
    }
    let steps = ScriptedSteps(
      [
        .scripted("a", state: .suspended), .scripted("b", state: .suspended), .scripted("google"),
        .scripted("gazetteer", calls: [], state: .starting), .scripted("photon", isFree: true, calls: [.autocomplete], state: .suspended),
      ], prices: prices
    ) { _ in [] }
    #expect(try await steps.resolve("cafe 1").best == nil)
    #expect(steps.asked.map(\.providers) == [["gazetteer"], ["google"], ["photon"], ["b"], ["a"]])
    #expect(steps.asked.map(\.callKind) == [.search, .search, .suggest, .search, .search])
  }

  @Test("An overloaded daemon queries no further provider", arguments: [true, false])
  func overloaded(isFirst: Bool) async throws {
    let steps = ScriptedSteps(
      [.scripted("gazetteer", isFree: true), .scripted("photon", isFree: true), .scripted("google")]
    ) { step throws(APIError) in
      guard step.providers == [isFirst ? "gazetteer" : "photon"] else { return Self.place("gazetteer:1", "fuzzy", name: "Berlix") }
      throw APIError(.overloaded, "m")
    }
    do throws(APIError) {
      let found = try await steps.resolve("berlin")
      #expect(!isFirst && found.best?.id == PlaceID("gazetteer:1"))
    } catch { #expect(isFirst && error.name == .overloaded) }
    #expect(steps.asked.count == (isFirst ? 1 : 2))
  }

  @Test("Long texts of a service are compared within a bound, and its importance may be any number")
  func bounded() throws {
    let long = String(repeating: "strasse ", count: 120)
    let components = (0..<100).map { _ in JSONValue.object(["long": .string(long), "short": .string(long), "types": []]) }
    let rows = ["1", "2"].map { id in
      PlaceRow(
        id: PlaceID(provider: "p", native: id), row: "r",
        values: [
          .name: "Schaan", .formattedAddress: .string(long), .addressComponents: .array(components), .types: ["locality"],
        ], sources: [], attributions: [], explain: ["match": "exact", "importance": 1_000])
    }
    let text = String(repeating: "strase ", count: 36)
    let time = ContinuousClock().measure { #expect(Resolution(rows: rows, for: text, isLocal: false, bias: nil, fields: []) != nil) }
    #expect(time < .seconds(1))
    let found = try #require(Resolution(rows: rows, for: "schaan", isLocal: false, bias: nil, fields: []))
    #expect((0...1).contains(found.confidence) && found.candidates.allSatisfy { (0...1).contains($0.confidence ?? -1) })
    #expect(found.name == "Schaan" && found.place.values.isEmpty)
  }

  @Test("A similar name is returned if no provider returns a better one")
  func alike() async throws {
    let better = try await steps(local: Self.place("gazetteer:1", "fuzzy"), remote: Self.place("google:2")).resolve("schaan")
    #expect(better.best?.id == PlaceID("google:2") && better.match == .exact)
    for remote in [[], nil] as [[PlaceRow]?] {
      let alike = try await steps(local: Self.place("gazetteer:1", "fuzzy"), remote: remote).resolve("schaan")
      #expect(alike.best?.id == PlaceID("gazetteer:1") && alike.match == .fuzzy && alike.best?.explain == nil)
    }
  }

  @Test("A place without the text's words does not replace a similar one, and is better than none")
  func unrelated() async throws {
    for other in ["other", "part"] {
      let alike = try await steps(local: Self.place("gazetteer:1", "fuzzy"), remote: Self.place("google:2", other)).resolve(
        "londn")
      #expect(alike.best?.id == PlaceID("gazetteer:1") && alike.match == .fuzzy)
    }
    let geocoded = paid { $0.callKind == .search ? Self.place("foursquare:2", "fuzzy") : Self.place("google:1", "other") }
    #expect(try await geocoded.resolve("10 Hihg Street").best?.id == PlaceID("foursquare:2"))
    // After a paid provider returned a different place, no further one is paid for a typing error.
    for other in ["other", "fuzzy"] {
      let slip = paid { $0.providers == ["google"] ? Self.place("google:1", "fuzzy") : Self.place("foursquare:2", other) }
      #expect(try await slip.resolve("cafe x", fields: [.placeID]).best?.id == PlaceID("google:1"))
      #expect(slip.asked.count == 2)
    }
    let hidden = steps(local: [], remote: Self.place("google:2", "other"))
    #expect(try await hidden.resolve("londn").best?.id == PlaceID("google:2"))
  }

  @Test("If the name is only a part of the text, further providers are queried; a similar name fits better", arguments: [true, false])
  func part(isKnown: Bool) async throws {
    let steps = steps(
      local: Self.place("gazetteer:1", "part", name: "Rhein"),
      remote: isKnown ? Self.place("google:2", "fuzzy", name: "Köln am Rhein") : [])
    let found = try await steps.resolve("Kölnn am Rhein")
    #expect(found.match == (isKnown ? .fuzzy : .part) && found.best?.values[.name] == (isKnown ? "Köln am Rhein" : "Rhein"))
    #expect(steps.asked.count == 2)
  }

  @Test("A place is rated once, and a geocoder may know more than its answer shows")
  func partAgain() async throws {
    let again = steps(
      local: Self.place("gazetteer:1", "part", name: "Rhein"), remote: Self.place("gazetteer:1", "other", name: "Rhein"))
    #expect(try await again.resolve("Kölnn am Rhein").match == .part)
    let geocoder = steps(local: [], remote: Self.place("google:2", "part", name: "Hauptstraße 5"))
    #expect(try await geocoder.resolve("Hauptstraße 5, Ulm, Germany").match == .other)
  }

  @Test("An umlaut written with an e is not a typing error")
  func umlaut() async throws {
    let steps = steps(local: Self.place("gazetteer:1", "fuzzy", name: "Zürich"))
    #expect(try await steps.resolve("zuerich").match == .exact && steps.asked.count == 1)
  }
}
