import PlacesKit
import Testing

@testable import GazetteerIndex

@Suite("Words that are part of a name, or the whole name of a small place")
struct PartTests {
  private static func index() throws -> SmallIndex {
    try SmallIndex(lines: [
      SmallIndex.line(1, "Berlin", "", 52.52, 13.41, "DE", "16", 3_400_000),
      SmallIndex.line(2, "Berlin Heights", "", 41.32, -82.49, "US", "OH", 900),
      SmallIndex.line(3, "Frankfurt am Main", "", 50.11, 8.68, "DE", "05", 650_000),
      SmallIndex.line(4, "Airport", "", 19.7, -155.1, "US", "HI", 2000),
      SmallIndex.line(5, "Cooper City", "", 26.06, -80.27, "US", "FL", 33_000),
      SmallIndex.line(6, "Zuera", "", 41.86, -0.79, "ES", "52", 8000),
      SmallIndex.line(7, "Zürich", "", 47.37, 8.55, "CH", "ZH", 341_000),
      SmallIndex.line(8, "Coop", "", 47.14, 9.52, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(9, "Coop", "", 47.10, 9.52, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(10, "Berlin", "", 47.15, 9.52, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(11, "Hauptstr. Nord", "", 47.2, 9.6, "AT", "08", 0, code: "R\tST"),
    ])
  }

  @Test(
    "A town is found after a postcode or next to an unknown word, for any limit",
    arguments: [
      ("10115 berlin", "1"), ("berlin 10115", "1"), ("60311 frankfurt", "3"), ("berlin hbf", "1"), ("berlin airport", "1"),
      ("berln heights", "2"),
    ])
  func parts(query: String, id: String) throws {
    let index = try PartTests.index()
    for limit in 1...12 { #expect(try index.ids(query) { $0.limit = limit }.first == id, "\(query), \(limit)") }
  }

  @Test("After a postcode a city precedes the canton of its name")
  func cityBeforeCanton() throws {
    let index = try SmallIndex(
      lines: [
        SmallIndex.line(1, "Zürich", "Zurich", 47.37, 8.55, "CH", "ZH", 341_000),
        SmallIndex.line(2, "Canton of Zürich", "Zürich", 47.42, 8.65, "CH", "ZH", 1_500_000, code: "A\tADM1"),
        SmallIndex.line(3, "Winterthur", "", 47.5, 8.72, "CH", "ZH", 110_000),
      ], regions: ["CH.ZH\tZurich\tZurich\t2"])
    #expect(try index.ids("8001 zürich") == ["1", "CH.ZH"])
  }

  @Test(
    "German without umlauts and with abbreviated streets finds the same prefixes",
    arguments: [("zuerich", "7"), ("zuer", "7"), ("hauptstrasse nord", "11"), ("hauptstr nord", "11"), ("Hauptstr. N", "11")])
  func german(query: String, id: String) throws { #expect(try PartTests.index().ids(query).first == id) }

  @Test(
    "Nearby places with exactly the typed name, nearest first, precede prefix matches elsewhere and follow world-famous places")
  func wholeNearby() throws {
    let index = try PartTests.index()
    let around = Area.circle(center: try #require(Coordinate(latitude: 47.141, longitude: 9.52)), radius: 20_000)
    #expect(try index.ids("coop") { $0.bias = around } == ["8", "9", "5"])
    #expect(try index.ids("coop") == ["8", "9", "5"])
    #expect(try index.ids("berlin") { $0.bias = around }.prefix(2) == ["1", "10"])
  }

  @Test("A German name in the requested language is found without umlauts")
  func localised() {
    var record = GazetteerRecord(id: "1", name: "Munich")
    record.country = "DE"
    record.names = [.init("de", "München"), .init("sv", "München")]
    let kind = String(Unicode.Scalar(TermKind.localisedName.rawValue))
    let terms = PlaceTerms(record).terms
    #expect(terms.contains(kind + "de muenchen") && terms.contains(kind + "de munchen") && !terms.contains(kind + "sv muenchen"))
  }
}
