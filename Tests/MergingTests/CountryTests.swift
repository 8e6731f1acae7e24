import Testing

@testable import Merging

@Suite("Countries as services write them")
struct CountryTests {
  @Test(
    "A country is a code of ISO 3166-1 in either case or a name; other pairs of letters are not countries",
    arguments: [
      ("de", "DE"), ("GB", "GB"), ("uk", "GB"), ("UK", "GB"), ("Deutschland", "DE"), ("England", "GB"), ("xx", nil), ("en", nil), ("", nil),
    ] as [(String, String?)])
  func code(text: String, code: String?) { #expect(Country.code(text) == code) }
}
