import PlacesKit

extension Conformance {
  /// A query for which a provider finds something. Without a sample, few providers return rows that can be checked.
  public struct Sample: Sendable {
    public var query: String
    /// The body of the service's answer to every request; nil if the provider needs no service to find something.
    public var answer: [UInt8]?

    public init(query: String, answer: [UInt8]? = nil) {
      self.query = query
      self.answer = answer
    }

    fileprivate func scenario(mustFind: Bool) -> ConformanceScenario {
      ConformanceScenario(name: "the sample", script: script, query: query, mustFind: mustFind)
    }

    private var script: ScenarioServer.Script {
      guard let answer else { return .failure(ProviderError(.connect, "the sample has no answer to its request")) }
      let isXML = answer.first { $0 > 0x20 } == UInt8(ascii: "<")
      let type = isXML ? "application/xml" : "application/json"
      return .response(HTTPResponse(status: 200, headers: [.init("content-type", type)], body: answer))
    }
  }

  /// Checks the provider with the sample: its rows and, if the sample has no answer, the details of the first row with an id.
  func check(_ service: any PlaceService, with sample: Sample) async -> [ConformanceFinding] {
    var findings: [ConformanceFinding] = []
    var id: String?
    for call in [Call.autocomplete, .search, .geocode, .reverse, .details] where service.manifest.capability(call) != nil {
      // The sample's answer is the answer to a query. It does not answer a request for an id, and may contain no place at a point.
      if call == .details && (id == nil || sample.answer != nil) { continue }
      let scenario = sample.scenario(mustFind: call != .reverse)
      let (callFindings, rows) = await check(call, of: service, in: scenario, id: id ?? "")
      findings += callFindings
      if call != .reverse { id = id ?? rows.lazy.compactMap(\.id).first }
    }
    return findings
  }
}
