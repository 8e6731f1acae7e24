import Testing

@testable import Merging

@Suite("Countries as services write them")
struct CountryTests {
  @Test(
    "A code of ISO 3166-1 in either case, or a name; two letters that are none are no country",
    arguments: [
      ("de", "DE"), ("GB", "GB"), ("uk", "GB"), ("UK", "GB"), ("Deutschland", "DE"), ("England", "GB"), ("xx", nil), ("en", nil), ("", nil),
    ] as [(String, String?)])
  func code(text: String, code: String?) { #expect(Country.code(text) == code) }
}
