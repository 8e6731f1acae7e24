import Foundation
import JSON
import PlacesTesting
import Testing

@Suite("JSON")
struct JSONTests {
  /// A random tree, a few levels deep.
  private func tree(_ random: inout SeededRandom, _ depth: Int = 4) -> JSONValue {
    switch Int.random(in: 0...(depth == 0 ? 4 : 6), using: &random) {
    case 0: return nil
    case 1: return .boolean(Bool.random(using: &random))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
    case 3:
      let number = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
      // A whole number comes back as an integer.
      return number.isFinite && Int64(exactly: number) == nil && abs(number) < 1e300 ? .number(number) : .number(0.5)
    case 4: return .string(text(&random))
    case 5: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in tree(&random, depth - 1) })
    default:
      return .object(
        JSONObject((0..<Int.random(in: 0...4, using: &random)).map { (key: "\($0)" + text(&random), value: tree(&random, depth - 1)) }))
    }
  }

  private func text(_ random: inout SeededRandom) -> String {
    let letters: [Unicode.Scalar] = [
      "a", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "ü", "慕", "😀", "\u{2028}", "\u{301}", "{", " ",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...6, using: &random) { text.append(letters.randomElement(using: &random) ?? "x") }
    return String(text)
  }

  @Test("A number with few decimals is written as the shortest text that is read back as the same number", arguments: 0...9)
  func decimals(_ decimals: Int) {
    var random = SeededRandom(seed: 7)
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    for limit in [1e-3, 1, 180, 1e6, 1e10, 1e17] {
      for _ in 0..<500 {
        let number = (Double.random(in: -limit...limit, using: &random) * scale).rounded() / scale
        for number in [number, number.nextUp, number.nextDown, -number] {
          let written = JSONValue.number(number).text
          if let whole = Int(exactly: number), whole.magnitude < 1 << 53 {
            #expect(written == "\(whole)")
          } else {
            #expect(written == number.description)
          }
        }
      }
    }
  }

  @Test("A written value is read back unchanged, is one line, and is accepted by the scanner as a whole")
  func roundTrip() throws {
    var random = SeededRandom(seed: 4)
    for _ in 0..<2_000 {
      let value = tree(&random)
      let bytes = value.bytes
      #expect(!bytes.contains(0x0A))
      #expect(try JSONValue(parsing: bytes) == value)
      var scanner = JSONScanner()
      if let range = scanner.value(in: bytes.span) { #expect(range == 0..<bytes.count) }
    }
  }

  @Test("The parser reads everything that the scanner accepts; if they differ, the scanner rejects")
  func scanner() {
    var (random, passed) = (SeededRandom(seed: 5), 0)
    for _ in 0..<5_000 {
      var bytes = tree(&random).bytes
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        bytes[index] = Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : UInt8(ascii: "1")
      }
      var scanner = JSONScanner()
      guard let range = scanner.value(in: bytes.span) else { continue }
      passed += 1
      #expect((try? JSONValue(parsing: Array(bytes[range]))) != nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(passed > 1_000)
  }

  @Test("Eight bytes at any position of a text are a number, with zeros after the end, and different texts differ", arguments: 0...20)
  func words(count: Int) {
    let bytes = (0..<count).map { UInt8($0 + 1) }
    for index in 0...count + 8 {
      let expected = (0..<8).reduce(UInt64(0)) { index + $1 < count ? $0 | UInt64(bytes[index + $1]) << UInt64(8 * $1) : $0 }
      let word = bytes.span.word(at: index)
      #expect(word == expected)
    }
    let (same, longer) = (bytes.span.equals(bytes), bytes.span.equals(bytes + [0]))
    #expect(same && !longer)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x80
      let same = bytes.span.equals(other)
      #expect(!same)
    }
  }

  @Test("Plain text ends at the first quote, backslash, control character, DEL or non-ASCII byte, at any position")
  func plain() {
    for count in 0...20 {
      let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
      let whole = JSONScanner.skipPlain(in: bytes.span, from: 0)
      #expect(whole == count)
      for index in bytes.indices {
        for byte in UInt8.min ... .max {
          var text = bytes
          text[index] = byte
          let isPlain = 0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
          let end = JSONScanner.skipPlain(in: text.span, from: 0)
          #expect(end == (isPlain ? count : index))
        }
      }
    }
  }

  @Test(
    "A number beyond a double's range is the largest or smallest double",
    arguments: [("1e400", 1), ("-1e400", -1), ("1" + String(repeating: "0", count: 400), 1)] as [(String, Double)])
  func tooLarge(_ text: String, _ sign: Double) throws {
    #expect(try JSONValue(parsing: text) == .number(sign * .greatestFiniteMagnitude))
  }

  @Test(
    "An error states what is wrong and where",
    arguments: [
      ("", JSONError.Reason.unexpectedEnd, 0), ("{", .unexpectedEnd, 1), ("[1,]", .unexpectedByte, 3),
      ("{\"a\":1,\"a\":2}", .duplicateKey, 7),
      ("01", .badNumber, 0), ("\"\\x\"", .badEscape, 2), ("\"\n\"", .controlCharacter, 1),
      ("1 2", .trailingBytes, 2),
      ("[[[[", .tooDeep, 3), ("\"\\ud800\"", .badUnicode, 3),
    ])
  func errors(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
    #expect(throws: JSONError(reason, at: offset)) { try JSONValue(parsing: text, limits: JSONLimits(depth: 3)) }
  }

  @Test("A million opening brackets are rejected without a crash")
  func deep() {
    #expect(throws: JSONError(.tooDeep, at: 64)) { try JSONValue(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)) }
  }

  @Test("A long object behaves like a short one: order, last value, removal, equality in any order", arguments: [3, 16, 17, 18, 200])
  func longObjects(count: Int) throws {
    let members = (0..<count).map { (key: "k\($0)", value: JSONValue.integer(Int64($0))) }
    var object = JSONObject(members + [(key: "k1", value: "again")])
    #expect(object.keys == members.map(\.key))
    #expect(object["k1"] == "again" && object["k\(count - 1)"] != nil && object["k\(count)"] == nil)
    object["k0"] = nil
    object["k\(count)"] = "new"
    #expect(object.keys == members.dropFirst().map(\.key) + ["k\(count)"])
    #expect(object["k0"] == nil && object["k2"] == 2 && object["k\(count)"] == "new")
    let reversed = JSONObject(object.members.reversed())
    #expect(reversed == object && reversed.hashValue == object.hashValue)
    #expect(try JSONValue(parsing: JSONValue.object(object).bytes) == .object(object))
    object["k2"] = 3
    #expect(reversed != object)
  }

  @Test("Each operation on an object from outside takes time in proportion to its length")
  func objectsGrowLinearly() throws {
    let ratio = try growth(from: 2_000) { count in
      let text = Array(("{" + (0..<count).map { #""k\#($0)":0"# }.joined(separator: ",") + "}").utf8)
      let value = try JSONValue(parsing: text)
      #expect(value.object.map { JSONObject($0.members) } == value.object)
      #expect(Set([value]).contains(value))
    }
    #expect(ratio < 24, "\(ratio)")
  }

  @Test("Members that Foundation decodes are in one order, so that a reply is printed the same each time")
  func decodedOrder() throws {
    let keys = "abcdefghijkl".map(String.init)
    let text = "{\(keys.reversed().map { "\"\($0)\":1" }.joined(separator: ","))}"
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)).object?.members.map(\.key) == keys)
  }

  @Test("Thirty combining marks on a letter are unchanged; a joiner precedes each further one, as UAX #15 specifies")
  func marks() throws {
    let marks = { (count: Int) in (0..<count).map { $0 % 2 == 0 ? "\u{301}" : "\u{323}" }.joined() }
    for text in ["a" + marks(30) + "b" + marks(30), String(repeating: "慕é", count: 100), String(repeating: "x", count: 100)] {
      #expect(try JSONValue(parsing: JSONValue.string(text).bytes).string?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
    }
    let text = try #require(try JSONValue(parsing: #""a\#(marks(70))\u00e9""#).string)
    let scalars = text.unicodeScalars.split(separator: "\u{34F}").map(\.count)
    #expect(scalars == [31, 30, 11])
    #expect(text.unicodeScalars.count { $0 != "\u{34F}" } == 72)
  }

  @Test("A string of combining marks alone is compared and hashed in time in proportion to its length")
  func marksGrowLinearly() throws {
    let ratio = try growth(from: 2_000) { count in
      let marks = String(repeating: "\u{301}\u{323}", count: count)
      let value = try JSONValue(parsing: #"{"a\#(marks)":"\#(marks)","b":""}"#)
      #expect(value["a"] == nil)
      #expect(value.object?.members.first?.value.string != "place")
      #expect(Set([value]).contains(value))
    }
    #expect(ratio < 24, "\(ratio)")
  }

  @Test(
    "A member that is written in one piece equals its key and its text written one after the other",
    arguments: [
      "", "a", "Zürich", "\"", "a\\b", "\n", "eight by", "eight by\"eight", "\u{7F}", String(repeating: "long ", count: 50) + "\t",
    ])
  func members(text: String) throws {
    var whole = JSONWriter()
    var parts = JSONWriter()
    whole.object { writer in for _ in 0..<2 { writer.member("key", text) } }
    parts.object { writer in
      for _ in 0..<2 {
        writer.key("key")
        writer.string(text)
      }
    }
    #expect(whole.bytes == parts.bytes)
    var single = JSONWriter()
    single.object { $0.member("key", text) }
    #expect(try JSONValue(parsing: single.bytes)["key"]?.string == text)
  }
}
