import PlacesKit

extension Conformance {
  /// A text that a provider finds something for: without it only few show a row that could be looked at.
  public struct Sample: Sendable {
    public var query: String
    /// The body of its service's answer, whatever it asks; nil where it finds something by itself.
    public var answer: [UInt8]?

    public init(query: String, answer: [UInt8]? = nil) {
      self.query = query
      self.answer = answer
    }

    fileprivate func scenario(mustFind: Bool) -> ConformanceScenario {
      ConformanceScenario(name: "the sample", script: script, query: query, mustFind: mustFind)
    }

    private var script: ScenarioServer.Script {
      guard let answer else { return .failure(ProviderError(.connect, "no answer was given that it could get to its request")) }
      let isXML = answer.first { $0 > 0x20 } == UInt8(ascii: "<")
      let type = isXML ? "application/xml" : "application/json"
      return .response(HTTPResponse(status: 200, headers: [.init("content-type", type)], body: answer))
    }
  }

  /// What the provider makes of the sample: its rows and, where no answer stands in for its service's, the first of them by its id.
  func check(_ service: any PlaceService, with sample: Sample) async -> [ConformanceFinding] {
    var findings: [ConformanceFinding] = []
    var id: String?
    for call in [Call.autocomplete, .search, .geocode, .reverse, .details] where service.manifest.capability(call) != nil {
      // The answer to a query is none to an id, and may hold nothing for a point.
      if call == .details && (id == nil || sample.answer != nil) { continue }
      let scenario = sample.scenario(mustFind: call != .reverse)
      let (found, rows) = await check(call, of: service, in: scenario, id: id ?? "")
      findings += found
      if call != .reverse { id = id ?? rows.lazy.compactMap(\.id).first }
    }
    return findings
  }
}
