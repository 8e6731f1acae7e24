import Merging
import PlacesKit
import Testing

@Suite("Why a row is one row and stands where it stands")
struct ExplanationTests {
  private func answer(_ first: Suggestion, _ second: Suggestion) -> [MergedSuggestion] {
    merge([batch("a", [first]), batch("b", [second])], query: "ber", explain: true)
  }

  @Test("a merge tells its two rows, its probability and its three strongest reasons, the strongest first")
  func merges() throws {
    let rows = answer(
      place("1", "Berlin", at: (52.52, 13.405), types: ["locality"]), place("2", "Berlin", at: (52.521, 13.406), types: ["locality"]))
    let merge = try #require(rows.first?.explanation?.merges.first)
    #expect(rows.count == 1 && rows[0].explanation?.merges.count == 1)
    #expect([merge.first, merge.second] == ["a:1", "b:2"])
    #expect(merge.probability >= 0.88 && merge.probability <= 1)
    #expect(merge.reasons.count == 3)
    #expect(zip(merge.reasons, merge.reasons.dropFirst()).allSatisfy { abs($0.value) >= abs($1.value) })
  }

  @Test("a shared id is the only reason that is told where ids decide")
  func identity() {
    let rows = answer(
      place("1", "Eins") { $0.equivalents = ["wikidata:Q64"] }, place("2", "Zwo") { $0.equivalents = ["wikidata:Q64"] })
    #expect(rows.first?.explanation?.merges.map(\.probability) == [1])
    #expect(rows.first?.explanation?.merges.first?.reasons.map(\.name) == ["sameId"])
  }

  @Test("what is likely, yet not certain enough to join, is told of both rows, and what is unlikely of neither")
  func maybe() {
    let here = place("1", "Famagusta", at: (39.09, -76.82))
    let likely = answer(here, place("2", "Αμμόχωστος", at: (39.096, -76.82)))
    #expect(likely.count == 2)
    for row in likely {
      #expect(row.explanation?.merges.isEmpty == true)
      #expect(row.explanation?.maybe.map { $0.probability >= 0.5 && $0.probability < 0.88 } == [true])
    }
    #expect(answer(here, place("2", "Laurel", at: (39.1, -76.85))).allSatisfy { $0.explanation?.maybe.isEmpty == true })
  }

  @Test("a score is the sum of its parts, higher rows have higher scores, and each field tells its source and time")
  func scores() throws {
    let rows = merge(
      [
        batch("a", [place("1", "Berlin", at: (52.5, 13.4)), place("2", "Bernau", at: (52.7, 13.6))]),
        batch("b", [place("3", "Bern", at: (47, 7.4))]),
      ],
      query: "berl", explain: true)
    let explanations = try rows.map { try #require($0.explanation) }
    #expect(explanations.count == 3)
    for explanation in explanations {
      #expect(abs(explanation.parts.reduce(0) { $0 + $1.value } - explanation.score) < 1e-9)
      #expect(!explanation.provenance.isEmpty)
    }
    #expect(explanations.map(\.score) == explanations.map(\.score).sorted(by: >))
  }

  @Test("rows that score alike stand in the order of their providers' names and ranks, whoever answered first")
  func ties() {
    let batches = ["c", "a", "b"].map { batch($0, [place("1", "Adler \($0)", at: (Double($0.utf8.first ?? 0) - 90, 0))]) }
    #expect(merge(batches, query: "adler").map(\.provider) == ["a", "b", "c"])
    #expect(merge(batches.reversed(), query: "adler").map(\.provider) == ["a", "b", "c"])
  }
}
