import PlacesKit
import PlacesTesting
import Testing

@testable import PlacesAPI

@Suite("Parameters")
struct ParameterTests {
  @Test("What api.md allows is taken", arguments: ParameterCase.good)
  func good(_ row: ParameterCase) throws {
    _ = try Autocomplete.schema.decode(JSONValue(parsing: row.params))
  }

  @Test("What it does not allow is refused by the parameter's name", arguments: ParameterCase.bad)
  func bad(_ row: ParameterCase) throws {
    let params = try JSONValue(parsing: row.params)
    let error = try #require(throws: InvalidParameter.self) { try Autocomplete.schema.decode(params) }
    #expect(error.parameter == row.refused)
    #expect(error.message.contains("`\(row.refused ?? "")`"))
  }

  @Test("No message repeats what was typed")
  func secrecy() throws {
    let error = try #require(throws: InvalidParameter.self) {
      try Autocomplete.schema.decode(["query": "a", "language": "secret words"])
    }
    #expect(!error.message.contains("secret"))
  }

  @Test(
    "A typing error in a name is told with the nearest one",
    arguments: [("quary", "query"), ("langauge", "language"), ("sesion", "session")])
  func nearest(_ typed: String, _ meant: String) throws {
    let params = JSONValue.object(JSONObject([(key: typed, value: 1)]))
    let error = try #require(throws: InvalidParameter.self) { try Autocomplete.schema.decode(params) }
    #expect(error.message.hasSuffix("did you mean `\(meant)`?"))
  }

  @Test("Encoding what was decoded, and decoding that again, changes nothing", arguments: ParameterCase.good)
  func roundTrip(_ row: ParameterCase) throws {
    let parameters = try Autocomplete.schema.decode(JSONValue(parsing: row.params))
    let encoded = Autocomplete.schema.encode(parameters)
    #expect(try Autocomplete.schema.decode(.object(encoded)) == parameters)
  }

  @Test("Whatever the spelling, the canonical form is one")
  func canonical() throws {
    let spellings = [
      #"{"query":"köln","limit":20}"#, #"{"limit":2e1,"query":" ko\u0308ln "}"#, #"{"query":"k\u00f6ln","limit":20.0,"stream":false}"#,
      #"{"explain":false,"limit":20,"kinds":["query","place"],"countries":[],"types":[],"query":"köln"}"#,
      #"{"query":"köln","limit":20,"session":"123e4567-e89b-12d3-a456-426614174000","seq":7,"deadlineMs":500,"cache":"default"}"#,
    ]
    for spelling in spellings {
      let parameters = try Autocomplete.schema.decode(JSONValue(parsing: spelling))
      #expect(String(decoding: Autocomplete.schema.canonical(parameters), as: UTF8.self) == #"{"query":"köln","limit":20}"#)
    }
  }

  /// The key of parameters as they are spelt, and of parameters that were decoded.
  private func scanned(_ params: [UInt8], user: UInt32 = 7) -> (key: [UInt8], asker: Asker)? {
    var found: (key: [UInt8], asker: Asker)?
    Autocomplete.withReplyKey(of: params.span, user: user) { found = ($0.bytes, $1) }
    return found
  }

  private func key(of parameters: Autocomplete.Parameters, user: UInt32 = 7) -> [UInt8]? {
    var key: [UInt8]?
    Autocomplete.withReplyKey(of: parameters, user: user) { key = $0.bytes }
    return key
  }

  @Test("The key that is scanned from bytes is that of the parameters", arguments: ParameterCase.good)
  func keys(_ row: ParameterCase) throws {
    let parameters = try Autocomplete.schema.decode(JSONValue(parsing: row.params))
    guard let found = scanned(Array(row.params.utf8)) else {
      #expect(parameters.cache != .standard || row.params.contains("\\u") || key(of: parameters) == nil, "\(row.params)")
      return
    }
    #expect(found.key == key(of: parameters))
    #expect(found.asker.session == parameters.session && found.asker.seq == parameters.seq && parameters.cache == .standard)
    #expect(found.key != key(of: parameters, user: 8))
  }

  @Test("Parameters that are refused have no key that a good request has", arguments: ParameterCase.bad)
  func badKeys(_ row: ParameterCase) throws {
    guard let found = scanned(Array(row.params.utf8)) else { return }
    // The key, read as parameters, must be refused as well.
    let members = found.key.dropLast(4).split { $0 < 0x20 }
    let numbers = found.key.dropLast(4).filter { $0 < 0x20 }
    let params = try zip(numbers, members).map { number, value in
      (key: Autocomplete.schema.fields[Int(number) - 1].name, value: try JSONValue(parsing: Array(value)))
    }
    #expect(throws: InvalidParameter.self) { try Autocomplete.schema.decode(.object(JSONObject(params))) }
  }

  @Test("Random spellings of one request have one key")
  func spellings() throws {
    var random = SeededRandom(seed: 6)
    for _ in 0..<500 {
      let request = RandomParameters(&random)
      var keys: Set<[UInt8]> = []
      for _ in 0..<4 {
        let text = request.spelling(&random)
        let found = try #require(scanned(Array(text.utf8)), "\(text)")
        let parameters = try Autocomplete.schema.decode(JSONValue(parsing: text))
        #expect(found.key == key(of: parameters), "\(text)")
        keys.insert(found.key)
      }
      #expect(keys.count == 1)
    }
  }

  @Test("A key has room for so much and no more, and is told from those that differ in one byte")
  func room() {
    ReplyKey.withRoom { key in
      let filled = key.append([UInt8](repeating: 1, count: ReplyKey.capacity - 1))
      let (refused, taken, full) = (key.append(number: 10), key.append(number: 4), key.append(user: 1))
      #expect(filled && !refused && taken && !full)
      #expect(key.count == ReplyKey.capacity && key.bytes.last == UInt8(ascii: "4"))
    }
    ReplyKey.withRoom { key in
      var (hashes, words) = (Set<UInt64>(), [[UInt64]]())
      for number in 0..<100 {
        _ = key.append(number: number)
        hashes.insert(key.hash(seed: 1))
        let (same, others) = (key.equals(key.words), words.contains { key.equals($0) })
        #expect(same && !others)
        words.append(key.words)
      }
      #expect(hashes.count == 100)
    }
  }

  @Test(
    "A whole number is found in any spelling, and nothing else is taken for one",
    arguments: [
      ("0", 0), ("4", 4), ("4.0", 4), ("40e-1", 4), ("0.4e1", 4), ("4E+0", 4), ("1e3", 1000), ("0.0", 0), ("0e9", 0),
      ("999999999999999", 999_999_999_999_999), ("-1", nil), ("-0", nil), ("4.5", nil), ("45e-1", nil), ("1e16", nil),
      ("999999999999999999", 999_999_999_999_999_999), ("9999999999999999999", nil), ("9999999999999999.0", nil), ("\"4\"", nil),
      ("true", nil), ("[4]", nil), ("", nil), ("123456789012345e3", nil),
      ("1.0000000000000001", nil),
    ] as [(String, Int?)])
  func wholeNumbers(_ text: String, _ number: Int?) {
    let bytes = Array(text.utf8)
    #expect(Spelling.wholeNumber(bytes.span) == number)
  }

  @Test("Tiers mean all fields up to them")
  func tiers() throws {
    let id = try Details.schema.decode(["id": "gazetteer:1", "fields": ["id"]])
    #expect(id.fields == [.placeID, .name])
    let all = try Details.schema.decode(["id": "gazetteer:1", "fields": ["preferred"]])
    #expect(all.fields == Set(PlaceField.allCases))
    #expect(throws: InvalidParameter.self) { try Details.schema.decode(["id": "gazetteer:1", "fields": []]) }
    #expect(throws: InvalidParameter.self) { try Details.schema.decode(["id": "gazetteer:1", "fields": ["nope"]]) }
    #expect(throws: InvalidParameter.self) { try Details.schema.decode(["id": "gazetteer", "fields": ["id"]]) }
  }

  @Test("The least rating is rounded up to the next half", arguments: [(0.0, 0.0), (3.1, 3.5), (3.5, 3.5), (4.51, 5.0), (5.0, 5.0)])
  func rating(_ asked: Double, _ meant: Double) throws {
    let parameters = try Search.schema.decode(["query": "a", "fields": ["id"], "minRating": .number(asked)])
    #expect(parameters.minRating == meant)
  }

  @Test("A session made here is one that is accepted")
  func session() {
    for _ in 0..<2_000 {
      let session = SessionID()
      #expect(SessionID(session.text.uppercased()) == session)
      var bytes = Array(session.text.utf8)
      let (index, byte) = (Int.random(in: 0..<36), UInt8.random(in: 0...255))
      bytes[index] = byte
      let isDigit = Character(UnicodeScalar(byte)).isHexDigit && byte < 0x80
      #expect((SessionID(utf8: bytes.span) != nil) == ([8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : isDigit), "\(bytes)")
      #expect(Array(session.text)[14] == "4" && "89ab".contains(Array(session.text)[19]))
    }
  }
}

/// A request with some parameters, each of which can be spelt in several ways.
struct RandomParameters {
  private var members: [(String, [String])] = []

  init(_ random: inout SeededRandom) {
    let queries = [
      ["\"berl\"", "\" berl \"", "\"be\\u0072l\""], ["\"münch\"", "\"m\\u00fcnch\"", "\"mu\u{308}nch\""], ["\"慕尼\"", "\"\\u6155尼\""],
    ]
    members.append(("query", queries.randomElement(using: &random) ?? []))
    let others: [(String, [String])] = [
      ("limit", ["7", "7.0", "70e-1"]), ("language", ["\"de\"", "\"DE\"", "\"d\\u0065\""]), ("region", ["\"CH\"", "\"ch\""]),
      ("countries", ["[\"DE\",\"AT\"]", "[\"at\",\"de\"]", "[ \"AT\" , \"DE\", \"DE\" ]"]),
      ("kinds", ["[\"place\"]", "[\"place\",\"place\"]"]),
      ("origin", ["{\"latitude\":1.5,\"longitude\":2}", "{\"longitude\":2.0,\"latitude\":15e-1}"]), ("explain", ["true"]),
      ("types", ["[\"cafe\",\"bar\"]", "[\"bar\",\"cafe\"]"]),
      ("bias", [ParameterCase.circle, "{ \"circle\" : {\"radius\":5e2,\"center\":{\"longitude\":2,\"latitude\":1}}}"]),
    ]
    for other in others where Bool.random(using: &random) { members.append(other) }
  }

  func spelling(_ random: inout SeededRandom) -> String {
    var spelt = members.map { "\"\($0.0)\":\($0.1.randomElement(using: &random) ?? "")" }
    let defaults = [
      "\"stream\":false", "\"cache\":\"default\"", "\"deadlineMs\":\(Int.random(in: 10...30_000, using: &random))", "\"providers\":[]",
    ]
    for member in defaults where Bool.random(using: &random) { spelt.append(member) }
    if Bool.random(using: &random) {
      spelt.append("\"session\":\"\(SessionID())\",\"seq\":\(Int.random(in: 0...99, using: &random))")
    }
    return "{" + spelt.shuffled(using: &random).joined(separator: [",", " , ", ",\n"].randomElement(using: &random) ?? ",") + "}"
  }
}
