import Foundation
import PlacesKit
import Testing

@testable import PluginHost

struct WireTests {
  private func through<T: Codable>(_ value: T) throws -> T {
    try T(providerJSON: JSONValue(parsing: ProtocolMessage.encode(value)))
  }

  @Test("A full manifest is decoded as it was encoded")
  func manifest() throws {
    var terms = Terms(
      idsSeconds: nil, coordinatesSeconds: 2_592_000, otherSeconds: 0, isolation: .session, mixing: .family("openstreetmap"),
      keepsOrder: true, source: "a page")
    let manifest = Manifest(
      plugin: "p", name: "P", version: "1", summary: "s",
      autocomplete: Capability(parameters: [.bias: .native, .types: .emulated], minimumLetters: 3, kinds: [.query]),
      details: Capability(parameters: [:], fields: [.name, .rating]), hosts: ["a.example"],
      credential: .header(name: "Authorization", prefix: "Bearer "), settings: [Setting("n", .integer, "x", defaultValue: 3)], terms: terms,
      attributions: [Attribution(text: "A", url: "https://a.example")], rate: Rate(perSecond: 1, burst: 2, concurrent: 3),
      quotaWindow: .pacificDay,
      prices: PriceTable(classes: [PriceClass("c", micros: 2_830)], calls: [.search: "c"], fieldClasses: [.details: [.rating: "c"]]),
      sessions: SessionRule(endings: ["c": .first(12), "d": .all, "e": .none]), countries: ["DE"],
      area: .circle(center: try #require(Coordinate(latitude: 1, longitude: 2)), radius: 3), coordinateDecimals: 3,
      typeWords: ["locality": ["city"]])
    #expect(try through(manifest) == manifest)
    for mixing in [Terms.Mixing.free, .never] {
      terms.mixing = mixing
      #expect(try through(terms) == terms)
    }
    for placement in [CredentialPlacement.none, .query(name: "key")] { #expect(try through(placement) == placement) }
  }

  @Test("Requests and places are decoded as they were encoded")
  func calls() throws {
    let point = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
    let request = AutocompleteRequest(
      query: "Zürich \u{1F600}\"\\\n", limit: 3, language: "de", bias: .rectangle(Rectangle(around: point, radius: 5)),
      restriction: .circle(center: point, radius: 9), origin: point, types: ["locality"], collection: .cities, kinds: [.place],
      inputOffset: 2, endsWord: true)
    #expect(try through(request) == request)
    let search = SearchRequest(query: "q", fields: [.name, .rating], minRating: 4.5, priceLevels: [.veryExpensive], rankBy: .distance)
    #expect(try through(search) == search)
    let place = Place(id: "1", values: [.openingHours: ["openNow": true, "periods": []], .rating: 4.5], location: point)
    #expect(try through(Page(rows: [place], exhaustive: true, next: "n")) == Page(rows: [place], exhaustive: true, next: "n"))
  }

  @Test("Omitted members have defaults; what the terms omit is not allowed")
  func defaults() throws {
    let manifest = try Manifest(
      providerJSON: ["plugin": "p", "name": "P", "version": "1", "summary": "s", "autocomplete": [:], "terms": ["source": "mine"]])
    #expect(manifest.autocomplete == Capability(parameters: [:]))
    #expect(manifest.search == nil)
    #expect(manifest.terms == Terms(idsSeconds: 0, coordinatesSeconds: 0, otherSeconds: 0, source: "mine"))
    #expect(manifest.rate == Rate())
    let page = try Page<Suggestion>(providerJSON: [
      "rows": [["kind": "place", "id": "1", "text": ["text": "Ulm"], "evidence": ["country": "DE"]]]
    ])
    var expected = Suggestion(kind: .place, id: "1", text: FormattedText("Ulm"))
    expected.evidence.country = "DE"
    #expect(page == Page(rows: [expected]))
  }

  @Test(
    "A manifest without one of the members that places-provider(7) names is refused",
    arguments: ["plugin", "name", "version", "summary", "terms"]
  )
  func required(_ member: String) throws {
    var manifest: JSONObject = ["plugin": "p", "name": "P", "version": "1", "summary": "s", "terms": ["source": "mine"]]
    #expect(try Manifest(providerJSON: .object(manifest)).plugin == "p")
    manifest[member] = nil
    #expect(throws: DecodingFault.self) { try Manifest(providerJSON: .object(manifest)) }
  }

  @Test("An unknown parameter in a capability is reported with the known names")
  func unknownCapability() {
    let fault = #expect(throws: DecodingFault.self) {
      try Capability(providerJSON: ["parameters": ["restriction": "native"]])
    }
    #expect(fault?.message.hasPrefix("parameters.restriction is none of language, region, bias, restrictionCircle, ") == true)
  }

  @Test(
    "The error for a wrong type names the path, never the value",
    arguments: [
      ([], "it must be an object, not array"), (["rows": 1], "rows must be an array, not integer"),
      (["rows": [["text": ["text": "x"]]]], "rows.0.kind is missing"),
      (["rows": [["kind": "secret", "text": ["text": "x"]]]], "rows.0.kind has a value that is not allowed"),
      (["rows": [["kind": "place", "text": ["text": 1]]]], "rows.0.text.text must be a string, not integer"),
      (
        ["rows": [["kind": "place", "text": ["text": "x"], "location": ["latitude": 91, "longitude": 0]]]],
        "rows.0.location coordinate out of range"
      ),
      (
        ["rows": [["kind": "place", "text": ["text": "x", "matches": [["start": 1e99, "end": 2]]]]]],
        "rows.0.text.matches.0.start must be a whole number in range, not number"
      ),
    ] as [(JSONValue, String)])
  func faults(value: JSONValue, message: String) {
    let fault = #expect(throws: DecodingFault.self) { try Page<Suggestion>(providerJSON: value) }
    #expect(fault?.message == message)
  }

  @Test(
    "Bodies cross as text where they are text, else in base64",
    arguments: [Array("grüße\n\t\"".utf8), [], [0xFF, 0x00, 0x41], [0x01], Array(repeating: 0x22, count: 10_000)] as [[UInt8]])
  func bodies(body: [UInt8]) throws {
    let response = HTTPResponse(status: 404, headers: [.init("a", "b")], body: body)
    #expect(try HTTPResponse(wire: JSONValue(parsing: response.wire)) == response)
    let request = HTTPRequest(
      .post, host: "h", path: ["a", "b c"], query: [.init("q", "ü")], headers: [.init("x", "y")], body: body, credential: .query(name: "k"))
    #expect(try HTTPRequest(wire: JSONValue(parsing: request.wire(for: .number(7)))) == request)
  }

  @Test("A handwritten HTTP request has a default method and lists of items")
  func terseRequest() throws {
    let value: JSONValue = ["host": "h", "path": ["a"], "query": [["name": "q", "value": "x"]], "body": "text"]
    #expect(try HTTPRequest(wire: value) == HTTPRequest(host: "h", path: ["a"], query: [.init("q", "x")], body: Array("text".utf8)))
    for wrong in [[], ["body": 1], ["bodyBase64": "%"], ["method": "DELETE"], ["path": "a"]] as [JSONValue] {
      #expect(throws: ProviderError.self) { try HTTPRequest(wire: wrong) }
    }
  }

  @Test("Errors keep cause, retry time and detail; an unknown cause becomes plugin")
  func errors() {
    for cause in ProviderError.Cause.allCases {
      let error = ProviderError(cause, "m", retryAfterSeconds: 2, detail: "D")
      #expect(ProviderError(wire: error.wire) == error)
    }
    #expect(ProviderError(wire: ["code": -32_601, "message": "no"]).cause == .unsupported)
    #expect(
      ProviderError(wire: ["data": ["cause": "odd", "retryAfterSeconds": -1]]) == ProviderError(.plugin, "the provider returned no reason"))
  }

  @Test("The kinds of messages are distinguished, and any other line is a fault")
  func messages() throws {
    func read(_ text: String) throws -> ProtocolMessage { try ProtocolMessage(line: Array(text.utf8)) }
    #expect(try read(#"{"jsonrpc":"2.0","method":"log"}"#) == .notification(method: "log", parameters: [:]))
    #expect(
      try read(#"{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}"#) == .request(id: .text("a"), method: "m", parameters: ["x": 1]))
    #expect(try read(#"{"jsonrpc":"2.0","id":1,"result":null}"#) == .result(id: .number(1), .null))
    #expect(try read(#"{"jsonrpc":"2.0","id":null,"error":{}}"#) == .failure(id: nil, ProviderError(wire: [:])))
    for wrong in [
      "", "x", "[]", "1", "{}", #"{"jsonrpc":"1.0","method":"m"}"#, #"{"jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","id":1}"#,
      #"{"jsonrpc":"2.0","id":1,"result":1,"error":{}}"#, #"{"jsonrpc":"2.0","id":{"k":0},"method":"m"}"#,
      #"{"jsonrpc":"2.0","id":[1],"result":1}"#, #"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#, #"{"jsonrpc":"2.0","id":null,"method":"m"}"#,
      #"{"jsonrpc":"2.0","id":"\#(String(repeating: "x", count: 129))","method":"m"}"#,
    ] {
      #expect(throws: ProtocolFault.self) { try read(wrong) }
    }
  }

  @Test("Lines do not depend on where the input is cut")
  func splitting() throws {
    let text = Array("one\n\ntwo\nthree".utf8)
    for cut in 0...text.count {
      var splitter = LineSplitter(maxLength: 5)
      let lines = try splitter.add(Array(text[..<cut])) + splitter.add(Array(text[cut...])) + splitter.add([10])
      #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["one", "two", "three"])
    }
    var short = LineSplitter(maxLength: 3)
    #expect(try short.add(Array("ab".utf8)).isEmpty)
    #expect(throws: ProtocolFault.self) { try short.add(Array("cd".utf8)) }
  }
}
