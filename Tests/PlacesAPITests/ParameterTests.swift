import PlacesKit
import PlacesTesting
import Testing

@testable import PlacesAPI

@Suite("Parameters")
struct ParameterTests {
  @Test("Parameters that places-rpc(7) allows are accepted", arguments: ParameterCase.good)
  func good(_ row: ParameterCase) throws {
    _ = try Autocomplete.schema.decode(JSONValue(parsing: row.params))
  }

  @Test("Parameters that it does not allow are refused with the parameter's name", arguments: ParameterCase.bad)
  func bad(_ row: ParameterCase) throws {
    let params = try JSONValue(parsing: row.params)
    let error = try #require(throws: InvalidParameter.self) { try Autocomplete.schema.decode(params) }
    #expect(error.parameter == row.refused)
    #expect(error.message.contains("`\(row.refused ?? "")`"))
  }

  @Test("No error message contains the typed text")
  func secrecy() throws {
    let error = try #require(throws: InvalidParameter.self) {
      try Autocomplete.schema.decode(["query": "a", "language": "secret words"])
    }
    #expect(!error.message.contains("secret"))
  }

  @Test(
    "The error for a misspelled name suggests the nearest name",
    arguments: [("quary", "query"), ("langauge", "language"), ("sesion", "session")])
  func nearest(_ typed: String, _ meant: String) throws {
    let params = JSONValue.object(JSONObject([(key: typed, value: 1)]))
    let error = try #require(throws: InvalidParameter.self) { try Autocomplete.schema.decode(params) }
    #expect(error.message.hasSuffix("did you mean `\(meant)`?"))
  }

  @Test("Tabs and line breaks in a query count as spaces, as in pasted text")
  func pasted() throws {
    let pasted: JSONValue = ["query": "\tMain St 1\r\n94103\tSan Francisco\n"]
    #expect(try Autocomplete.schema.decode(pasted).query == "Main St 1  94103 San Francisco ")
    let separated: JSONValue = ["query": "Main St 1\u{85}94103\u{2028}San\u{2029}Francisco"]
    #expect(try Autocomplete.schema.decode(separated).query == "Main St 1 94103 San Francisco")
  }

  @Test("One space at the end of a typed text remains, since it ends the last word; a submitted text is trimmed")
  func endsWord() throws {
    for (typed, query) in [(" port", "port"), ("port ", "port "), ("port\u{3000}\u{A0}", "port ")] {
      let parameters = try Autocomplete.schema.decode(["query": .string(typed), "inputOffset": 4])
      #expect(parameters.query == query && parameters.trimmedQuery == "port")
    }
    #expect(throws: InvalidParameter.self) { try Autocomplete.schema.decode(["query": "port ", "inputOffset": 5]) }
    #expect(throws: InvalidParameter.self) { try Autocomplete.schema.decode(["query": "  "]) }
    let longest = String(repeating: "a", count: 256)
    #expect(try Autocomplete.schema.decode(["query": .string(longest + " ")]).trimmedQuery == longest)
    #expect(try Search.schema.decode(["query": "port ", "fields": ["id"]]).query == "port")
  }

  @Test("Encoding what was decoded, and decoding that again, changes nothing", arguments: ParameterCase.good)
  func roundTrip(_ row: ParameterCase) throws {
    let parameters = try Autocomplete.schema.decode(JSONValue(parsing: row.params))
    let encoded = Autocomplete.schema.encode(parameters)
    #expect(try Autocomplete.schema.decode(.object(encoded)) == parameters)
  }

  @Test("All spellings of a value have one canonical form")
  func canonical() throws {
    let spellings = [
      #"{"query":"köln","limit":20}"#, #"{"limit":2e1,"query":" ko\u0308ln"}"#, #"{"query":"k\u00f6ln","limit":20.0,"stream":false}"#,
      #"{"explain":false,"limit":20,"kinds":["query","place"],"countries":[],"types":[],"query":"köln"}"#,
      #"{"query":"köln","limit":20,"session":"123e4567-e89b-12d3-a456-426614174000","seq":7,"deadlineMs":500,"cache":"default"}"#,
    ]
    for spelling in spellings {
      let parameters = try Autocomplete.schema.decode(JSONValue(parsing: spelling))
      #expect(String(decoding: Autocomplete.schema.canonical(parameters), as: UTF8.self) == #"{"query":"köln","limit":20}"#)
    }
  }

  @Test("Tiers mean all fields up to them")
  func tiers() throws {
    let id = try Details.schema.decode(["id": "gazetteer:1", "fields": ["id"]])
    #expect(id.fields == [.placeID, .name])
    let all = try Details.schema.decode(["id": "gazetteer:1", "fields": ["extended"]])
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

  @Test("A generated session id is accepted")
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
