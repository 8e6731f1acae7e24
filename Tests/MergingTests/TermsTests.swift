import Merging
import PlacesKit
import Testing

@Suite("Blending within the terms")
struct TermsTests {
  private let here = (52.5, 13.4)

  private static let terms: [(String, Terms)] = [
    ("gazetteer", .mixing(.free)), ("google", .mixing(.never, keepsOrder: true)), ("local", .mixing(.free)),
    ("nominatim", .mixing(.family("osm"))), ("photon", .mixing(.family("osm"))),
  ]

  private func answer(
    _ terms: [(String, Terms)], _ change: (inout MergeContext) -> Void = { _ in }, row: (String) -> Suggestion? = { _ in nil }
  ) -> [MergedSuggestion] {
    var context = MergeContext(query: "caf")
    change(&context)
    let batches = terms.map { name, terms in
      batch(name, [row(name) ?? place("1", "Café Einstein", at: here, types: ["cafe"])], terms: terms)
    }
    return Merger().suggestions(batches, context: context)
  }

  @Test("free services blend, a family blends within itself, and what may not be blended is one row with alternatives")
  func folded() {
    let rows = answer(Self.terms)
    #expect(rows.map { $0.sources.map(\.provider) } == [["gazetteer", "local"]])
    #expect(rows.first?.alternatives.map { $0.sources.map(\.provider) } == [["google"], ["nominatim", "photon"]])
    #expect(rows.first?.alternatives.map { $0.attributions.map(\.provider) } == [["google"], ["nominatim", "photon"]])
    #expect(rows.first?.attributions.map(\.provider) == ["gazetteer", "local"])
  }

  @Test("Queries of one text are one row, with the content of the leading row's blending class alone", arguments: [false, true])
  func queries(inFamily: Bool) {
    let bare = Suggestion(kind: .query, text: FormattedText("café"))
    var rich = bare
    (rich.types, rich.importance, rich.iconImageURL, rich.url) = (["cafe"], 0.5, "https://icons.example/1", "https://pages.example/1")
    rich.viewport = Rectangle(low: .zero, high: .zero)
    let terms = inFamily ? Terms.mixing(.family("f")) : .mixing(.never)
    let rows = merge([batch("a", [bare], terms: terms), batch("b", [rich], terms: terms)], query: "caf")
    #expect(rows.map { $0.sources.map(\.provider) } == [["a", "b"]])
    var expected = inFamily ? rich : bare
    expected.evidence = rows.first?.value.evidence ?? Evidence()
    #expect(rows.first?.value == expected)
  }

  @Test("without folding, sources that may not be blended are separate rows with one group key")
  func groups() {
    let rows = answer(Self.terms) { $0.folds = false }
    #expect(Set(rows.map { Set($0.sources.map(\.provider)) }) == [["gazetteer", "local"], ["google"], ["nominatim", "photon"]])
    #expect(Set(rows.map(\.group)).count == 1 && rows.allSatisfy { $0.group != nil && $0.alternatives.isEmpty })
  }

  @Test("the limit counts places, not alternatives")
  func limit() {
    func row(_ name: String, _ id: String, _ latitude: Double) -> Suggestion { place(id, name, at: (latitude, 13), types: ["locality"]) }
    let towns = [row("Bern", "1", 10), row("Bergen", "2", 20), row("Bernau", "3", 30)]
    let batches = ["a", "b", "c"].map { batch($0, towns, terms: .mixing(.never)) }
    let answer = Merger().suggestions(batches, context: MergeContext(query: "ber", limit: 3))
    #expect(answer.map(\.value.text.text) == ["Bern", "Bergen", "Bernau"])
    #expect(answer.allSatisfy { $0.alternatives.count == 2 })
  }

  @Test("the leading source is chosen by preference, match, language, weight, price of details, rank")
  func leading() {
    func leader(_ change: (inout ProviderBatch<Suggestion>) -> Void, prefer: [String] = [], query: String = "caf") -> String? {
      var second = batch("z", [place("1", "Café Einstein", at: here, types: ["cafe"])], terms: .mixing(.never))
      change(&second)
      let first = batch("a", [place("1", "Café Einstein", at: here, types: ["cafe"])])
      var context = MergeContext(query: query, language: "de", prefer: prefer, explain: true)
      context.limit = 1
      let row = Merger().suggestions([first, second], context: context).first
      #expect(row?.alternatives.count == 1)
      return row.map { "\($0.provider) \($0.explanation?.leads?.rawValue ?? "-")" }
    }
    #expect(leader { _ in } == "a provider")
    #expect(leader({ _ in }, prefer: ["z"]) == "z prefer")
    #expect(leader({ _ in }, prefer: ["z", "a"]) == "z prefer")
    #expect(leader({ $0.weight = 2 }, prefer: ["a"]) == "a prefer")
    #expect(leader({ $0.rows[0].evidence.otherNames = ["Einstein"] }, query: "einstein") == "z match")
    #expect(leader { $0.rows[0].language = "de" } == "z language")
    #expect(leader { $0.weight = 2 } == "z weight")
    #expect(leader { $0.weight = 0.5 } == "a weight")
    #expect(leader { $0.detailsMicros = 17_000 } == "a details")
    #expect(leader { $0.rows.insert(place("0", "Elsewhere", at: (1, 1)), at: 0) } == "a rank")
  }

  @Test("equal completions are one row with all their sources, whatever the terms")
  func queries() {
    let rows = answer(Self.terms, row: { _ in Suggestion(kind: .query, text: FormattedText("café einstein menu")) })
    #expect(rows.map { Set($0.sources.map(\.provider)) } == [Set(Self.terms.map(\.0))])
    #expect(rows.first?.alternatives.isEmpty == true)
  }

  @Test("a single row has no group key and no alternatives")
  func alone() {
    let rows = answer([("a", .mixing(.free)), ("b", .mixing(.free))])
    #expect(rows.map(\.group) == [nil] && rows.allSatisfy { $0.alternatives.isEmpty })
  }

  @Test("two services whose order must be kept are not blended")
  func orders() {
    let first = place("1", "Café Einstein", at: here)
    let second = place("2", "Café Adler", at: (52.51, 13.41))
    let keeps = Terms.mixing(.free, keepsOrder: true)
    let rows = merge([batch("a", [first, second], terms: keeps), batch("b", [second, first], terms: keeps)])
    #expect(rows.count == 2)
    let flat = Merger().suggestions(
      [batch("a", [first, second], terms: keeps), batch("b", [second, first], terms: keeps)], context: MergeContext(query: "", folds: false)
    )
    #expect(flat.count == 4)
    for (provider, order) in [("a", ["a:1", "a:2"]), ("b", ["b:2", "b:1"])] {
      #expect(flat.filter { $0.provider == provider }.compactMap(\.id) == order)
    }
  }

  @Test("a row contains nothing of a service that may not be blended with it")
  func leak() {
    let rough = place("1", "Café Einstein", at: here)
    let exact = place("7", "Café Einstein", at: (52.500123, 13.400321)) { $0.phone = "+49 30 2639190" }
    let rows = merge([batch("a", [rough]), batch("b", [exact], terms: .mixing(.never))])
    #expect(rows.count == 1)
    #expect(rows.first?.value == rough && rows.first?.sources.map(\.provider) == ["a"])
    #expect(rows.first?.attributions.map(\.provider) == ["a"])
    #expect(rows.first?.alternatives.map(\.value) == [exact] && rows.first?.alternatives.map(\.id) == ["b:7"])
  }
}
