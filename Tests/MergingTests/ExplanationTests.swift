import Merging
import PlacesKit
import Testing

@Suite("Explanations of merges and order")
struct ExplanationTests {
  private func answer(_ first: Suggestion, _ second: Suggestion) -> [MergedSuggestion] {
    merge([batch("a", [first]), batch("b", [second])], query: "ber", explain: true)
  }

  @Test("a merge names its two rows, its probability and its three strongest reasons, the strongest first")
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

  @Test("the name by which a row matches is stated if the row does not show it", arguments: ["wien", "Wie", "wien austria"])
  func matchedName(query: String) {
    let vienna = place("1", "Vienna", types: ["locality"], secondary: "Austria") { $0.otherNames = ["Vienne", "Wien"] }
    func name(_ query: String, among others: [Suggestion] = []) -> String? {
      merge([batch("a", [vienna] + others)], query: query, explain: true).first?.explanation?.matchedName
    }
    #expect(name(query) == "Wien")
    #expect(name(query, among: [place("2", "Wiener Neustadt")]) == "Wien")
    for shown in ["vienna", "vien", "austria", "zug"] { #expect(name(shown) == nil) }
    // A row of another provider that is blended into the row may have the name.
    let wien = place("4", "Wien", types: ["locality"], secondary: "Austria") { $0.otherNames = ["Vienna"] }
    let rows = merge([batch("a", [vienna]), batch("b", [wien])], query: query, prefer: ["a"], explain: true)
    #expect(rows.count == 1 && rows.first?.value.title == "Vienna" && rows.first?.explanation?.matchedName == "Wien")
    let boston = place("3", "Boston", secondary: "Massachusetts") { $0.otherNames = ["Boston, ma usa"] }
    #expect(merge([batch("a", [boston])], query: "boston ma usa", explain: true).first?.explanation?.matchedName == nil)
  }

  @Test("a shared id is the only reason if ids decide")
  func identity() {
    let rows = answer(
      place("1", "Eins") { $0.equivalents = ["wikidata:Q64"] }, place("2", "Zwo") { $0.equivalents = ["wikidata:Q64"] })
    #expect(rows.first?.explanation?.merges.map(\.probability) == [1])
    #expect(rows.first?.explanation?.merges.first?.reasons.map(\.name) == ["sameId"])
  }

  @Test("pairs of one place that the terms forbid blending are reported as tied, not as merged")
  func tied() throws {
    func berlin(_ id: String) -> Suggestion { place(id, "Berlin", at: (52.52, 13.405), types: ["locality"]) }
    let rows = merge(
      [batch("a", [berlin("1")]), batch("b", [berlin("2")]), batch("c", [berlin("3")], terms: .mixing(.never))], query: "ber",
      explain: true)
    #expect(rows.count == 1)
    let explanation = try #require(rows.first?.explanation)
    #expect(explanation.merges.map { [$0.first, $0.second] } == [["a:1", "b:2"]])
    #expect(Set(explanation.tied.map { [$0.first, $0.second] }) == [["a:1", "c:3"], ["b:2", "c:3"]])
    let alternative = try #require(rows.first?.alternatives.first?.explanation)
    #expect(alternative.score == explanation.score && alternative.provenance.allSatisfy { $0.provider == "c" })
  }

  @Test("a provider's own duplicates and equal queries of two providers are reported as merged, with the reason")
  func duplicates() {
    let twice = [place("1", "Berlin", at: (52.52, 13.405)), place("1", "Berlin", at: (52.52, 13.405))]
    let unnamed = [place(nil, "Bernau", at: (52.68, 13.58)), place(nil, "Bernau", at: (52.68, 13.58))]
    let places = merge([batch("a", twice + unnamed), batch("b", [])], query: "ber", explain: true)
    func told(_ row: MergedSuggestion) -> [String] {
      (row.explanation?.merges ?? []).map { "\($0.first) \($0.second) \($0.probability) \($0.reasons.map(\.name))" }
    }
    #expect(places.map(told) == [[#"a#1 a#2 1.0 ["sameId"]"#], [#"a#3 a#4 1.0 ["sameText"]"#]])
    let query = Suggestion(kind: .query, text: FormattedText("berlin"))
    let queries = merge([batch("a", [query]), batch("b", [query])], query: "ber", explain: true)
    #expect(queries.map(told) == [[#"a#1 b#1 1.0 ["sameText"]"#]])
  }

  @Test("a likely pair that is not merged is reported for both rows, an unlikely pair for neither")
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

  @Test("a score is the sum of its parts, higher rows have higher scores, and each field has its source and time")
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

  @Test("rows with equal scores are ordered by provider name and rank, not by arrival")
  func ties() {
    let batches = ["c", "a", "b"].map { batch($0, [place("1", "Adler \($0)", at: (Double($0.utf8.first ?? 0) - 90, 0))]) }
    #expect(merge(batches, query: "adler").map(\.provider) == ["a", "b", "c"])
    #expect(merge(batches.reversed(), query: "adler").map(\.provider) == ["a", "b", "c"])
  }
}
