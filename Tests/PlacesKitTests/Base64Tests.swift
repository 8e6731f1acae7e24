import Foundation  // The reference.
import PlacesKit
import PlacesTesting
import Testing

@Suite("Base64")
struct Base64Tests {
  @Test(
    "has the values of RFC 4648, section 10",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func examples(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
  }

  @Test("is what Foundation writes, and returns any bytes unchanged", arguments: 0..<64)
  func random(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Base64.encode(bytes)
    #expect(text == Data(bytes).base64EncodedString())
    #expect(Base64.decode(text) == bytes)
  }

  @Test(
    "refuses what is not base64",
    arguments: ["Z", "Zg", "Zg=", "Z===", "====", "=Zg=", "Zg==Zg==", "Zm 9", "Zm9v\n", "Zm-_", "Zmé=", "Zm9v=", "Zm=v"])
  func invalid(text: String) { #expect(Base64.decode(text) == nil) }
}
