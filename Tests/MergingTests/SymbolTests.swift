import Merging
import PlacesKit
import Testing

@Suite("Numbers and signs beyond letters and digits")
struct SymbolTests {
  private func count(_ first: String, _ second: String, _ types: [PlaceType]) -> Int {
    let here = (52.52, 13.405)
    return merge([batch("a", [place("1", first, at: here, types: types)]), batch("b", [place("9", second, at: here, types: types)])]).count
  }

  @Test(
    "siblings that differ only by such a sign are two places",
    arguments: [
      ("Gate Ⅲ", "Gate Ⅳ"), ("Haus ①", "Haus ②"), ("Haus ⑶", "Haus ⑷"), ("Haus ❶", "Haus ❷"), ("Haus Ⓐ", "Haus Ⓑ"), ("Saal ²", "Saal ³"),
      ("Saal²", "Saal³"), ("Kiosk ½", "Kiosk ¼"), ("Kiosk ½", "Kiosk"), ("Platform 9", "Platform 9¾"), ("Pizza 🍕", "Pizza 🍔"),
      ("🍕 Pizza", "🍔 Pizza"), ("Ausgang →", "Ausgang ←"), ("Ebene +1", "Ebene -1"), ("Ebene 1", "Ebene −1"), ("Этаж -1", "Этаж 1"),
      ("Ebene (-1)", "Ebene (1)"), ("Ebene -1", "Ebene -2"),
    ], [[], ["airport"]])
  func siblings(_ names: (String, String), _ types: [PlaceType]) { #expect(count(names.0, names.1, types) == 2) }

  @Test(
    "another spelling of a sign, or a sign in one name alone, does not separate two names",
    arguments: [
      ("Gate Ⅲ", "Gate 3"), ("Gate Ⅲ", "Gate III"), ("Haus ①", "Haus 1"), ("Haus ❶", "Haus 1"), ("Haus Ⓐ", "Haus A"), ("Saal ²", "Saal 2"),
      ("Platform 9¾", "Platform 9 3/4"), ("Kiosk ½", "Kiosk 1/2"), ("Ebene +1", "Ebene 1"), ("Ebene −1", "Ebene -1"),
      ("Joe's Pizza Palace 🍕", "Joe's Pizza Palace"), ("Pizza 🍕", "Pizza 🍕"), ("Vapiano™", "Vapiano"), ("Gate 12-14", "Gate 12 -14"),
    ])
  func same(_ first: String, _ second: String) { #expect(count(first, second, ["airport"]) == 1) }

  @Test("an emoji that is typed and that a row lacks does not count as a missing word")
  func typed() {
    let rows = merge([batch("a", [place("1", "Pizza Roma", at: (1, 1))]), batch("b", [])], query: "roma 🍕", explain: true)
    #expect(rows.first?.explanation?.match == .words)
  }

  @Test("queries that differ by a symbol within a word are two, and queries that differ by a word separator are one")
  func queries() {
    func answer(_ texts: [String]) -> [String] {
      merge([batch("a", texts.map { Suggestion(kind: .query, text: FormattedText($0)) })], query: "c#").map(\.value.text.text)
    }
    #expect(answer(["c", "c++", "c#", "C", "c sharp"]).sorted() == ["c", "c sharp", "c#", "c++"])
    #expect(answer([".net", "net", "a+", "a-", "a", "5 $", "5 €"]).count == 7)
    #expect(answer(["st. gallen", "St Gallen", "st.gallen", "rock & roll", "rock and roll", "berlin -", "berlin,"]).count == 3)
  }

  @Test("two unknown names are not evidence, with and without a location")
  func unknownNames() {
    func record(_ source: String, _ point: Coordinate?) -> MatchRecord {
      var record = MatchRecord(source: source, id: nil, name: "")
      record.location = point
      return record
    }
    for point in [nil, Coordinate(latitude: 1, longitude: 1)] {
      #expect(Matcher.compare(record("a", point), record("b", point)).decision != .same)
    }
  }
}
