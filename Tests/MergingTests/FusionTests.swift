import Merging
import PlacesKit
import Testing

@Suite("Fusion of several records")
struct FusionTests {
  private func place(_ id: String, _ values: [PlaceField: JSONValue], house: String? = nil, language: String? = nil) -> Place {
    var evidence = Evidence()
    evidence.houseNumber = house
    evidence.equivalents = ["wikidata:Q1"]
    return Place(
      id: id, values: values.merging([.name: "Adler"]) { own, _ in own }, location: Coordinate(latitude: 52.5, longitude: 13.4),
      language: language,
      evidence: evidence)
  }

  private func merged(_ places: [(String, Place, Double)]) -> MergedPlace? {
    let batches = places.map {
      ProviderBatch(provider: $0.0, terms: .mixing(.free), attributions: [Attribution(text: $0.0)], rows: [$0.1], fetchedAt: $0.2)
    }
    let answer = Merger().places(batches, context: MergeContext(query: "", language: "de", explain: true))
    return answer.count == 1 ? answer[0] : nil
  }

  @Test("the address with a house number is used, as a whole")
  func address() {
    let row = merged([
      ("a", place("1", [.formattedAddress: "Kantstraße, Berlin", .addressComponents: ["a"]]), 1),
      ("b", place("2", [.formattedAddress: "Kantstraße 14, Berlin", .addressComponents: ["b"]], house: "14"), 1),
    ])
    #expect(row?.value.formattedAddress == "Kantstraße 14, Berlin")
    #expect(row?.value.values[.addressComponents] == ["b"])
  }

  @Test(
    "a suggestion takes all its texts from the row that has the number of the house, unless the leading one has it or it is in another language",
    arguments: [("Kantstraße, Berlin", "de", true), ("Kantstraße 14, Berlin", "de", false), ("Kantstraße, Berlin", "en", false)])
  func suggestedHouse(_ leading: String, _ otherLanguage: String, _ takes: Bool) {
    func row(_ text: String, _ secondary: String, _ language: String, _ house: String?) -> Suggestion {
      var row = Suggestion(
        kind: .place, id: "1", text: FormattedText(text), primary: FormattedText("Adler"), secondary: FormattedText(secondary),
        types: ["restaurant"], language: language, location: Coordinate(latitude: 52.5, longitude: 13.4))
      row.evidence.houseNumber = house
      row.evidence.equivalents = ["wikidata:Q1"]
      return row
    }
    let batches = [
      ProviderBatch(provider: "a", terms: .mixing(.free), rows: [row("Adler, \(leading)", leading, "de", nil)]),
      ProviderBatch(
        provider: "b", terms: .mixing(.free), rows: [row("Adler, Kantstraße 14, Berlin", "Kantstraße 14, Berlin", otherLanguage, "14")]),
    ]
    let answer = Merger().suggestions(batches, context: MergeContext(query: "", language: "de", explain: true))
    #expect(answer.count == 1)
    #expect(answer.first?.value.secondary?.text == (takes ? "Kantstraße 14, Berlin" : leading))
    #expect(answer.first?.value.text.text.hasSuffix(takes ? "Kantstraße 14, Berlin" : leading) == true)
    #expect(answer.first?.id == "a:1")
    #expect(answer.first?.explanation?.provenance.first { $0.field == "text" }?.provider == (takes ? "b" : "a"))
  }

  @Test("the area, the icon and the page of a suggestion are those of the first source that has each")
  func suggestedPresentation() {
    func row(_ viewport: Rectangle?, _ icon: String?, _ url: String?) -> Suggestion {
      var row = Suggestion(
        kind: .place, id: "1", text: FormattedText("Adler"), types: ["restaurant"], location: Coordinate(latitude: 52.5, longitude: 13.4),
        viewport: viewport, iconImageURL: icon, url: url)
      row.evidence.equivalents = ["wikidata:Q1"]
      return row
    }
    let area = Rectangle(low: .zero, high: .zero)
    let batches = [
      ProviderBatch(provider: "a", terms: .mixing(.free), rows: [row(nil, "https://a.example/icon", nil)]),
      ProviderBatch(provider: "b", terms: .mixing(.free), rows: [row(area, "https://b.example/icon", "https://b.example")]),
    ]
    let answer = Merger().suggestions(batches, context: MergeContext(query: "", language: "de", explain: true))
    #expect(answer.count == 1)
    let fused = answer.first?.value
    #expect(fused?.viewport == area && fused?.iconImageURL == "https://a.example/icon" && fused?.url == "https://b.example")
    let origins = answer.first?.explanation?.provenance ?? []
    #expect(
      ["viewport", "iconImageURL", "url"].map { field in origins.first { $0.field == field }?.provider } == ["b", "a", "b"])
  }

  @Test("a location and types outside of the values have a source too")
  func besideValues() {
    let here = Coordinate(latitude: 52.52437, longitude: 13.41053)
    let typed = Place(id: "1", values: [.name: "Adler"], types: ["museum"], location: Coordinate(latitude: 52.5, longitude: 13.4))
    let exact = Place(id: "2", values: [.name: "Adler"], location: here, evidence: Evidence())
    let (fused, sources) = Place.fuse(
      FusionInput(row: typed, provider: "a", fetchedAt: 1), [FusionInput(row: exact, provider: "b", fetchedAt: 2)])
    #expect(fused.location == here)
    #expect(sources.first { $0.field == "coordinate" } == FieldSource(field: "coordinate", provider: "b", fetchedAt: 2))
    #expect(sources.first { $0.field == "types" } == FieldSource(field: "types", provider: "a", fetchedAt: 1))
  }

  @Test("closed takes precedence over open, and hours of a closed place are removed")
  func closed() {
    let row = merged([
      ("a", place("1", [.businessStatus: "operational", .openingHours: ["text": "24/7"]]), 9),
      ("b", place("2", [.businessStatus: "closed_permanently"]), 1),
    ])
    #expect(row?.value.values[.businessStatus] == "closed_permanently")
    #expect(row?.value.values[.openingHours] == nil)
    #expect(row?.explanation?.provenance.contains { $0.field == "businessStatus" && $0.provider == "b" && $0.fetchedAt == 1 } == true)
  }

  @Test("the newest hours are used")
  func hours() {
    let row = merged([("a", place("1", [.openingHours: ["text": "old"]]), 1), ("b", place("2", [.openingHours: ["text": "new"]]), 2)])
    #expect(row?.value.values[.openingHours] == ["text": "new"])
  }

  @Test("the rating of the service with the most ratings is used, with their number")
  func ratings() {
    let row = merged([
      ("a", place("1", [.rating: 5, .userRatingsTotal: 2]), 1), ("b", place("2", [.rating: 4, .userRatingsTotal: 900]), 1),
    ])
    #expect(row?.value.rating == 4)
    #expect(row?.value.values[.userRatingsTotal] == 900)
  }

  @Test("the name in the requested language leads, and all ids and credits are kept")
  func language() {
    let row = merged([
      ("a", place("1", [.name: "Eagle"], language: "en"), 1), ("b", place("2", [.name: "Adler"], language: "de-AT"), 1),
    ])
    #expect(row?.value.name == "Adler")
    #expect(row?.id == "b:2")
    #expect(row?.sources.compactMap(\.id) == ["b:2", "a:1"])
    #expect(row?.attributions.map(\.provider) == ["b", "a"])
  }

  @Test("an exact location is preferred to one that is rounded to a hundred metres")
  func precision() {
    let rough = MergingTests.place("1", "Berlin", at: (52.52, 13.4), types: ["locality"])
    let exact = MergingTests.place("2", "Berlin", at: (52.52437, 13.41053), types: ["locality"])
    let rows = merge([batch("a", [rough], weight: 3), batch("b", [exact])], explain: true)
    #expect(rows.count == 1 && rows[0].provider == "a")
    #expect(rows.first?.value.location?.latitude == 52.52437)
    #expect(rows.first?.explanation?.provenance.contains { $0.field == "location" && $0.provider == "b" } == true)
  }
}
