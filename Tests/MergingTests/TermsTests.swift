import Merging
import PlacesKit
import Testing

@Suite("Terms decide what becomes one record")
struct TermsTests {
  private let here = (52.5, 13.4)

  private func answer(_ terms: [(String, Terms)]) -> [MergedSuggestion] {
    merge(terms.map { batch($0.0, [place("1", "Café Einstein", at: here, types: ["cafe"])], terms: $0.1) }, query: "caf")
  }

  @Test("free services blend, a family blends within itself, the others stand beside under one group key")
  func groups() {
    let rows = answer([
      ("gazetteer", .mixing(.free)), ("google", .mixing(.never, keepsOrder: true)), ("local", .mixing(.free)),
      ("nominatim", .mixing(.family("osm"))), ("photon", .mixing(.family("osm"))),
    ])
    #expect(Set(rows.map { Set($0.sources.map(\.provider)) }) == [["gazetteer", "local"], ["google"], ["nominatim", "photon"]])
    #expect(Set(rows.map(\.group)).count == 1 && rows.allSatisfy { $0.group != nil })
  }

  @Test("a row that stands alone has no group key")
  func alone() { #expect(answer([("a", .mixing(.free)), ("b", .mixing(.free))]).map(\.group) == [nil]) }

  @Test("two services that both keep their order are not blended, so that both orders can be kept")
  func orders() {
    let first = place("1", "Café Einstein", at: here)
    let second = place("2", "Café Adler", at: (52.51, 13.41))
    let keeps = Terms.mixing(.free, keepsOrder: true)
    let rows = merge([batch("a", [first, second], terms: keeps), batch("b", [second, first], terms: keeps)])
    #expect(rows.count == 4)
    for (provider, order) in [("a", ["a:1", "a:2"]), ("b", ["b:2", "b:1"])] {
      #expect(rows.filter { $0.provider == provider }.compactMap(\.id) == order)
    }
  }

  @Test("nothing of one service shows in the record of another that may not be blended with it")
  func leak() {
    let rough = place("1", "Café Einstein", at: here)
    let exact = place("7", "Café Einstein", at: (52.500123, 13.400321)) { $0.phone = "+49 30 2639190" }
    let rows = merge([batch("a", [rough]), batch("b", [exact], terms: .mixing(.never))])
    #expect(rows.count == 2)
    let plain = rows.first { $0.provider == "a" }
    #expect(plain?.value == rough)
    #expect(plain?.attributions.map(\.provider) == ["a"])
  }
}
