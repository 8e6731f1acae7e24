import PlacesKit

/// Checks that every provider must pass. The tests run them on the bundled providers, and `placesctl plugin check` runs them on any plugin.
///
/// The provider's service is simulated (`ScenarioServer`), and no request leaves the machine. Rows are checked only against the provider
/// contract (places-provider(7)), since only the provider knows its service's format.
public struct Conformance: Sendable {
  /// Starts the provider with a context that the argument creates.
  public typealias Start = @Sendable (@escaping ContextFactory) async throws(ProviderStartError) -> any PlaceService

  private let start: Start
  private let settings: [String: JSONValue]
  private let baseURL: String?
  private let sample: Sample?
  /// The folders of data on this machine that the provider may read.
  private let dataDirectories: [String]
  let server = ScenarioServer()
  /// The seconds within which a call must end: after its start if its service answers at once, and after its cancellation.
  let limit: Double

  /// - Parameters:
  ///   - settings: the settings that the instance needs to start, such as a URL.
  ///   - baseURL: the address in the configuration.
  ///   - sample: a query for which the provider finds rows, so that there are rows to check.
  ///   - dataDirectories: the folders of data on this machine that the provider may read.
  ///   - limit: seconds that one call may take.
  public init(
    settings: [String: JSONValue] = [:], baseURL: String? = nil, sample: Sample? = nil, dataDirectories: [String] = [], limit: Double = 2,
    start: @escaping Start
  ) {
    self.start = start
    self.settings = settings
    self.baseURL = baseURL
    self.sample = sample
    self.dataDirectories = dataDirectories
    self.limit = limit
  }

  /// Runs all checks and returns the findings. A provider that conforms has no finding of severity `error`.
  public func check() async -> [ConformanceFinding] {
    let service: any PlaceService
    do throws(ProviderStartError) {
      service = try await start { [server, settings, baseURL, dataDirectories] _ in
        ProviderContext(
          id: "check", settings: settings, baseURL: baseURL, http: { (request) throws(ProviderError) in try await server.answer(request) },
          storage: ScriptedStorage(), log: { _, _ in }, dataDirectories: dataDirectories, now: { SystemTime().wall() })
      }
    } catch {
      return [ConformanceFinding(.error, "start", error.message)]
    }
    var findings = service.manifest.findings
    guard baseURL != nil || !service.manifest.needsBaseURL else {
      return findings + [
        ConformanceFinding(.error, "base_url", "it cannot be called without the address of its service; set base_url")
      ]
    }
    let scenarios = ConformanceScenario.all(usesKey: service.manifest.credential != .none)
    for call in Call.allCases where service.manifest.offers(call) {
      for scenario in scenarios { findings += await check(call, of: service, in: scenario).findings }
      findings += await checkCancellation(call, of: service)
    }
    findings += await checkUndeclared(service)
    if let sample { findings += await check(service, with: sample) }
    return findings
  }

  /// Makes one call while the service behaves as the scenario says. Returns the findings and the rows.
  func check(
    _ call: Call, of service: any PlaceService, in scenario: ConformanceScenario, id: String = "N1"
  ) async -> (findings: [ConformanceFinding], rows: [CheckedRow]) {
    server.play(scenario.script)
    let subject = "\(call.rawValue), \(scenario.name)"
    let answer = await withTimeLimit(limit, clock: SystemTime(), task: subject) {
      await CallProbe.ask(call, of: service, query: scenario.query, id: id)
    }
    guard let outcome = answer else { return ([ConformanceFinding(.error, subject, "it did not answer within \(limit) s")], []) }
    let requests = server.requests
    var findings = HostCheck(manifest: service.manifest, settings: settings, baseURL: baseURL).findings(in: requests, subject: subject)
    // More than eight requests for one call are probably an endless loop.
    if requests.count > 8 { findings.append(ConformanceFinding(.error, subject, "it sent \(requests.count) requests for one call")) }
    switch outcome {
    case .failure(let error):
      findings += check(error, of: scenario, requests.isEmpty ? nil : scenario.causes, subject)
      return (findings, [])
    case .success(let rows):
      if rows.isEmpty && scenario.mustFind { findings.append(ConformanceFinding(.warning, subject, "it returned no row")) }
      findings += rows.flatMap { $0.findings(subject) }
      if scenario.mustFail && !requests.isEmpty {
        findings.append(ConformanceFinding(.error, subject, "it took \(scenario.name) for an answer"))
      }
      let declaredKinds = service.manifest.capability(call)?.kinds ?? []
      for kind in Set(rows.compactMap(\.kind)).subtracting(declaredKinds).map(\.rawValue).sorted() {
        findings.append(
          ConformanceFinding(
            .error, subject, "it returned rows of kind \(kind), which its manifest does not declare: the daemon drops them"))
      }
      let maximum = service.manifest.capability(call)?.maximumRows ?? 0
      if rows.count > maximum {
        findings.append(ConformanceFinding(.error, subject, "it returned \(rows.count) rows; its manifest declares at most \(maximum)"))
      }
      return (findings, rows)
    }
  }

  /// - Parameter causes: the causes that are allowed; nil for any, for example if the provider failed without a request to the service.
  private func check(_ error: ProviderError, of scenario: ConformanceScenario, _ causes: Set<ProviderError.Cause>?, _ subject: String)
    -> [ConformanceFinding]
  {
    var findings: [ConformanceFinding] = []
    if error.message.isEmpty { findings.append(ConformanceFinding(.error, subject, "its error has no message")) }
    if error.cause == .plugin {
      findings.append(ConformanceFinding(.error, subject, "it failed with an error of the plugin's own code: \(error.message)"))
    } else if scenario.mustFind {
      findings.append(ConformanceFinding(.warning, subject, "it failed: \(error.message)"))
    }
    if [error.message, error.detail ?? ""].contains(where: { CallProbe.repeats(scenario.query, in: $0) }) {
      findings.append(ConformanceFinding(.error, subject, "its error repeats the query"))
    }
    if let expected = causes, !expected.contains(error.cause), error.cause != .plugin {
      let names = expected.map(\.rawValue).sorted().joined(separator: " or ")
      findings.append(ConformanceFinding(.warning, subject, "its error is \(error.cause.rawValue); expected: \(names)"))
    }
    return findings
  }

  /// Checks that a call whose service never answers ends soon after the call is cancelled.
  private func checkCancellation(_ call: Call, of service: any PlaceService) async -> [ConformanceFinding] {
    server.play(.silence)
    let subject = "\(call.rawValue), cancelled"
    let hasEnded = await withTimeLimit(limit, clock: SystemTime(), task: subject) {
      // The call is cancelled after 50 ms.
      _ = await withTimeLimit(0.05, clock: SystemTime(), task: "\(subject) at once") { await CallProbe.ask(call, of: service) }
      return true
    }
    return hasEnded == nil ? [ConformanceFinding(.error, subject, "it continues for more than \(limit) s after it was cancelled")] : []
  }

  /// Checks that a call that the manifest does not declare fails as unsupported.
  private func checkUndeclared(_ service: any PlaceService) async -> [ConformanceFinding] {
    server.play(.failure(ProviderError(.connect, "no server")))
    var findings: [ConformanceFinding] = []
    for call in Call.allCases where !service.manifest.offers(call) {
      let outcome = await withTimeLimit(limit, clock: SystemTime(), task: "undeclared \(call.rawValue)") {
        await CallProbe.ask(call, of: service)
      }
      if case .failure(let error)? = outcome, error.cause == .unsupported { continue }
      findings.append(ConformanceFinding(.warning, call.rawValue, "a call that the manifest does not declare should fail as unsupported"))
    }
    return findings
  }
}
