import PlacesKit
import Testing

@testable import PlacesAPI

@Suite("Results")
struct ResultTests {
  static let report = ProviderReport(
    provider: "google", outcome: .overBudget, count: 0, latencyMs: 1.25, served: .stale, cause: "quota", message: "used \"up\"",
    retryAfterMs: 5)
  static let attribution = AttributionRow(provider: "gazetteer", text: "GeoNames (CC BY 4.0)", url: "https://www.geonames.org/")

  static func row(full: Bool) -> SuggestionRow {
    var suggestion = Suggestion(kind: full ? .place : .query, text: FormattedText("Köln/Bonn", matches: [TextRange(start: 0, end: 2)]))
    if full {
      suggestion.primary = FormattedText("Köln")
      suggestion.secondary = FormattedText("\u{1}\u{2028}")
      suggestion.types = ["locality", "anything_new"]
      suggestion.language = "de"
      suggestion.location = Coordinate(latitude: 50.1234567, longitude: -0.1)
      suggestion.viewport = Rectangle(low: .zero, high: .zero)
      suggestion.iconImageURL = "https://icon.example/a.png"
      suggestion.url = "https://page.example/?a=b"
    }
    return SuggestionRow(
      suggestion, row: "r1", id: full ? PlaceID(provider: "gazetteer", native: "a:b") : nil,
      sources: [Source(provider: "gazetteer", id: full ? PlaceID("gazetteer:1") : nil, rank: 1)], distance: full ? 832.5 : nil,
      group: full ? "g1" : nil, attributions: full ? [attribution] : nil, explain: full ? ["score": [1, 2.5, nil, true]] : nil)
  }

  static func place(full: Bool) -> PlaceRow {
    PlaceRow(
      id: PlaceID(provider: "gazetteer", native: "1"), row: "r1",
      values: full ? [.name: "Köln", .coordinate: ["latitude": 1, "longitude": 2.5], .rating: 4.5, .openingHours: ["periods": []]] : [:],
      distance: full ? 1e-7 : nil, group: full ? "g" : nil, sources: [Source(provider: "p", id: nil, rank: 2)], attributions: [attribution],
      provenance: full ? [.name: .init(provider: "gazetteer", at: "2026-01-01T00:00:00Z")] : nil, explain: full ? "because" : nil)
  }

  @Test("The handwritten encoding can be decoded with Codable", arguments: [false, true])
  func autocomplete(full: Bool) throws {
    let result = Autocomplete.Result(
      suggestions: [ResultTests.row(full: full), ResultTests.row(full: !full)], providers: [ResultTests.report],
      attributions: [ResultTests.attribution], complete: full, revision: 3)
    #expect(try Autocomplete.Result(json: result.bytes) == result)
    try ResultTests.expectCodable(result)
  }

  @Test("Encoding two results that share rows is the same as encoding each separately")
  func sharedRows() {
    let first = Autocomplete.Result(
      suggestions: [ResultTests.row(full: true), ResultTests.row(full: false)], providers: [ResultTests.report], attributions: [],
      complete: true, revision: 3)
    var second = first
    second.providers[0].served = .cache
    second.revision = 1
    let (own, other) = first.encoded(withRowsOf: second)
    #expect(own == first.bytes)
    #expect(other == second.bytes)
  }

  @Test("The same for searches", arguments: [false, true])
  func search(full: Bool) throws {
    let result = PlacesResult(
      places: [ResultTests.place(full: full)], providers: [ResultTests.report], attributions: [], complete: full,
      nextPageToken: full ? "t" : nil)
    #expect(try PlacesResult(json: result.bytes) == result)
    try ResultTests.expectCodable(result)
  }

  @Test("The same for details", arguments: [false, true])
  func details(full: Bool) throws {
    let result = Details.Result(
      place: ResultTests.place(full: full), providers: [ResultTests.report], attributions: [ResultTests.attribution])
    #expect(try Details.Result(json: result.bytes) == result)
    try ResultTests.expectCodable(result)
  }

  @Test("The same for partial answers")
  func partial() throws {
    let partial = Partial(
      request: "id", revision: 2, suggestions: [ResultTests.row(full: true)], providers: [ResultTests.report],
      attributions: [ResultTests.attribution])
    var writer = JSONWriter()
    partial.write(to: &writer)
    let value = try JSONValue(parsing: writer.bytes)
    #expect(value.object?.keys == ["request", "revision", "suggestions", "providers", "attributions"])
    #expect(value["suggestions"]?[0]?["row"] == "r1")
  }

  @Test("A reply is one line")
  func oneLine() {
    let result = Autocomplete.Result(
      suggestions: [ResultTests.row(full: true)], providers: [], attributions: [], complete: true, revision: 1)
    #expect(!result.bytes.contains(0x0A) && !result.bytes.contains(0x0D))
  }

  /// The result written by hand, and by way of its Codable, are the same value.
  private static func expectCodable<R: MethodResult>(_ result: R) throws {
    var writer = JSONWriter()
    ByCodable(result: result).write(to: &writer)
    #expect(try JSONValue(parsing: writer.bytes) == JSONValue(parsing: result.bytes))
  }

  private struct ByCodable<R: MethodResult>: MethodResult {
    var result: R
    init(result: R) { self.result = result }
    init(from decoder: any Decoder) throws { result = try R(from: decoder) }
    func encode(to encoder: any Encoder) throws { try result.encode(to: encoder) }
  }
}
