import Foundation
import PlacesKit
import PlacesTesting
import Testing

@Suite("Encoding")
struct EncodingTests {
  private enum Word: String, Codable { case one, two }

  private enum Shape: Codable, Equatable {
    case dot
    case circle(radius: Double)
    indirect case pair(Shape, Shape)
  }

  private class Base: Codable {
    var name = "base"
    init() {}
  }

  private final class Derived: Base {
    var number = 7
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      number = try container.decode(Int.self, forKey: .number)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(number, forKey: .number)
      try super.encode(to: container.superEncoder())
    }
    enum Key: CodingKey { case number }
  }

  private struct Everything: Codable {
    var text: String
    var flag: Bool?
    var count: Int
    var small: UInt8
    var large: Int64
    var share: Double
    var plain: Float
    var word: Word
    var words: [Word: [Int?]]
    var texts: [String: String]
    var shapes: [Shape]
    var json: JSONValue
    var nothing: [String]
    var nested: [[Bool]]

    init(_ random: inout SeededRandom) {
      let letters: [Character] = ["a", "\"", "\\", "/", "\n", "ü", "慕", "😀", "\u{1F}"]
      func text() -> String {
        String((0..<Int.random(in: 0...5, using: &random)).map { _ in letters.randomElement(using: &random) ?? "x" })
      }
      self.text = text()
      flag = Int.random(in: 0...2, using: &random) == 0 ? nil : Bool.random(using: &random)
      count = Int.random(in: .min ... .max, using: &random)
      small = UInt8.random(in: 0...255, using: &random)
      large = Int64.random(in: .min ... .max, using: &random)
      share = Double.random(in: -1e9...1e9, using: &random)
      plain = Float.random(in: 0...1, using: &random)
      word = Bool.random(using: &random) ? .one : .two
      words = Bool.random(using: &random) ? [:] : [.one: [1, nil, 3]]
      texts = Dictionary((0..<3).map { _ in (text(), text()) }) { $1 }
      shapes = [.dot, .circle(radius: 0.5), .pair(.dot, .pair(.circle(radius: 2), .dot))].shuffled(using: &random)
      json = ["a": [1, nil, "x"], "b": .object([:])]
      nothing = []
      nested = [[], [true], [false, true]]
    }
  }

  @Test("A value is encoded as Foundation encodes it", arguments: 0..<200)
  func same(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let value = Everything(&random)
    let (ours, theirs) = (try value.json(), Array(try JSONEncoder().encode(value)))
    #expect(try JSONValue(parsing: ours) == JSONValue(parsing: theirs))
    #expect(!ours.contains(UInt8(ascii: "\n")))
    // A value is decoded as Foundation decodes it.
    let (decoded, theirDecoded) = (try Everything(json: ours), try JSONDecoder().decode(Everything.self, from: Data(ours)))
    #expect(try JSONValue(parsing: decoded.json()) == JSONValue(parsing: ours))
    #expect(decoded.words == theirDecoded.words && decoded.shapes == theirDecoded.shapes && decoded.plain == theirDecoded.plain)
  }

  @Test("A value that is nested 64 levels deep can be decoded within another one")
  func depth() throws {
    let nested = (1..<64).reduce(JSONValue.array([])) { value, _ in .array([value]) }
    #expect(try JSONValue(parsing: nested.bytes) == nested)
    #expect(try [String: [JSONValue]](json: ["a": [nested]].json()) == ["a": [nested]])
  }

  @Test("Members are in the order in which they are encoded, also after nested containers")
  func order() throws {
    #expect(try Derived(json: Derived().json()).name == "base")
    let text = String(decoding: try Derived().json(), as: UTF8.self)
    #expect(text == #"{"number":7,"super":{"name":"base"}}"#)
    #expect(
      String(decoding: try [Shape.pair(.dot, .circle(radius: 1.5))].json(), as: UTF8.self)
        == #"[{"pair":{"_0":{"dot":{}},"_1":{"circle":{"radius":1.5}}}}]"#)
    #expect(try "a\u{1}".json() == Array("\"a\\u0001\"".utf8))
    #expect(try Int?.none.json() == Array("null".utf8))
  }

  private struct Wrong: Encodable {
    var body: @Sendable (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  @Test("Values that JSON cannot represent, values that encode nothing, and containers out of order are errors")
  func errors() {
    #expect(throws: EncodingError.self) { try [1, Double.nan].json() }
    #expect(throws: EncodingError.self) { try ["a": -Double.infinity].json() }
    #expect(throws: EncodingError.self) { try UInt64.max.json() }
    #expect(throws: EncodingError.self) { try [Wrong { _ in }].json() }
    #expect(throws: EncodingError.self) {
      try Wrong { encoder in
        try Base().encode(to: encoder)
        try Base().encode(to: encoder)
      }.json()
    }
    #expect(throws: EncodingError.self) {
      try Wrong { encoder in
        var outer = encoder.unkeyedContainer()
        var first = outer.nestedUnkeyedContainer()
        try first.encode(1)
        try outer.encode(2)
        try first.encode(3)
      }.json()
    }
    #expect(throws: EncodingError.self) {
      try Wrong { encoder in
        var outer = encoder.unkeyedContainer()
        var first = outer.nestedUnkeyedContainer()
        _ = outer.nestedUnkeyedContainer()
        _ = first.nestedUnkeyedContainer()
      }.json()
    }
  }
}
