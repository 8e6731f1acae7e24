import Foundation
import PlacesKit
import PlacesTesting
import Testing

@testable import Suggest

@Suite("Suggest: requests") struct SuggestRequestTests {
  @Test(arguments: [
    (
      "https://www.google.com/complete/search?client=firefox&ie=utf-8&oe=utf-8&q={query}&hl={language}&gl={region}", "google-firefox",
      "GET https://www.google.com /complete/search?client=firefox&ie=utf-8&oe=utf-8&q=café & tea&hl=de-CH&gl=CH"
    ),
    (
      "https://www.google.com/complete/search?output=toolbar&q={query}", "google-toolbar",
      "GET https://www.google.com /complete/search?output=toolbar&q=café & tea&ie=utf-8&oe=utf-8"
    ),
    (
      "https://{language}.wikipedia.org/w/api.php?action=opensearch&format=json&search={query}&limit={limit}", "wikipedia",
      "GET https://de.wikipedia.org /w/api.php?action=opensearch&format=json&search=café & tea&limit=7"
    ),
    (
      "https://duckduckgo.com/ac/?q={query}&kl={region}-{language}&type=list", "duckduckgo",
      "GET https://duckduckgo.com /ac/?q=café & tea&kl=ch-de&type=list"
    ),
    ("http://127.0.0.1:8080/complete/{query}", "list", "GET http://127.0.0.1:8080 /complete/café & tea"),
    (
      "https://search.yahoo.com/sugg/gossip/gossip-us-ura/?output=sd1&command={query}&nresults={limit}", "yahoo-gossip",
      "GET https://search.yahoo.com /sugg/gossip/gossip-us-ura/?output=sd1&command=café & tea&nresults=7"
    ),
  ]) func `The placeholders of an address get the values of the request`(url: String, format: String, expected: String) async throws {
    let http = Answering(format == "list" ? "[]" : #"["q",[]]"#)
    let settings: [String: JSONValue] = ["url": .string(url), "format": .string(format), "contact": "me@example.org"]
    let provider = try await Suggest(context: http.context(settings: settings))
    _ = try? await provider.autocomplete(AutocompleteRequest(query: "café & tea", limit: 7, language: "de-CH", region: "CH"))
    #expect(http.requests.map(spelled) == [expected])
  }

  @Test func `Google is told the charset, in the shipped file as well`() async throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../etc/providers.d/suggest.toml")
    let text = try String(contentsOf: file, encoding: .utf8)
    func values(_ key: String) -> [String] {
      text.split(separator: "\n").filter { $0.hasPrefix("\(key) = ") }.map { String($0.dropFirst(key.count + 4).dropLast()) }
    }
    let services = Array(zip(values("url"), values("format")))
    #expect(services.count == 6 && services.count { $1.hasPrefix("google-") } == 1)
    for (url, format) in services {
      let http = Answering(#"["q",[]]"#)
      let settings: [String: JSONValue] = ["url": .string(url), "format": .string(format), "contact": "me@example.org"]
      let provider = try await Suggest(context: http.context(settings: settings))
      _ = try? await provider.autocomplete(AutocompleteRequest(query: "x", language: "en", region: "GB"))
      let sent = http.requests.flatMap(\.query).filter { ["ie", "oe"].contains($0.name) }
      #expect(sent == (format.hasPrefix("google-") ? [.init("ie", "utf-8"), .init("oe", "utf-8")] : []))
      #expect(url.contains("ie=utf-8&oe=utf-8") == format.hasPrefix("google-"))
    }
  }

  @Test(arguments: [
    ("https://x.example/s?q={searchTerms}&n={count}&hl={language}", "q=x y&n=7&hl=de-CH"),
    (
      "https://x.example/s?q={searchTerms}&o={startIndex?}&p={startPage}&ie={inputEncoding}&oe={outputEncoding?}",
      "q=x y&o=1&p=1&ie=UTF-8&oe=UTF-8"
    ),
    // An optional parameter that is unknown here, and one of another namespace, have no value.
    ("https://x.example/s?q={searchTerms}&r={referrer:source?}&d={moz:distributionID?}&gl={region}", "q=x y&gl=CH"),
  ]) func `The parameters of an OpenSearch description are placeholders too`(url: String, query: String) async throws {
    let http = Answering(#"["q",[]]"#)
    let provider = try await Suggest(context: http.context(settings: ["url": .string(url), "format": "opensearch"]))
    _ = try await provider.autocomplete(AutocompleteRequest(query: "x y", limit: 7, language: "de-CH", region: "CH"))
    #expect(http.requests.map(spelled) == ["GET https://x.example /s?\(query)"])
  }

  @Test func `The question mark of an optional parameter in the path does not begin the query`() async throws {
    let http = Answering(#"["q",[]]"#)
    let url: JSONValue = "https://{language?}.x.example/{region?}/s?q={query}"
    let provider = try await Suggest(context: http.context(settings: ["url": url, "format": "opensearch"]))
    _ = try await provider.autocomplete(AutocompleteRequest(query: "x", language: "de-CH", region: "CH"))
    #expect(http.requests.map(spelled) == ["GET https://de.x.example /CH/s?q=x"])
  }

  @Test(arguments: [
    "https://x.example/s?q={query}&l={language", "https://x.example/s?q={query}}", "https://x.example/s?q={query}&l={{language}}",
    "https://x.example/}/s?q={query}", "https://{language.x.example/s?q={query}", "https://x.example/s?q={query}&{language}=1",
    "https://x.example/{other?}/s?q={query}",
  ]) func `A brace that belongs to no placeholder is refused`(url: String) async {
    let error = await thrownBy { try await Suggest(context: Answering().context(settings: ["url": .string(url), "format": "opensearch"])) }
    #expect(error?.message.hasPrefix("url has a brace") == true, "\(url)")
  }

  @Test(
    arguments: [
      (SuggestFormat.googleToolbar, nil, 10), (.googleFirefox, nil, 10), (.wikipedia, nil, 50), (.yahooRelated, nil, 50),
      (.opensearch, nil, 50),
      (.opensearch, 8, 8), (.googleToolbar, 25, 25),
    ] as [(SuggestFormat, Int64?, Int)])
  func `An instance is asked for as many rows as its service returns`(format: SuggestFormat, limit: Int64?, rows: Int) async throws {
    var settings: [String: JSONValue] = ["url": "https://x.example/s?q={query}", "format": .string(format.rawValue)]
    if let limit { settings["limit"] = .integer(limit) }
    let provider = try await Suggest(context: Answering().context(settings: settings))
    #expect(provider.manifest.autocomplete?.maximumRows == rows)
  }

  @Test(arguments: [0, 51, -1]) func `A limit that no request can have is refused`(limit: Int64) async {
    let settings: [String: JSONValue] = ["url": "https://x.example/s?q={query}", "limit": .integer(limit)]
    let error = await thrownBy { try await Suggest(context: Answering().context(settings: settings)) }
    #expect(error?.cause == .badRequest)
  }

  @Test(
    arguments: [
      ("https://en.wikipedia.org/w/api.php?search={query}", nil, false), ("https://{language}.wikipedia.org/w?q={query}", "", false),
      ("https://{language}.wikivoyage.org/w?q={query}", "me@example.org", true), ("https://wiki.example.org/w?q={query}", nil, true),
    ] as [(String, String?, Bool)])
  func `Wikimedia's policy requires a contact in the user agent`(url: String, contact: String?, starts: Bool) async {
    var settings: [String: JSONValue] = ["url": .string(url), "format": "wikipedia"]
    settings["contact"] = contact.map(JSONValue.string)
    let error = await thrownBy { try await Suggest(context: Answering().context(settings: settings)) }
    #expect((error == nil) == starts && error?.message.contains("`contact`") != false)
    #expect(SuggestFormat.allCases.filter { $0.manifest(named: nil).terms.needsContact } == [.wikipedia])
  }

  @Test(arguments: [("de-AT", "AT", "at-de"), ("en-GB", "GB", "uk-en"), ("zh_Hant", "TW", "tw-zh"), (nil, "US", "us-en")])
  func `A market of DuckDuckGo's is a region and a language alone`(language: String?, region: String, market: String) async throws {
    let http = Answering(#"["q",[]]"#)
    let url: JSONValue = "https://duckduckgo.com/ac/?q={query}&type=list&kl={region}-{language}"
    let provider = try await Suggest(context: http.context(settings: ["url": url, "format": "duckduckgo"]))
    _ = try await provider.autocomplete(AutocompleteRequest(query: "x", language: language, region: region))
    #expect(http.requests.first?.query.last == .init("kl", market))
  }

  @Test func `An item without a value is left out, and braces of a query are no placeholders`() async throws {
    let http = Answering(#"["q",[]]"#)
    let settings: [String: JSONValue] = ["url": "https://x.example/s?q={query}&gl={region}&hl={language}", "format": "opensearch"]
    let provider = try await Suggest(context: http.context(settings: settings))
    _ = try await provider.autocomplete(AutocompleteRequest(query: "{limit} {region}"))
    #expect(http.requests.map(spelled) == ["GET https://x.example /s?q={limit} {region}&hl=en"])
  }

  @Test(arguments: [
    ("", "opensearch"), ("ftp://x.example/{query}", "list"), ("https://x.example/s", "list"),
    ("https://x.example/s?q={terms}", "list"), ("https://x.example/s?q={searchTerms}&u={unknown}", "list"),
    ("https://{query}.example/", "list"), ("https://x.example/s?q={query}", "xml"), ("https://x.example/s?q={query}&n={number}", "list"),
  ]) func `Settings that cannot work are refused`(url: String, format: String) async {
    let context = Answering().context(settings: ["url": .string(url), "format": .string(format)])
    await #expect(throws: ProviderError.self) { try await Suggest(context: context) }
  }

  @Test func `It is asked for queries only, and never with a filter`() {
    for format in SuggestFormat.allCases {
      let manifest = format.manifest(named: nil)
      #expect(manifest.autocomplete?.kinds == [.query])
      #expect(manifest.leavesMachine)
      for parameter in [Capability.Parameter.restrictionCircle, .restrictionRectangle, .types, .collection, .countries] {
        #expect(manifest.autocomplete?.support(parameter) == .unsupported)
      }
      #expect(manifest.search == nil && manifest.details == nil && manifest.reverse == nil)
      #expect(!manifest.attributions.isEmpty)
    }
  }
}

@Suite("Suggest: answers") struct SuggestAnswerTests {
  static func page(_ format: SuggestFormat, _ response: HTTPResponse, limit: Int = 10) throws(ProviderError) -> Page<Suggestion> {
    try format.page(from: response, for: AutocompleteRequest(query: "coff", limit: limit), service: "Test")
  }

  static let bodies: [(SuggestFormat, String, [String])] = [
    (.opensearch, #"["coff", ["coffee near me", "coffee"]]"#, ["coffee near me", "coffee"]),
    (.opensearch, #"["coff", [{"q": "coffee"}, {"phrase": "coffin"}, {"other": 1}, 7, null]]"#, ["coffee", "coffin"]),
    (.opensearch, #"["coff", []]"#, []),
    (.opensearch, #"["coff", ["a", "a", "", " ", "b\u0007c", "d"], [], [], {"x": 1}]"#, ["a", "d"]),
    (.opensearch, ")]}'\n[\"coff\", [\"coffee\"]]", ["coffee"]),
    (.opensearch, "while(1);[\"coff\", [\"coffee\"]]", ["coffee"]),
    (.opensearch, "for(;;);[\"coff\", [\"coffee\"]]", ["coffee"]),
    (.opensearch, "/**/ window.google.ac.h([\"coff\", [\"coffee (hot)\"]]);\n", ["coffee (hot)"]),
    (.opensearch, "\u{FEFF}[\"coff\", [\"coffee\"]]", ["coffee"]),
    (
      .googleFirefox, #"["coff", ["coffee near me", "coffee", "coffin"], [], {"google:suggestsubtypes": [[512, 433], [512], [512]]}]"#,
      ["coffee near me", "coffee", "coffin"]
    ),
    (
      .googleFirefox,
      #"["coff", ["coffee near me", "https://www.coffee.example/"], ["", "Coffee Example"], [], {"google:suggesttype": ["QUERY", "NAVIGATION"]}]"#,
      ["coffee near me"]
    ),
    (.googleFirefox, #"["coff", ["x", "y"], [], [], {"google:suggesttype": ["QUERY"]}]"#, ["x", "y"]),
    (
      .googleToolbar,
      #"<?xml version="1.0"?><toplevel><CompleteSuggestion><suggestion data="coffee near me"/></CompleteSuggestion><CompleteSuggestion><suggestion data="coffee &amp; tea"/><num_queries int="1000"/></CompleteSuggestion></toplevel>"#,
      ["coffee near me", "coffee & tea"]
    ),
    (.googleToolbar, "<toplevel/>", []),
    (.bing, #"["coff",["coffee","coffin"]]"#, ["coffee", "coffin"]),
    (.bing, #"fn(["coff",["coffee"]]);"#, ["coffee"]),
    (
      .bingAS, "{ \"s\": [ { \"q\": \"\u{E000}coff\u{E001}ee near me\" }, { \"q\": \"\u{E000}coff\u{E001}in\" }, {} ] }",
      ["coffee near me", "coffin"]
    ),
    (.bingAS, "{}", []),
    (
      .yahooGossip, #"{ "q": "coff", "l": { "gprid": "x" }, "r": [ { "k": "coffee near me", "m": 6 }, { "k": "coffee", "m": 6 } ] }"#,
      ["coffee near me", "coffee"]
    ),
    (.yahooGossip, #"<m q="coff"><s k="coffee" m="6"/><s k="coffin" m="6"/></m>"#, ["coffee", "coffin"]),
    (.yahooGossip, #"["coff",["coffee"]]"#, ["coffee"]),
    (.yahooRelated, #"{"ResultSet": {"Result": ["neil young", "neil diamond"]}}"#, ["neil young", "neil diamond"]),
    (.yahooRelated, #"{"ResultSet": {"Result": "neil young"}}"#, ["neil young"]),
    (.yahooRelated, #"{"ResultSet": {}}"#, []),
    (.yahooRelated, #"{"ResultSet": ""}"#, []),
    // Without output=json the service answers in XML.
    (
      .yahooRelated,
      #"<?xml version="1.0" encoding="UTF-8"?><ResultSet xmlns="urn:yahoo:srch"><Result>neil young</Result><Result>neil &amp; me</Result></ResultSet>"#,
      ["neil young", "neil & me"]
    ),
    (.yahooRelated, "<ResultSet/>", []),
    (
      .opensearch,
      #"<SearchSuggestion xmlns="http://schemas.microsoft.com/Search/2008/suggestions"><Query>xbox</Query><Section title="Games"><Item><Text>xbox 360</Text><Description>A console</Description><Image source="https://x.example/360.png" alt="x"/><Url>https://x.example/360</Url></Item><Separator/><Item><Text>xbox one</Text></Item></Section></SearchSuggestion>"#,
      ["xbox 360", "xbox one"]
    ),
    (.opensearch, "<SearchSuggestion><Query>q</Query><Section/></SearchSuggestion>", []),
    (.duckduckgo, #"[{"phrase":"coffee"},{"phrase":"coffin"}]"#, ["coffee", "coffin"]),
    (.duckduckgo, #"["coff",["coffee"]]"#, ["coffee"]),
    (.duckduckgo, "[]", []),
    (
      .wikipedia,
      #"["amste", ["Amsterdam", "Amstelveen"], ["", "A town"], ["https://en.wikipedia.org/wiki/Amsterdam", "https://en.wikipedia.org/wiki/Amstelveen"]]"#,
      ["Amsterdam", "Amstelveen"]
    ),
    (.brave, #"["coff",[{"is_entity":true,"q":"coffee","name":"Coffee"},{"q":"coffin"}]]"#, ["coffee", "coffin"]),
    (.list, #"["coffee","coffin"]"#, ["coffee", "coffin"]),
    (.list, #"{"status":"success","data":{"items":[{"value":"coffee"}]}}"#, ["coffee"]),
    (.list, #"{"g":[{"q":"coffee"}]}"#, ["coffee"]),
    (.list, #"{"data": []}"#, []),
  ]

  @Test(arguments: bodies) func `Every shape gives its texts`(format: SuggestFormat, body: String, expected: [String]) throws {
    let page = try SuggestAnswerTests.page(format, reply(body))
    #expect(page.rows.map(\.text.text) == expected)
    #expect(page.rows.allSatisfy { $0.kind == .query && $0.id == nil && $0.location == nil })
  }

  @Test(arguments: SuggestFormat.allCases) func `Nothing and no content are empty answers`(format: SuggestFormat) throws {
    #expect(try SuggestAnswerTests.page(format, reply("", status: 204)).rows.isEmpty)
    #expect(try SuggestAnswerTests.page(format, reply("")).rows.isEmpty)
  }

  @Test(arguments: [
    (403, ProviderError.Cause.rateLimit), (429, .rateLimit), (400, .badRequest), (404, .http), (401, .credentials), (302, .http),
    (500, .http), (503, .http),
  ]) func `Statuses have their causes`(status: Int, cause: ProviderError.Cause) {
    for format in SuggestFormat.allCases {
      let error = thrown { () throws(ProviderError) in
        try SuggestAnswerTests.page(format, reply("sorry", status: status, headers: ["retry-after": "9"]))
      }
      #expect(error?.cause == cause)
      if cause == .rateLimit { #expect(error?.retryAfterSeconds == 9) }
    }
  }

  @Test(arguments: [
    "<!DOCTYPE html><html>sorry</html>", "\n <HTML><body>", "{", "[", "null", "7", "\"x\"", "[\"q\"]", "[\"q\", 7]", "<a><b></a>",
    "<other><x/></other>", String(repeating: "[", count: 5_000),
  ])
  func `Damaged bodies are refused as what they are`(body: String) {
    for format in SuggestFormat.allCases {
      let error = thrown { () throws(ProviderError) in try SuggestAnswerTests.page(format, reply(body)) }
      // `["q"]` is a flat list of one, and so are brackets never closed for none.
      if body == #"["q"]"#, [.list, .duckduckgo].contains(format) { continue }
      if body == #"["q", 7]"#, [.list, .duckduckgo].contains(format) { continue }
      #expect(error?.cause == (body.lowercased().contains("html") ? .rateLimit : .decode), "\(format) \(body.prefix(20))")
    }
  }

  @Test func `A document type, and with it every entity, is refused`() {
    let bomb =
      #"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><toplevel><CompleteSuggestion><suggestion data="&b;"/></CompleteSuggestion></toplevel>"#
    for body in [bomb, "<?xml version=\"1.0\"?>" + bomb] {
      let error = thrown { () throws(ProviderError) in try SuggestAnswerTests.page(.googleToolbar, reply(body)) }
      #expect(error != nil)
    }
  }

  @Test func `The charset is the one that was told`() throws {
    func body(_ prefix: String, _ bytes: [UInt8], _ suffix: String) -> [UInt8] { Array(prefix.utf8) + bytes + Array(suffix.utf8) }
    let cases: [(String, [UInt8], String)] = [
      ("text/javascript; charset=ISO-8859-1", [0xFC], "ü"), ("text/javascript; charset=\"windows-1251\"", [0xCC, 0xEE], "Мо"),
      ("text/javascript; Charset=Shift_JIS", [0x93, 0x8C, 0x8B, 0x9E], "東京"), ("application/json; charset=utf-8", Array("ü".utf8), "ü"),
      ("application/json", Array("東".utf8), "東"), ("text/javascript; charset=windows-1252", [0x80], "€"),
    ]
    for (type, bytes, text) in cases {
      let json = HTTPResponse(status: 200, headers: [.init("content-type", type)], body: body("[\"q\",[\"", bytes, "\"]]"))
      #expect(try SuggestAnswerTests.page(.googleFirefox, json).rows.map(\.text.text) == [text])
      let xml = HTTPResponse(
        status: 200, headers: [.init("content-type", type)],
        body: body(
          "<?xml version=\"1.0\"?><toplevel><CompleteSuggestion><suggestion data=\"", bytes, "\"/></CompleteSuggestion></toplevel>"))
      #expect(try SuggestAnswerTests.page(.googleToolbar, xml).rows.map(\.text.text) == [text])
    }
    for type in [
      "text/javascript; charset=klingon", "application/json; charset=utf-8", "application/json",
      "text/javascript; charset=../../etc/passwd",
    ] {
      let response = HTTPResponse(status: 200, headers: [.init("content-type", type)], body: body("[\"q\",[\"", [0xFC], "\"]]"))
      let error = thrown { () throws(ProviderError) in try SuggestAnswerTests.page(.googleFirefox, response) }
      #expect(error?.cause == .decode)
      #expect(error?.detail == "charset")
    }
  }

  @Test func `An encoding that only the XML declaration names is obeyed, and the one of HTTP precedes it`() throws {
    func xml(_ encoding: String, _ bytes: [UInt8]) -> [UInt8] {
      Array("<?xml version=\"1.0\" encoding=\(encoding)?><toplevel><CompleteSuggestion><suggestion data=\"".utf8) + bytes
        + Array("\"/></CompleteSuggestion></toplevel>".utf8)
    }
    for (type, encoding, bytes, text) in [
      ("text/xml", "\"ISO-8859-1\"", [0xFC], "ü"), ("text/xml", "'windows-1251' standalone='yes'", [0xCC, 0xEE], "Мо"),
      (nil, "\"Shift_JIS\"", [0x93, 0x8C, 0x8B, 0x9E], "東京"), ("text/xml; charset=utf-8", "\"ISO-8859-1\"", Array("ü".utf8), "ü"),
      ("text/xml", "\"utf-8\"", Array("東".utf8), "東"),
    ] as [(String?, String, [UInt8], String)] {
      let response = HTTPResponse(
        status: 200, headers: type.map { [.init("content-type", $0)] } ?? [], body: xml(encoding, bytes))
      #expect(try SuggestAnswerTests.page(.googleToolbar, response).rows.map(\.text.text) == [text])
    }
    let unknown = HTTPResponse(status: 200, body: xml("\"klingon\"", [0xFC]))
    #expect(thrown { () throws(ProviderError) in try SuggestAnswerTests.page(.googleToolbar, unknown) }?.detail == "charset")
  }

  @Test func `Matches are reported, from the service's marks if there are any`() throws {
    let marked = try SuggestAnswerTests.page(.bingAS, reply("{\"s\": [{\"q\": \"\u{1F600}\u{E000}coff\u{E001}ee \u{E000}c\"}]}"))
    #expect(
      marked.rows.first?.text == FormattedText("\u{1F600}coffee c", matches: [TextRange(start: 1, end: 5), TextRange(start: 8, end: 9)]))
    let plain = try SuggestAnswerTests.page(.opensearch, reply(#"["coff", ["iced Coffee"]]"#))
    #expect(plain.rows.first?.text.matches == [TextRange(start: 5, end: 9)])
  }

  @Test func `Descriptions, addresses and hits are kept, and no more rows than asked for`() throws {
    let wiki = SuggestAnswerTests.bodies.first { $0.0 == .wikipedia }?.1 ?? ""
    let row = try #require(try SuggestAnswerTests.page(.wikipedia, reply(wiki)).rows.last)
    #expect(row.secondary?.text == "A town")
    #expect(row.url == "https://en.wikipedia.org/wiki/Amstelveen")
    #expect(try SuggestAnswerTests.page(.wikipedia, reply(wiki), limit: 1).rows.count == 1)
    let xml = try #require(SuggestAnswerTests.bodies.first { $0.1.hasPrefix("<SearchSuggestion xmlns") }?.1)
    let item = try #require(try SuggestAnswerTests.page(.opensearch, reply(xml)).rows.first)
    #expect(item.secondary?.text == "A console" && item.url == "https://x.example/360")
    #expect(item.iconImageURL == "https://x.example/360.png")
    let toolbar = SuggestAnswerTests.bodies.first { $0.0 == .googleToolbar }?.1 ?? ""
    let importance = try #require(try SuggestAnswerTests.page(.googleToolbar, reply(toolbar)).rows.last?.importance)
    #expect(abs(importance - 0.3) < 0.001)
  }

  @Test func `No damage makes it crash or give what is no text`() {
    let count = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1" ? 200_000 : 2_000
    for (index, body) in Mutations(of: SuggestAnswerTests.bodies.map(\.1), seed: 3, count: count).enumerated() {
      let format = SuggestFormat.allCases[index % SuggestFormat.allCases.count]
      guard let page = try? SuggestAnswerTests.page(format, HTTPResponse(status: 200, body: body)) else { continue }
      #expect(page.rows.count <= 10)
      for row in page.rows { #expect(isSound(row.text)) }
    }
  }
}

/// Ranges ascend, do not overlap, and lie within the text.
func isSound(_ text: FormattedText) -> Bool {
  var end = 0
  for match in text.matches {
    guard match.start >= end, match.end > match.start else { return false }
    end = match.end
  }
  return end <= text.text.unicodeScalars.count && !text.text.isEmpty
}
