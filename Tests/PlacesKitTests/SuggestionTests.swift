import Foundation
import PlacesKit
import Testing

@Suite("A row of suggestions")
struct SuggestionTests {
  private var row: Suggestion {
    var evidence = Evidence()
    evidence.otherNames = ["Vadutz"]
    return Suggestion(
      kind: .place, id: "1", text: FormattedText("Vaduz, Liechtenstein"), primary: FormattedText("Vaduz"),
      secondary: FormattedText("Liechtenstein"), types: ["locality"], language: "de", location: Coordinate(latitude: 47, longitude: 9),
      viewport: Rectangle(low: .zero, high: .zero), distance: 5, importance: 0.5, iconImageURL: "https://i.example",
      url: "https://u.example", evidence: evidence, attributions: [Attribution(text: "a")])
  }

  @Test(
    "A row does not change when a copy of it is changed",
    arguments: [
      { $0.kind = .query }, { $0.id = "2" }, { $0.text.matches.append(TextRange(0..<1)) }, { $0.primary?.text = "x" },
      { $0.secondary = nil }, { $0.types.append("political") }, { $0.language = "en" }, { $0.location = nil }, { $0.distance = 6 },
      { $0.importance = nil }, { $0.viewport = nil }, { $0.iconImageURL = nil }, { $0.url = "x" }, { $0.evidence.otherNames.append("x") },
      { $0.attributions.removeAll() },
    ] as [@Sendable (inout Suggestion) -> Void])
  func copies(change: @Sendable (inout Suggestion) -> Void) throws {
    let original = row
    var copy = original
    change(&copy)
    #expect(original == row)
    #expect(copy != original)
    var again = row
    change(&again)
    #expect(copy == again && copy.hashValue == again.hashValue)
  }

  @Test("A row is encoded with all its fields in one object, and is decoded again")
  func coding() throws {
    let bytes = try JSONEncoder().encode(row)
    #expect(try JSONDecoder().decode(Suggestion.self, from: bytes) == row)
    let members = try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any]).keys.sorted()
    #expect(
      members == [
        "attributions", "distance", "evidence", "iconImageURL", "id", "importance", "kind", "language", "location", "primary", "secondary",
        "text", "types", "url", "viewport",
      ])
  }
}
