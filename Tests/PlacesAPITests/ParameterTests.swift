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

  @Test("The key that is scanned from bytes is the canonical form", arguments: ParameterCase.good)
  func scanned(_ row: ParameterCase) throws {
    let bytes = Array(row.params.utf8)
    let parameters = try Autocomplete.schema.decode(JSONValue(parsing: bytes))
    var key: [UInt8] = []
    let scanned = try #require(Autocomplete.schema.scan(bytes.span, key: &key))
    #expect(String(decoding: key, as: UTF8.self) == String(decoding: Autocomplete.schema.canonical(parameters), as: UTF8.self))
    #expect(scanned.session == parameters.session && scanned.seq == parameters.seq && scanned.stream == parameters.stream)
    #expect(scanned.deadlineMs == parameters.deadlineMs && scanned.cache == parameters.cache)
  }

  @Test("Parameters that are refused have no key that a good request has", arguments: ParameterCase.bad)
  func scannedBad(_ row: ParameterCase) throws {
    var key: [UInt8] = []
    let bytes = Array(row.params.utf8)
    guard Autocomplete.schema.scan(bytes.span, key: &key) != nil else { return }
    // The key, read as parameters, must be refused as well.
    let params = try JSONValue(parsing: key)
    #expect(throws: InvalidParameter.self) { try Autocomplete.schema.decode(params) }
  }

  @Test("Random spellings of one request have one key")
  func spellings() throws {
    var random = SeededRandom(seed: 6)
    for _ in 0..<500 {
      let request = RandomParameters(&random)
      var keys: Set<[UInt8]> = []
      for _ in 0..<4 {
        let text = request.spelling(&random)
        var key: [UInt8] = []
        let bytes = Array(text.utf8)
        #expect(Autocomplete.schema.scan(bytes.span, key: &key) != nil, "\(text)")
        #expect(key == Autocomplete.schema.canonical(try Autocomplete.schema.decode(JSONValue(parsing: bytes))), "\(text)")
        keys.insert(key)
      }
      #expect(keys.count == 1)
    }
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
    for _ in 0..<100 {
      let session = SessionID()
      #expect(SessionID(session.text.uppercased()) == session)
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
