import PlacesKit
import Testing

@testable import placesctl

@Suite("Texts fit the terminal")
struct TerminalTests {
  @Test(
    "Widths",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("한국", 4), ("ｱ", 1), ("Ａ", 2), ("🙂", 2), ("☀️", 2), ("Ωж", 2), ("ไทย", 3),
    ])
  func widths(_ text: String, _ columns: Int) { #expect(Width.of(text) == columns) }

  @Test(
    "Cutting",
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""), ("東京都", 5, "東京…"), ("東京都", 4, "東…"),
      ("e\u{301}fg", 2, "e\u{301}…"),
    ])
  func cutting(_ text: String, _ columns: Int, _ cut: String) {
    #expect(Width.cut(text, to: columns) == cut)
    #expect(StyledText(text).cut(to: columns).plain == cut)
  }

  @Test("A styled text is cut across its parts")
  func styled() {
    let text = StyledText("ab", .bold) + StyledText("cd") + StyledText("ef", .dim)
    #expect(text.cut(to: 6).plain == "abcdef")
    #expect(text.cut(to: 5).plain == "abcd…")
    #expect(text.cut(to: 4).plain == "abc…")
    #expect(text.cut(to: 3).plain == "ab…")
    #expect(text.cut(to: 2).plain == "a…")
  }

  @Test("Ranges that are outside their text, overlap or run backwards are ignored")
  func ranges() {
    let text = FormattedText(
      "abcd",
      matches: [
        TextRange(start: 1, end: 2), TextRange(start: 0, end: 3), TextRange(start: 3, end: 3), TextRange(start: 3, end: 9),
        TextRange(start: -1, end: 2),
      ])
    #expect(StyledText(text).runs.filter { $0.style == .bold }.map(\.text) == ["b"])
    #expect(StyledText(text).plain == "abcd")
  }

  @Test(
    "Numbers",
    arguments: [
      (Format.distance(0), "0 m"), (Format.distance(999.4), "999 m"), (Format.distance(1000), "1.0 km"),
      (Format.distance(123_456), "123 km"), (Format.distance(999.7), "1.0 km"), (Format.distance(99_949), "99.9 km"),
      (Format.distance(99_950), "100 km"), (Format.duration(0.9997), "1.0 s"), (Format.duration(0.9994), "999 ms"),
      (Format.distance(.nan), ""), (Format.duration(0.0124), "12 ms"), (Format.duration(2.34), "2.3 s"), (Format.duration(61), "61 s"),
      (Format.duration(600), "10 min"), (Format.duration(7260), "2 h 1 min"), (Format.bytes(1023), "1023 B"),
      (Format.bytes(1536), "1.5 KiB"),
      (Format.money(2_830_000, "USD"), "2.83 USD"), (Format.money(2830, "USD"), "0.00283 USD"), (Format.money(-15_600, "XXX"), "-0.0156"),
      (Format.money(.max, "USD"), "9223372036854.775807 USD"),
      (Format.money(0, "USD", decimals: Format.decimals([2830, 1])), "0.000000 USD"),
      (Format.grouped(1_234_567), "1,234,567"),
      (Format.grouped(-1234), "-1,234"), (Format.count(1, "row"), "1 row"), (Format.count(2, "row"), "2 rows"),
      (Format.fixed(-0.05, 1), "-0.1"),
      (Format.fixed(9.996, 2), "10.00"), (Format.date(0), "1970-01-01 00:00"), (Format.date(1_800_000_000), "2027-01-15 08:00"),
      (Format.date(951_782_399), "2000-02-28 23:59"), (Format.date(951_782_400), "2000-02-29 00:00"), (Format.date(-1), "1969-12-31 23:59"),
    ])
  func words(_ text: String, _ expected: String) { #expect(text == expected) }

  @Test("Empty columns are left out; columns that may shrink do")
  func layout() {
    let table = TextTable(
      columns: [TextTable.Column(title: "A"), TextTable.Column(title: "EMPTY"), TextTable.Column(title: "LONG", shrinks: true)],
      rows: [[StyledText("a"), StyledText(""), StyledText("0123456789012345")], [StyledText("b")]], width: 14)
    #expect(table.lines(colour: false) == ["A  LONG", "a  0123456789…", "b"])
    // The column of sources shrinks before the text, down to a width of 12.
    var rows = TextTable(
      columns: [TextTable.Column(title: "", shrinks: true), TextTable.Column(title: "", shrinks: true, shrinksFirst: true)],
      rows: [[StyledText("Äulestrasse 20"), StyledText("gazetteer photon")]], width: 30)
    #expect(rows.lines(colour: false, titles: false) == ["Äulestrasse 20  gazetteer pho…"])
    rows.width = 24
    #expect(rows.lines(colour: false, titles: false) == ["Äulestrass…  gazetteer …"])
  }
}
