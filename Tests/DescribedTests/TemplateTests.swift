import JSON
import PlacesKit
import Testing

@testable import ServiceDescriptions

@Suite("Templates and converters") struct TemplateTests {
  static let vocabulary = TemplateVocabulary(
    call: .autocomplete, settings: ["site"], tables: ["kinds": ["p": "place", "q": "query"], "": [:]])
  static let values = {
    var values = RequestValues()
    values.query = "Köln/Deutz"
    values.limit = 5
    values.language = "de-AT"
    values.countries = ["DE", "AT"]
    values.bias = .circle(center: Coordinate(latitude: 50.9, longitude: -0.000001) ?? .zero, radius: 1_500)
    return values
  }()

  func value(_ text: String, _ values: RequestValues = values) throws -> JSONValue? {
    try TextTemplate(parsing: text, Self.vocabulary).value { source in
      switch source {
      case .request(let name): values[name]
      case .setting: "s"
      case .path: nil
      }
    }
  }

  @Test(
    arguments: [
      ("plain", #""plain""#), ("", #""""#), ("{limit}", "5"), ("n={limit}", #""n=5""#), ("{language | primary}", #""de""#),
      ("{language | one_of(en, DE)}", #""DE""#), ("{language|one_of(de-at)}", #""de-at""#), ("{language | one_of(fr)}", nil),
      ("{countries}", #"["DE","AT"]"#),
      ("c:{countries}", #""c:DE,AT""#), (#"{countries | lower | join("|")}"#, #""de|at""#), ("{countries | alpha3}", #"["DEU","AUT"]"#),
      ("{countries | first | alpha3 | alpha2}", #""DE""#), ("{countries | only}", nil), ("{countries|last}", #""AT""#),
      ("{countries|item(1)}", #""AT""#),
      ("{bias.latitude},{bias.longitude}", #""50.9,-0.000001""#), ("{bias.radius | times(0.001)}", "1.5"),
      ("{bias.radius | at_most(1000)}", "1000"),
      ("{bias.radius|plus(-0.4)|round}", "1500"), ("{limit | at_least(10)}", "10"), ("{query | cut(4) | upper}", #""KÖLN""#),
      ("{query | before('/')}", #""Köln""#), ("{query | after('/')}", #""Deutz""#), ("{query | after('x')}", nil),
      ("{query|replace('/',' ')}", #""Köln Deutz""#),
      ("{query | split('/') | swap}", #"["Deutz","Köln"]"#), ("{restriction.west}", nil), ("x{restriction.west}", nil),
      ("{!restriction.west}1", #""1""#),
      ("{!restriction.west}{limit}", "5"), ("{limit}{?countries}", "5"), ("{?restriction.west}{limit}", nil),
      ("{!restriction.west}{countries}", #"["DE","AT"]"#), ("{!restriction.west}{limit}{limit}", #""55""#),
      ("{?restriction.west}1", nil), ("{?countries}1", #""1""#), ("{!countries}1", nil), ("{{{limit}}}", #""{5}""#),
      ("{settings.site}", #""s""#),
      ("{query | cut(0)}", nil), ("{?query | cut(0)}1", nil), ("{query | is('x')}", nil), ("{limit | is('4', '5')}", #""5""#),
      ("{query | map(kinds)}", nil),
      ("{query | number}", nil), ("{limit | number}", "5"),
      ("{input_offset}", nil),
    ] as [(String, String?)])
  func made(template: String, expected: String?) throws { #expect(try value(template)?.text == expected) }

  @Test(arguments: [
    ("{", 1, nil as String?), ("{}", 1, nil), ("}", 0, "write `}}` for a brace"), ("{querry}", 1, "did you mean `query`?"),
    ("{id}", 1, nil),
    ("{query | uper}", 9, "did you mean `upper`?"), ("{query | cut}", 9, nil), ("{query | cut(x)}", 13, nil),
    ("{query | cut(-1)}", 13, nil),
    ("{query | cut(1}", 14, nil), ("{query | map(kins)}", 13, "did you mean `kinds`?"), ("{query", 6, nil), ("{@.name}", 1, nil),
    ("{settings.sit}", 1, "did you mean `settings.site`?"), ("{query | join('a}", 14, nil), ("{query | before('')}", 16, nil),
  ])
  func mistakes(template: String, offset: Int, suggestion: String?) {
    #expect { try TextTemplate(parsing: template, Self.vocabulary) } throws: { error in
      guard let problem = error as? SyntaxProblem else { return false }
      return problem.offset == offset && (suggestion == nil || problem.suggestion == suggestion)
    }
  }

  @Test("Marks are removed and give ranges in code points")
  func markup() {
    let text = MarkedText("<b>Köln</b> am <b>Rhe</b>in", open: "<b>", close: "</b>")
    #expect(text.text == "Köln am Rhein")
    #expect(text.matches == [TextRange(start: 0, end: 4), TextRange(start: 8, end: 11)])
    #expect(MarkedText("a<b>b", open: "<b>", close: "</b>").text == "a<b>b")
    #expect(MarkedText("<b></b>x", open: "<b>", close: "</b>").matches == [])
    #expect(MarkedText("<i>a</i> b", open: "<", close: ">", removesTags: true).text == "a b")
  }

  @Test("A text cannot grow without limit")
  func bounds() {
    let long = JSONValue.string(String(repeating: "a", count: 1_000))
    #expect(FieldConverter.replace("a", String(repeating: "b", count: 1_000)).apply(to: long) == nil)
    #expect(FieldConverter.joined(Array(repeating: long, count: 50), ",") == nil)
  }

  @Test("A body omits absent values and keeps the types of values")
  func body() throws {
    let text = #"""
      format = 1
      name = "T"
      summary = "A test."
      documentation = "https://example.org/"
      hosts = ["example.org"]
      attributions = []
      terms = { source = "none" }
      fields = { id = "@.id", name = "@.n" }
      [search]
      path = "/v1/{query}/x"
      rows = "$.r[*]"
      headers.X-Lang = "{language}"
      headers.X-Near = ["{bias.latitude}", "nowhere"]
      [search.body]
      text = "{query}"
      count = "{limit}"
      fixed = true
      countries = "{countries}"
      near = { lat = "{bias.latitude}", lon = "{bias.longitude}" }
      list = ["{language}", 1]
      """#
    let description = try #require(ServiceDescription.read(Array(text.utf8), service: "t", file: "t.toml").description)
    let call = try #require(description.describedCalls[.search])
    var values = Self.values
    values.query = "a/b"
    values.bias = .circle(center: Coordinate(latitude: 50.9, longitude: -0.25) ?? .zero, radius: 1)
    let request = try call.request.request(values, settings: [:])
    #expect(
      spelled(request)
        == #"POST - /v1/a/b/x X-Lang: de-AT X-Near: 50.9 {"text":"a/b","count":5,"fixed":true,"countries":["DE","AT"],"near":{"lat":50.9,"lon":-0.25},"list":["de-AT",1]}"#
    )
    #expect(request.path == ["v1", "a/b", "x"])
    values.bias = nil
    values.countries = []
    values.language = nil
    #expect(
      spelled(try call.request.request(values, settings: [:])).hasSuffix(
        #"x X-Near: nowhere {"text":"a/b","count":5,"fixed":true,"list":[1]}"#))
    values.query = ".."
    #expect(throws: ProviderError.self) { try call.request.request(values, settings: [:]) }
  }
}
