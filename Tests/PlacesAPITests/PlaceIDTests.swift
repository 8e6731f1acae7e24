import PlacesAPI
import Testing

@Suite struct PlaceIDTests {
  @Test(
    "An id consists of the provider's id, a colon and the native id",
    arguments: [
      ("gazetteer:1", "gazetteer", "1"), ("a:osm:node/1", "a", "osm:node/1"), ("a::", "a", ":"), ("é:ü", "é", "ü"), ("a:\tb", "a", "\tb"),
      ("a:\u{301}b", "a", "\u{301}b"), ("a:\u{A0}", "a", "\u{A0}"),
    ])
  func parts(text: String, provider: String, native: String) throws {
    let id = try #require(PlaceID(text))
    #expect(id.provider == provider)
    #expect(id.native == native)
    #expect(id == PlaceID(provider: provider, native: native))
  }

  @Test(
    "A text without two parts, with control characters, or that is too long is not an id",
    arguments: ["", ":", "a", "a:", ":b", "a:\n", "a:\u{7F}", "\0:b", "a:b\u{85}", "a:\u{9F}", "a:" + String(repeating: "b", count: 1_023)])
  func refused(text: String) {
    #expect(PlaceID(text) == nil)
  }
}
