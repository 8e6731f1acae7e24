import PlacesKit

/// A simulated behaviour of a provider's service, with the outcomes that the provider's calls may then have.
struct ConformanceScenario: Sendable {
  var name: String
  var script: ScenarioServer.Script
  var query = CallProbe.query
  /// True if the provider must report an error: any answer, with rows or without, is wrong.
  var mustFail = false
  /// True if the query has results. An answer without rows, or an error, is then a finding.
  var mustFind = false
  /// The causes that the provider's error may have; nil for any.
  var causes: Set<ProviderError.Cause>?

  /// - Parameter usesKey: true if requests carry a key, which the service may refuse.
  static func all(usesKey: Bool) -> [ConformanceScenario] { bodies + [refusal(usesKey: usesKey)] + statuses + failures }

  private static func body(_ name: String, _ text: [UInt8], type: String = "application/json") -> ConformanceScenario {
    ConformanceScenario(name: name, script: .response(HTTPResponse(status: 200, headers: [.init("content-type", type)], body: text)))
  }

  /// Bodies that may be an empty answer in one format and damaged in another: the provider must not crash or hang.
  private static let bodies: [ConformanceScenario] = [
    body("an empty body", []), body("an empty object", Array("{}".utf8)), body("an empty list", Array("[]".utf8)),
    body("null", Array("null".utf8)), body("a number", Array("17".utf8)), body("a cut body", Array(#"{"results": [{"name": "Ber"#.utf8)),
    body("bytes that are not text", [0xFF, 0xFE, 0x00, 0x80, 0xC3]),
    body("deep brackets", Array(repeating: UInt8(ascii: "["), count: 100_000)),
    body("a list of nothings", Array(#"{"results": [null, 1, "", [], {}], "features": [null, {}], "suggestions": [{}]}"#.utf8)),
    body("large numbers", Array(#"{"lat": 1e999, "lon": -91e300, "status": 99999999999999999999}"#.utf8)),
    body("a page for people", Array("<html><body>Welcome</body></html>".utf8), type: "text/html"),
  ]

  private static func status(_ status: Int, _ causes: Set<ProviderError.Cause>?, retryAfter: String? = nil) -> ConformanceScenario {
    let headers: [HTTPRequest.Item] = retryAfter.map { [.init("retry-after", $0)] } ?? []
    // Status 404 need not be an error: some services use it to report that nothing was found.
    return ConformanceScenario(
      name: "status \(status)", script: .response(HTTPResponse(status: status, headers: headers, body: Array("sorry".utf8))),
      mustFail: status != 404, causes: causes)
  }

  /// The service refuses the caller. A service that needs no key may do so too, because it may admit only some clients.
  private static func refusal(usesKey: Bool) -> ConformanceScenario { status(401, usesKey ? [.credentials] : [.credentials, .http]) }

  private static let statuses: [ConformanceScenario] = [
    status(400, nil), status(403, nil), status(404, nil), status(429, [.rateLimit, .quota], retryAfter: "7"),
    status(429, [.rateLimit, .quota], retryAfter: "soon"), status(500, [.http]), status(503, [.http, .rateLimit], retryAfter: "120"),
  ]

  private static let failures: [ConformanceScenario] = [ProviderError.Cause.dns, .connect, .tls, .timeout, .tooLarge].map { cause in
    ConformanceScenario(
      name: "failure \(cause.rawValue)", script: .failure(ProviderError(cause, "scripted")), mustFail: true, causes: [cause])
  }
}
