import PlacesAPI
import PlacesKit
import Testing

/// Parameters of autocomplete as a client may write them, and the parameter that is refused (nil if none is).
struct ParameterCase: Sendable, CustomTestStringConvertible {
  var params: String
  var refused: String?
  var testDescription: String { params }

  init(_ params: String, _ refused: String? = nil) {
    self.params = params
    self.refused = refused
  }

  static let circle = #"{"circle":{"center":{"latitude":1,"longitude":2},"radius":500}}"#

  private static func query(_ member: String) -> String { #"{"query":"berl",\#(member)}"# }

  static let good: [ParameterCase] =
    [
      "\"limit\":1", "\"limit\":50", "\"limit\":10.0", "\"limit\":1e1", "\"language\":\"de\"", "\"language\":\"zh-Hant-TW\"",
      "\"language\":\"DE-ch\"", "\"language\":\"es-419\"", "\"language\":\"de-1996\"", "\"language\":\"en-u-hc-h12\"", "\"region\":\"DE\"",
      "\"region\":\"de\"", "\"region\":\"XK\"", "\"origin\":{\"latitude\":90,\"longitude\":-180}",
      "\"origin\":{\"longitude\":0,\"latitude\":-0}",
      "\"bias\":\(circle)", "\"restriction\":\(circle)", #""bias":{"circle":{"center":{"latitude":0,"longitude":0},"radius":0}}"#,
      #""bias":{"circle":{"center":{"latitude":0,"longitude":0},"radius":50000}}"#,
      #""restriction":{"rectangle":{"low":{"latitude":1,"longitude":170},"high":{"latitude":2,"longitude":-170}}}"#,
      #""restriction":{"rectangle":{"low":{"latitude":-90,"longitude":-180},"high":{"latitude":90,"longitude":180}}}"#,
      #""restriction":{"rectangle":{"low":{"latitude":5,"longitude":5},"high":{"latitude":5,"longitude":5}}}"#,
      #""types":[]"#, #""types":["locality"]"#, #""types":["locality","cafe","bar","museum","park"]"#, #""types":["(cities)"]"#,
      #""types":["(regions)"]"#, #""types":["geocode"]"#, #""types":["address"]"#, #""types":["establishment"]"#, #""countries":[]"#,
      #""countries":["de","AT"]"#, #""countries":["DE","AT","CH","FR","IT","ES","PT","NL","BE","LU","DK","SE","NO","FI","PL"]"#,
      #""kinds":["place"]"#, #""kinds":["query","place"]"#, "\"inputOffset\":0", "\"inputOffset\":4",
      "\"session\":\"123e4567-E89B-12d3-a456-426614174000\"", "\"session\":\"123e4567-e89b-12d3-a456-426614174000\",\"seq\":0",
      "\"session\":\"123e4567-e89b-12d3-a456-426614174000\",\"seq\":9007199254740991", #""providers":[]"#,
      #""providers":["gazetteer","a-b_c.9"]"#,
      "\"deadlineMs\":10", "\"deadlineMs\":30000", "\"stream\":true", "\"stream\":false", "\"cache\":\"default\"", "\"cache\":\"only\"",
      "\"cache\":\"refresh\"", "\"cache\":\"bypass\"", "\"explain\":true", "\"fold\":true", "\"fold\":false", #""prefer":[]"#,
      #""prefer":["google","gazetteer"]"#,
    ].map { ParameterCase(query($0)) } + [
      ParameterCase(#"{"query":"b"}"#), ParameterCase(#"{"query":"  b  "}"#), ParameterCase(#"{"query":"慕尼黑"}"#),
      ParameterCase(#"{"query":"a\tb"}"#), ParameterCase(#"{"query":"a\r\nb"}"#), ParameterCase(#"{"query":"👨‍👩‍👧"}"#),
      ParameterCase(#"{"query":"\#(String(repeating: "x", count: 256))"}"#),
      ParameterCase(#"{"query":"  \#(String(repeating: "ü", count: 256))  "}"#),
    ]

  static let bad: [ParameterCase] =
    [
      ("limit", "0"), ("limit", "51"), ("limit", "-1"), ("limit", "1.5"), ("limit", "\"10\""), ("limit", "null"), ("limit", "true"),
      ("limit", "1e99"), ("limit", "[10]"), ("language", "\"\""), ("language", "\"d\""), ("language", "\"de_DE\""), ("language", "\"de-\""),
      ("language", "\"deutsch-lang-zu-viel\""), ("language", "5"), ("language", "\"de-x\""), ("language", "\"1e\""), ("language", "null"),
      ("region", "\"D\""), ("region", "\"DEU\""), ("region", "\"ZZ\""), ("region", "\"49\""), ("region", "\"\""), ("region", "\"419\""),
      ("origin", "{\"latitude\":91,\"longitude\":0}"), ("origin", "{\"latitude\":0,\"longitude\":180.1}"), ("origin", "{\"latitude\":0}"),
      ("origin", "{\"latitude\":0,\"longitude\":0,\"altitude\":1}"), ("origin", "[1,2]"), ("origin", "{\"lat\":0,\"lng\":0}"),
      ("origin", "{\"latitude\":\"0\",\"longitude\":0}"), ("bias", "{}"), ("bias", "null"), ("bias", "{\"circle\":{}}"),
      ("bias", "{\"circle\":{\"center\":{\"latitude\":0,\"longitude\":0},\"radius\":50001}}"),
      ("bias", "{\"circle\":{\"center\":{\"latitude\":0,\"longitude\":0},\"radius\":-1}}"),
      ("bias", "{\"circle\":{\"center\":{\"latitude\":0,\"longitude\":0}}}"),
      ("bias", "{\"point\":{\"latitude\":0,\"longitude\":0}}"),
      ("restriction", "{\"rectangle\":{\"low\":{\"latitude\":2,\"longitude\":0},\"high\":{\"latitude\":1,\"longitude\":0}}}"),
      ("restriction", "{\"rectangle\":{\"low\":{\"latitude\":0,\"longitude\":180},\"high\":{\"latitude\":1,\"longitude\":-180}}}"),
      ("restriction", "{\"rectangle\":{\"low\":{\"latitude\":0,\"longitude\":0}}}"),
      ("types", "\"locality\""), ("types", "[\"nonsense\"]"), ("types", "[\"locality\",\"(cities)\"]"),
      ("types", "[\"(cities)\",\"(regions)\"]"),
      ("types", "[\"locality\",\"cafe\",\"bar\",\"museum\",\"park\",\"zoo\"]"), ("types", "[1]"), ("types", "[\"Locality\"]"),
      ("types", "{}"),
      ("countries", "\"DE\""), ("countries", "[\"XX\"]"), ("countries", "[\"DEU\"]"),
      ("countries", "[\"DE\",\"AT\",\"CH\",\"FR\",\"IT\",\"ES\",\"PT\",\"NL\",\"BE\",\"LU\",\"DK\",\"SE\",\"NO\",\"FI\",\"PL\",\"CZ\"]"),
      ("kinds", "[]"), ("kinds", "[\"places\"]"), ("kinds", "\"place\""), ("inputOffset", "-1"), ("inputOffset", "5"),
      ("inputOffset", "1.5"), ("limit", "1e400"), ("limit", "-1e400"),
      ("session", "\"1\""), ("session", "\"123e4567e89b12d3a456426614174000\""), ("session", "\"123e4567-e89b-12d3-a456-42661417400g\""),
      ("session", "5"), ("seq", "5"), ("seq", "-1"), ("seq", "\"1\""), ("seq", "1.5"), ("seq", "9007199254740992"), ("providers", "[\"\"]"),
      ("providers", "[\"a b\"]"), ("providers", "\"a\""), ("deadlineMs", "9"), ("deadlineMs", "30001"), ("stream", "1"),
      ("stream", "\"true\""),
      ("cache", "\"none\""), ("cache", "true"), ("explain", "\"yes\""), ("fold", "1"), ("prefer", "\"google\""),
      ("prefer", "[\"a b\"]"), ("quary", "1"), ("Limit", "10"), ("lang", "\"de\""), ("", "1"),
    ].map { ParameterCase(query("\"\($0.0)\":\($0.1)"), $0.0) } + [
      ParameterCase(query(#""bias":\#(circle),"restriction":\#(circle)"#), "restriction"), ParameterCase("{}", "query"),
      ParameterCase(#"{"query":""}"#, "query"), ParameterCase(#"{"query":"   "}"#, "query"), ParameterCase(#"{"query":5}"#, "query"),
      ParameterCase(#"{"query":null}"#, "query"), ParameterCase(#"{"query":"a\u0000b"}"#, "query"),
      ParameterCase(#"{"query":"\n\t"}"#, "query"), ParameterCase(#"{"query":"\u0085\u2028"}"#, "query"),
      ParameterCase(#"{"query":"a\u0086b"}"#, "query"), ParameterCase(#"{"query":"\#(String(repeating: "x", count: 257))"}"#, "query"),
      ParameterCase("[]", "params"), ParameterCase(#"["berl"]"#, "params"),
    ]
}
