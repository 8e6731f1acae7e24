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

    var script: ScriptedServer.Script {
      if let answer { return .response(HTTPResponse(status: 200, body: answer)) }
      return .failure(ProviderError(.connect, "no answer was given that it could get to its request"))
    }
  }

  /// What the provider makes of the sample: its rows, and the first of them by its id.
  func check(_ service: any PlaceService, with sample: Sample) async -> [Finding] {
    server.play(sample.script)
    var findings: [Finding] = []
    var id: String?
    for call in [Call.autocomplete, .search, .geocode, .details] where service.manifest.capability(call) != nil {
      if call == .details && id == nil { continue }
      let subject = "\(call.rawValue), the sample"
      let outcome = await within(limit, of: SystemTime(), subject) { [id] in
        await CallProbe.ask(call, of: service, query: sample.query, id: id ?? "")
      }
      switch outcome {
      case nil: findings.append(Finding(.error, subject, "it did not answer within \(limit) s"))
      case .failure(let error): findings.append(Finding(.warning, subject, "it failed: \(error.message)"))
      case .success(let rows):
        if rows.isEmpty { findings.append(Finding(.warning, subject, "it gave no row")) }
        findings += rows.flatMap { $0.findings(subject) }
        id = id ?? rows.lazy.compactMap(\.id).first
      }
    }
    return findings
  }
}
