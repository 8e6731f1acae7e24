import JSON
import PlacesAPI
import PlacesTesting
import Testing

@testable import Serving

private func key(_ params: String, user: UInt32 = 7) -> [UInt8]? {
  let bytes = Array(params.utf8)
  var request = CanonicalRequest()
  return request.read(0..<bytes.count, of: bytes.span, user: user) ? request.key : nil
}

@Suite("Canonical requests") struct CanonicalRequestTests {
  @Test(
    "Spellings of one question have one key",
    arguments: [
      (#"{"query":"berl"}"#, #"{ "query" : "  berl " }"#),
      (#"{"query":"berl"}"#, "{\t\"query\"\n:\r\"berl\"}"),
      (#"{"query":"berl","limit":5}"#, #"{"limit":5.0,"query":"berl"}"#),
      (#"{"query":"berl","limit":5}"#, #"{"limit":50e-1,"query":"berl"}"#),
      (#"{"query":"berl"}"#, #"{"query":"berl","limit":10}"#),
      (#"{"query":"berl"}"#, #"{"query":"berl","limit":1e1}"#),
      (#"{"query":"berl"}"#, #"{"query":"berl","kinds":["query","place"]}"#),
      (#"{"query":"berl"}"#, #"{"query":"berl","countries":[],"providers":[ ],"types":[]}"#),
      (#"{"query":"berl"}"#, #"{"query":"berl","stream":true,"explain":false,"cache":"default","deadlineMs":300}"#),
      (#"{"query":"berl"}"#, #"{"query":"berl","session":"00000000-0000-4000-8000-00000000000A","seq":7}"#),
      (#"{"query":"b","countries":["DE","AT"]}"#, #"{"query":"b","countries":["AT","DE"]}"#),
      (#"{"query":"b","origin":{"latitude":1,"longitude":-0.0}}"#, #"{"query":"b","origin":{"longitude":0,"latitude":1.00}}"#),
      (
        #"{"query":"b","bias":{"circle":{"center":{"latitude":52.5,"longitude":13.4},"radius":500}}}"#,
        #"{"bias":{"circle":{"radius":5e2,"center":{"longitude":13.40,"latitude":52.5}}},"query":"b"}"#
      ),
    ])
  func equal(a: String, b: String) {
    #expect(key(a) != nil)
    #expect(key(a) == key(b))
  }

  @Test(
    "Different questions have different keys",
    arguments: [
      (#"{"query":"berl"}"#, #"{"query":"Berl"}"#), (#"{"query":"berl"}"#, #"{"query":"berl","limit":9}"#),
      (#"{"query":"b","language":"de"}"#, #"{"query":"b","region":"de"}"#), (#"{"query":"b"}"#, #"{"query":"b","kinds":["place"]}"#),
      (#"{"query":"b","limit":3}"#, #"{"query":"b","inputOffset":3}"#),
      (#"{"query":"b","countries":["DE"]}"#, #"{"query":"b","providers":["DE"]}"#),
      (#"{"query":"b","countries":["AT","DE"]}"#, #"{"query":"b","countries":["ATDE"]}"#),
      (
        #"{"query":"b","bias":{"circle":{"center":{"latitude":1,"longitude":2},"radius":1}}}"#,
        #"{"query":"b","restriction":{"circle":{"center":{"latitude":1,"longitude":2},"radius":1}}}"#
      ),
    ])
  func different(a: String, b: String) {
    #expect(key(a) != nil && key(b) != nil)
    #expect(key(a) != key(b))
  }

  @Test("Users have keys of their own")
  func users() { #expect(key(#"{"query":"b"}"#, user: 1) != key(#"{"query":"b"}"#, user: 2)) }

  @Test(
    "What is unusual or wrong goes the long road",
    arguments: [
      "", "{", "{}", "[]", "[\"b\"]", #"{"query":""}"#, #"{"query":"  "}"#, #"{"query":7}"#, #"{"query":"b","query":"c"}"#,
      #"{"query":"b"}x"#,
      #"{"query":"b",}"#, #"{"query":"b" "limit":1}"#, #"{"query":"b","nonsense":1}"#, #"{"query":"b","limit":"1"}"#,
      #"{"query":"b","limit":01}"#,
      #"{"query":"b","limit":1.5}"#, #"{"query":"b","limit":null}"#, #"{"query":"b","cache":"refresh"}"#, #"{"query":"b","explain":true}"#,
      #"{"query":"b","session":"x"}"#, #"{"query":"b","seq":1}"#, #"{"query":"b","deadlineMs":5}"#, #"{"query":"b","stream":"yes"}"#,
      "{\"query\":\"a\\u0062\"}", "{\"query\":\"a\u{1}\"}", #"{"query":"b","origin":{"latitude":1,"latitude":2}}"#,
      #"{"query":"b","countries":[1]}"#, #"{"query":"b","origin":{"latitude":1,"longitude":+2}}"#, #"{"query":"b","limit":1e999}"#,
      #"{"query":"b","bias":[[[[[[[[1]]]]]]]]}"#, #"{"query":"b","limit":- 1}"#,
      #"{"query":"b","seq":-1,"session":"00000000-0000-4000-8000-00000000000a"}"#,
    ])
  func longRoad(params: String) { #expect(key(params) == nil) }

  /// Random parameters, as the long road reads them.
  private static func random(_ random: inout SeededRandom) -> Autocomplete.Parameters {
    var parameters = Autocomplete.Parameters(query: ["a", "berl", "münch", "st. louis"].randomElement(using: &random) ?? "a")
    if Bool.random(using: &random) { parameters.limit = Int.random(in: 1...50, using: &random) }
    if Bool.random(using: &random) { parameters.language = ["de", "en-US"].randomElement(using: &random) }
    if Bool.random(using: &random) { parameters.countries = ["AT", "DE"] }
    if Bool.random(using: &random) { parameters.kinds = [.place] }
    if Bool.random(using: &random) {
      parameters.origin = .init(
        latitude: Double(Int.random(in: -90...90, using: &random)), longitude: Double.random(in: -180...180, using: &random))
    }
    if Bool.random(using: &random) { parameters.seq = Int.random(in: 0...99, using: &random) }
    if parameters.seq != nil || Bool.random(using: &random) { parameters.session = SessionID() }
    if Bool.random(using: &random) { parameters.deadlineMs = Int.random(in: 10...30_000, using: &random) }
    return parameters
  }

  /// A spelling that means the same: members in another order, white space, numbers written otherwise, defaults written out.
  private static func spelling(_ parameters: Autocomplete.Parameters, _ random: inout SeededRandom) -> String {
    func space() -> String { ["", "", " ", "\n\t"].randomElement(using: &random) ?? "" }
    func text(_ value: JSONValue) -> String {
      switch value {
      case .integer(let number) where Bool.random(using: &random): "\(number).0"
      case .object(let object):
        "{" + object.members.shuffled(using: &random).map { "\(space())\"\($0.key)\"\(space()):\(text($0.value))" }.joined(separator: ",")
          + "}"
      case .array(let elements): "[" + elements.shuffled(using: &random).map { text($0) + space() }.joined(separator: ",") + "]"
      default: value.text
      }
    }
    var object = Autocomplete.schema.encode(parameters)
    if object["limit"] == nil, Bool.random(using: &random) { object["limit"] = 10 }
    if object["stream"] == nil, Bool.random(using: &random) { object["stream"] = false }
    return text(.object(object))
  }

  @Test("Random requests have one key for all spellings, and the key that the long road's parameters have")
  func random() throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<2_000 {
      let parameters = Self.random(&random)
      let plain = try #require(key(JSONValue.object(Autocomplete.schema.encode(parameters)).text))
      let spelt = Self.spelling(parameters, &random)
      #expect(key(spelt) == plain, "\(spelt)")
      let read = try Autocomplete.schema.decode(try JSONValue(parsing: spelt))
      #expect(Autocomplete.schema.canonical(read) == Autocomplete.schema.canonical(parameters))
    }
  }

  @Test("Two random requests have equal keys only when they ask the same")
  func separation() throws {
    var random = SeededRandom(seed: 12)
    var seen: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<5_000 {
      let parameters = Self.random(&random)
      let canonical = Autocomplete.schema.canonical(parameters)
      let own = try #require(key(JSONValue.object(Autocomplete.schema.encode(parameters)).text))
      if let other = seen.updateValue(canonical, forKey: own) { #expect(other == canonical) }
    }
  }

  @Test("Damaged bytes never trap, and never get the key of something else that is valid")
  func damage() {
    var random = SeededRandom(seed: 13)
    let whole = Array(
      #"{"query":"berl","limit":5,"bias":{"circle":{"center":{"latitude":52.5,"longitude":13.4},"radius":500}},"kinds":["place"]}"#.utf8)
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: index)
        }
        if bytes.isEmpty { bytes = whole }
      }
      var request = CanonicalRequest()
      guard request.read(0..<bytes.count, of: bytes.span, user: 7), let value = try? JSONValue(parsing: bytes),
        let parameters = try? Autocomplete.schema.decode(value)
      else { continue }
      #expect(key(JSONValue.object(Autocomplete.schema.encode(parameters)).text) == request.key || !bytes.allSatisfy { $0 < 0x80 })
    }
  }
}
