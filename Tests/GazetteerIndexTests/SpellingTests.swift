import GazetteerIndex
import PlacesKit
import Testing

/// Names with the same marks or script precede names that only fold to the same text, and shown names precede names that are not shown.
@Suite struct SpellingTests {
  private static func index() throws -> SmallIndex {
    try SmallIndex(lines: [
      SmallIndex.line(1, "Köln", "Cologne", 50.94, 6.96, "DE", "", 963_395),
      SmallIndex.line(2, "Kolkata", "", 22.56, 88.36, "IN", "", 4_631_392),
      SmallIndex.line(3, "Łódź", "", 51.77, 19.47, "PL", "", 768_755), SmallIndex.line(4, "London", "", 51.5, -0.1, "GB", "", 8_961_989),
      SmallIndex.line(5, "Москва", "Moscow", 55.75, 37.62, "RU", "", 10_381_222),
      SmallIndex.line(6, "Moss", "Мос,Мосс", 59.43, 10.66, "NO", "", 36_901),
      SmallIndex.line(7, "San", "", 13.3, -4.9, "ML", "", 68_067), SmallIndex.line(8, "Santiago", "", -33.46, -70.65, "CL", "", 4_837_295),
    ])
  }

  @Test(
    "Marks and letters of a script match themselves first",
    arguments: [
      ("kö", "1"), ("köl", "1"), ("KÖ", "1"), ("ko\u{308}", "1"), ("ko", "2"), ("łó", "3"), ("lo", "4"), ("мо", "5"), ("Мос", "5"),
      ("Мосс", "6"),
      ("san", "8"),
    ])
  func spelled(query: String, id: String) throws {
    #expect(try SpellingTests.index().ids(query).first == id)
  }

  @Test(
    "Kana find the name with short vowels in Latin letters, and an Arabic name is found without its article",
    arguments: [("とうきょう", "1"), ("トウキョウ", "1"), ("おおさか", "2"), ("قاهرة", "3"), ("القاهرة", "3")])
  func leftOpen(query: String, id: String) throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Tokyo", "東京", 35.69, 139.69, "JP", "", 8_336_599),
      SmallIndex.line(2, "Osaka", "大阪", 34.69, 135.5, "JP", "", 2_592_413),
      SmallIndex.line(3, "Cairo", "القاهرة", 30.06, 31.25, "EG", "", 9_606_916),
    ])
    #expect(try index.ids(query).first == id)
  }

  @Test("A name is found with marks that it does not have")
  func foldedAlike() throws {
    #expect(try SpellingTests.index().ids("lôndon") == ["4"])
    #expect(try SpellingTests.index().ids("lodz") == ["3"])
  }

  @Test("A whole name with its marks precedes prefixes, in any language")
  func otherNames() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Munich", "Muenchen,Munchen,M\u{FC}nchen", 48.14, 11.58, "DE", "", 1_260_391),
      SmallIndex.line(2, "Münchenstein", "", 47.52, 7.62, "CH", "", 11_693),
      SmallIndex.line(3, "Kaliningrad", "Königsberg", 54.71, 20.51, "RU", "", 434_954),
      SmallIndex.line(4, "Königsberg", "", 48.1, 14.1, "AT", "", 600),
      SmallIndex.line(5, "Pécs", "Funfkirchen", 46.08, 18.23, "HU", "", 156_049),
      SmallIndex.line(6, "Fünfkirchens", "", 46, 18, "AT", "", 10_000),
    ])
    #expect(try index.ids("münchen") == ["1", "2"])
    #expect(try index.ids("mu\u{308}nchen") == ["1", "2"])
    #expect(try index.ids("MÜNCHEN de") == ["1"])
    // A name that the row shows precedes one that it does not show.
    #expect(try index.ids("königsberg") == ["4", "3"])
    // A name without the typed marks only folds to the same text.
    #expect(try index.ids("fünfkirchen") == ["6", "5"])
  }

  @Test("A near place that is spelled as typed precedes a far one that only folds to the same letters")
  func near() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Stadtlohn", "", 51.99, 6.91, "DE", "", 2_000_000), SmallIndex.line(2, "Städtle", "", 47.14, 9.52, "LI", "", 0),
      SmallIndex.line(3, "Stadtlagarten", "", 47.2, 9.52, "LI", "", 100), SmallIndex.line(4, "Städtli", "", 40, 9, "IT", "", 10),
    ])
    let near = try #require(Coordinate(latitude: 47.14, longitude: 9.52))
    let far = try #require(Coordinate(latitude: 10, longitude: 10))
    #expect(try index.ids("städtl") { $0.bias = .circle(center: near, radius: 0) } == ["2", "3", "4", "1"])
    #expect(try index.ids("städtl") { $0.bias = .circle(center: far, radius: 0) } == ["1", "4", "2", "3"])
    #expect(try index.ids("stadtl") { $0.bias = .circle(center: near, radius: 0) } == ["3", "1", "2", "4"])
  }

  @Test("Four letters that are a prefix are not a typing error")
  func beginning() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Vaduz", "", 47.14, 9.52, "LI", "", 5197), SmallIndex.line(2, "Vada", "", 19.65, 73.13, "IN", "", 50_000),
    ])
    #expect(try index.ids("vadu") == ["1"])
    #expect(try index.ids("vadi") == ["2"])
  }

  @Test("A short other name may have an error only if the place is well known")
  func shortOtherNames() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Beijing", "Peking", 39.9, 116.4, "CN", "", 18_960_744),
      SmallIndex.line(2, "Oberdorf", "Pekning", 47, 8, "CH", "", 900),
    ])
    #expect(try index.ids("pekng") == ["1"])
    #expect(try index.ids("peknig") == ["1", "2"])
    #expect(try index.ids("pkng") == [])
  }

  @Test("Han characters are not a prefix of a name in katakana")
  func han() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Beijing", "北京市", 39.9, 116.4, "CN", "", 18_960_744),
      SmallIndex.line(2, "Basingstoke", "ベイジングストーク", 51.26, -1.09, "GB", "", 107_642),
    ])
    #expect(try index.ids("北京") == ["1"])
    #expect(try index.ids("ベイジング") == ["2"])
  }

  @Test("The user's country is slightly preferred")
  func home() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Newtown", "", 1, 1, "QM", "", 30_000), SmallIndex.line(2, "Newport", "", 1, 1, "QN", "", 20_000),
      SmallIndex.line(3, "Newham", "", 1, 1, "QO", "", 9_000_000),
    ])
    #expect(try index.ids("new") == ["3", "1", "2"])
    #expect(try index.ids("new") { $0.region = "QN" } == ["3", "2", "1"])
    #expect(try index.ids("new") { $0.region = "qm" } == ["3", "1", "2"])
  }

  @Test("A tag that is not a language is ignored")
  func unknownLanguage() throws {
    let reader = try SmallIndex.world().reader
    let plain = try reader.autocomplete(AutocompleteRequest(query: "munich"))
    #expect(try reader.autocomplete(AutocompleteRequest(query: "munich", language: "xx")) == plain)
  }
}
