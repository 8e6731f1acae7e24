import Merging
import Storage
import PlacesAPI
import PlacesKit
import Testing

@testable import QueryEngine

@Suite("One row for one place")
struct FoldingTests {
  private static let here = Coordinate(latitude: 52.52, longitude: 13.405)

  /// Two providers with the same towns; one of them may not be blended.
  private func fixture(settings: EngineSettings = EngineSettings()) -> EngineFixture {
    var never = Terms.testing
    never.mixing = .never
    @Sendable func towns(_ name: String) -> [Suggestion] {
      [.city("Berlin", id: name, Self.here), .city("Bernau", id: name + "2", Coordinate(latitude: 52.68, longitude: 13.58))]
    }
    func script(_ name: String) -> @Sendable (ProviderCall, Int) -> ScriptedService.Behaviour {
      { call, _ in
        switch call {
        case .details(let request): .places([.named("Berlin", id: request.id, [.website: .string("https://\(name).example")])])
        case .autocomplete: .suggestions(towns(name))
        default: .places([.named("Berlin", id: name, at: Self.here)])
        }
      }
    }
    return EngineFixture(
      settings: settings, storesAnswers: true,
      [
        "open": .init(manifest: .scripted("Open"), script: script("open")),
        "paid": .init(manifest: .scripted("Paid", terms: never), script: script("paid")),
      ])
  }

  @Test("A row contains only the leading source's content; the other source's whole row is an alternative")
  func alternatives() throws {
    let result = try #require(fixture().answer("berl")?.value)
    #expect(result.suggestions.map { $0.id?.text } == ["open:open", "open:open2"])
    let row = try #require(result.suggestions.first)
    #expect(row.sources.map(\.provider) == ["open"] && row.group == nil && row.explain == nil)
    let other = try #require(row.alternatives?.first)
    #expect(row.alternatives?.count == 1 && other.id?.text == "paid:paid" && other.text.text == "Berlin" && other.row == row.row)
    #expect(other.sources.map(\.provider) == ["paid"] && other.alternatives == nil)
    #expect(Set(result.attributions.map(\.text)) == ["© Open", "© Paid"])
  }

  @Test("Without folding, both rows are in the list, of one group, and the limit counts them")
  func flat() throws {
    let result = try #require(fixture().answer("berl") { ($0.fold, $0.limit) = (false, 3) }?.value)
    #expect(result.suggestions.map { $0.id?.text } == ["open:open", "paid:paid", "open:open2"])
    #expect(result.suggestions.map(\.group) == ["g1", "g1", nil] && result.suggestions.allSatisfy { $0.alternatives == nil })
  }

  @Test("The leading source is chosen by the request's preference or, if there is none, by the configuration's")
  func preference() throws {
    var settings = EngineSettings()
    settings.prefer = ["paid"]
    #expect(fixture(settings: settings).answer("berl")?.value?.suggestions.first?.id?.text == "paid:paid")
    let row = fixture(settings: settings).answer("berl") { ($0.prefer, $0.explain) = (["open"], true) }?.value?.suggestions.first
    #expect(row?.id?.text == "open:open" && row?.explain?["leads"] == "prefer")
    #expect(fixture().answer("berl") { $0.explain = true }?.value?.suggestions.first?.explain?["leads"] == "provider")
  }

  @Test("Searches fold too, and each row keeps its own provenance")
  func search() throws {
    let result = try #require(fixture().search("berlin") { $0.explain = true }?.value)
    #expect(result.places.map(\.id.text) == ["open:open"])
    let row = try #require(result.places.first)
    #expect(row.attributions.map(\.provider) == ["open"] && row.provenance?.values.allSatisfy { $0.provider == "open" } == true)
    let other = try #require(row.alternatives?.first)
    #expect(other.id.text == "paid:paid" && other.provenance?.values.allSatisfy { $0.provider == "paid" } == true)
    #expect(fixture().search("berlin") { $0.fold = false }?.value?.places.map(\.id.text) == ["open:open", "paid:paid"])
  }

  @Test("A point's places fold too")
  func reverse() throws {
    let fixture = fixture()
    let here = try #require(Self.here)
    func reverse(fold: Bool, prefer: [String] = []) throws -> PlacesResult {
      let result = fixture.reverse(here) { ($0.fold, $0.prefer) = (fold, prefer) }
      return try #require(result?.value)
    }
    let folded = try reverse(fold: true)
    #expect(folded.places.map(\.id.text) == ["open:open"])
    #expect(folded.places.first?.alternatives?.map(\.id.text) == ["paid:paid"])
    #expect(folded.places.first?.attributions.map(\.provider) == ["open"])
    #expect(folded.places.first?.alternatives?.first?.attributions.map(\.provider) == ["paid"])
    #expect(try reverse(fold: false).places.map(\.id.text) == ["open:open", "paid:paid"])
    let preferred = try reverse(fold: true, prefer: ["paid"])
    #expect(preferred.places.map(\.id.text) == ["paid:paid"])
    #expect(preferred.places.first?.alternatives?.map(\.id.text) == ["open:open"])
  }

  @Test("The preferred provider leads the rows of searches and of points too, the request's before the configuration's")
  func placePreference() throws {
    let here = try #require(Self.here)
    var settings = EngineSettings()
    settings.prefer = ["paid"]
    let configured = fixture(settings: settings)
    #expect(configured.search("berlin")?.value?.places.map(\.id.text) == ["paid:paid"])
    #expect(configured.reverse(here)?.value?.places.map(\.id.text) == ["paid:paid"])
    #expect(configured.search("berlin") { $0.prefer = ["open"] }?.value?.places.map(\.id.text) == ["open:open"])
    #expect(configured.reverse(here) { $0.prefer = ["open"] }?.value?.places.map(\.id.text) == ["open:open"])

    let requested = fixture()
    #expect(requested.search("berlin")?.value?.places.map(\.id.text) == ["open:open"])
    let row = try #require(requested.search("berlin") { ($0.prefer, $0.explain) = (["paid"], true) }?.value?.places.first)
    #expect(row.id.text == "paid:paid" && row.explain?["leads"] == "prefer")
    #expect(row.alternatives?.map(\.id.text) == ["open:open"])
  }

  @Test("An alternative can be chosen: its provider returns the details, and its place is ranked higher the next time")
  func choosing() throws {
    let fixture = fixture()
    let session = SessionID()
    let rows = try #require(fixture.answer("ber") { $0.session = session }?.value?.suggestions)
    #expect(rows.map { $0.id?.text } == ["open:open", "open:open2"])
    let id = try #require(rows[1].alternatives?.first?.id)
    let details = try #require(fixture.details(id.text, fields: [.website], session: session)?.value)
    #expect(details.place.values[.website] == "https://paid.example" && details.place.sources.map(\.provider) == ["paid"])
    #expect(fixture.answer("ber") { $0.cache = .refresh }?.value?.suggestions.map { $0.id?.text } == ["open:open2", "open:open"])
  }
}
