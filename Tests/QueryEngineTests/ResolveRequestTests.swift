import PlacesAPI
import PlacesKit
import Testing

@testable import QueryEngine

@Suite("A request to resolve a text")
struct ResolveRequestTests {
  private static let prices = PriceTable(
    classes: [PriceClass("pro", micros: 32_000), PriceClass("geocoding", micros: 5_000)],
    calls: [.search: "pro", .geocode: "geocoding", .autocomplete: "pro"])

  private func provider(
    _ name: String, remote: Bool = true, prices: PriceTable = PriceTable(), geocodes: Bool = false,
    _ behaviour: ScriptedService.Behaviour
  ) -> EngineFixture.ScriptedProvider {
    var manifest = Manifest.scripted(name, remote: remote, prices: prices)
    if geocodes { manifest.geocode = manifest.search }
    return .init(manifest: manifest) { _, _ in behaviour }
  }

  @Test("The reply is sent by the deadline although no service answers, and every step has had its share of the time")
  func deadline() throws {
    let fixture = EngineFixture([
      "a": provider("A", remote: false, .places([])), "b": provider("B", .hanging), "c": provider("C", prices: Self.prices, .deaf(60)),
    ])
    let start = fixture.time.monotonic()
    let result = try #require(fixture.resolve("cafe x") { $0.deadlineMs = 500 }?.value)
    #expect(fixture.time.monotonic() - start <= 0.5)
    #expect(!result.certain && result.candidates == [])
    #expect(result.providers.map(\.outcome) == [.empty, .timeout, .timeout])
    let asked = ["a", "b", "c"].compactMap { fixture.calls(to: $0).first?.at }.map { $0 - start }
    #expect(asked.count == 3 && asked[1] < 0.01 && (0.2...0.3).contains(asked[2]), "\(asked)")
  }

  @Test("Without a deadline, each step has the configured one; a service that does not answer does not hide the place of the next")
  func defaultDeadline() throws {
    let fixture = EngineFixture([
      "a": provider("A", remote: false, .places([])), "b": provider("B", .hanging),
      "c": provider("C", prices: Self.prices, .places([.named("Cafe X")], after: 0.8)),
    ])
    let start = fixture.time.monotonic()
    let result = try #require(fixture.resolve("cafe x")?.value)
    #expect(result.certain && result.place?.id == PlaceID("c:cafe x") && result.match == .exact)
    #expect(fixture.time.monotonic() - start <= 3)
  }

  @Test("If no provider answers by the deadline, the error has the report of each")
  func nobody() throws {
    let fixture = EngineFixture(["b": provider("B", .hanging), "c": provider("C", prices: Self.prices, .hanging)])
    let error = try #require(fixture.resolve("cafe x") { $0.deadlineMs = 100 }?.error)
    #expect(error.name == .deadlineExceeded && error.providers.map(\.provider) == ["b", "c"])
  }

  @Test("It counts once in the user's quota, however many steps it needs, and keeps no pages")
  func quota() throws {
    var settings = EngineSettings()
    settings.requestsPerMinute = 1
    let many = (0..<20).map { Place.named("Cafe Xenia \($0)", id: "\($0)") }
    let fixture = EngineFixture(
      settings: settings,
      [
        "a": provider("A", remote: false, .places([])), "b": provider("B", .places([])),
        "c": provider("C", prices: Self.prices, .places(many, next: "2")),
      ])
    let result = try #require(fixture.resolve("cafe x")?.value)
    #expect(!result.certain && result.candidates?.count == Resolve.maxCandidates && result.providers.count == 3)
    #expect(fixture.engine.pages.count == 0)
    #expect(fixture.resolve("cafe x")?.error?.name == .quotaExceeded)
  }

  @Test("An address is requested from the geocoder, which costs less, and no search follows")
  func geocoder() throws {
    let address = Place(
      id: "1", values: [.name: "Hauptstraße 5", .formattedAddress: "Hauptstraße 5, 10827 Berlin"], types: ["street_address"],
      location: .zero)
    let fixture = EngineFixture(["c": provider("C", prices: Self.prices, geocodes: true, .places([address]))])
    let result = try #require(fixture.resolve("Hauptstraße 5, Berlin")?.value)
    #expect(result.certain && result.place?.id == PlaceID("c:1"))
    #expect(fixture.calls(to: "c").map(\.call.kind) == [.geocode])
  }

  @Test("A provider that only suggests is queried for a suggestion, and for its details if it has any", arguments: [false, true])
  func suggesting(hasDetails: Bool) throws {
    var manifest = Manifest.scripted("Tiny")
    manifest.search = nil
    if !hasDetails { manifest.details = nil }
    let fixture = EngineFixture([
      "tiny": .init(manifest: manifest) { call, _ in
        call.kind == .details ? .places([.named("Schaan", id: "2", at: .zero)]) : .suggestions([.city("Schaan", id: "2", .zero)])
      }
    ])
    let result = try #require(fixture.resolve("schaan")?.value)
    #expect(result.certain && result.place?.id == PlaceID("tiny:2") && result.match == .exact)
    #expect(result.place?.values[.name] == "Schaan" && result.attributions.map(\.text) == ["© Tiny"])
    #expect(fixture.calls(to: "tiny").map(\.call.kind) == (hasDetails ? [.autocomplete, .details] : [.autocomplete]))
  }

  @Test("Fields that show how a place matches are requested if they are free, and not returned unless they were requested")
  func fields() throws {
    var prices = Self.prices
    prices.fieldClasses[.geocode] = [.formattedAddress: "pro"]
    let fixture = EngineFixture([
      "a": provider("A", remote: false, .places([])),
      "c": provider("C", prices: prices, geocodes: true, .places([.named("Hauptstraße 5", at: .zero)])),
    ])
    let result = try #require(fixture.resolve("Hauptstraße 5") { $0.fields = [.coordinate] }?.value)
    #expect(result.place.map { Set($0.values.keys) } == [.coordinate] && result.name == "Hauptstraße 5")
    guard case .search(let free)? = fixture.calls(to: "a").first?.call, case .geocode(let paid)? = fixture.calls(to: "c").first?.call
    else { Issue.record("not asked"); return }
    let others: Set<PlaceField> = [.name, .addressComponents, .types]
    #expect(free.fields.isSuperset(of: others.union([.formattedAddress])))
    #expect(paid.fields.isSuperset(of: others) && !paid.fields.contains(.formattedAddress))
  }

  @Test("A provider that is not configured is rejected")
  func unknownProvider() throws {
    let fixture = EngineFixture(["a": provider("A", .places([]))])
    #expect(fixture.resolve("x") { $0.providers = ["a", "nosuch"] }?.error?.name == .invalidParams)
    #expect(fixture.calls(to: "a").isEmpty)
  }
}
