import PlacesKit

/// What every provider must withstand, whatever its service: the same checks for bundled ones in the tests and for an
/// administrator's own by `placesctl plugin check`.
///
/// The service is a script: no request leaves the machine. Rows are not looked at beyond what the contract says of them, since
/// only the provider knows its service's format.
public struct Conformance: Sendable {
  /// Makes the provider in the world that it is given.
  public typealias Start = @Sendable (@escaping ContextFactory) async throws(HostingError) -> any PlaceService

  private let start: Start
  private let settings: [String: JSONValue]
  private let baseURL: String?
  private let sample: Sample?
  let server = ScriptedServer()
  /// Seconds that a provider may take for a call whose service answers at once, or that was cancelled.
  let limit: Double

  /// - Parameters:
  ///   - settings: what the instance needs to start, such as a URL.
  ///   - baseURL: the address that the configuration would give.
  ///   - sample: what it finds something for, so that there are rows to look at.
  ///   - limit: seconds that one call may take.
  public init(
    settings: [String: JSONValue] = [:], baseURL: String? = nil, sample: Sample? = nil, limit: Double = 2, start: @escaping Start
  ) {
    self.start = start
    self.settings = settings
    self.baseURL = baseURL
    self.sample = sample
    self.limit = limit
  }

  /// Everything that was found; a conforming provider has no finding of severity `error`.
  public func check() async -> [Finding] {
    let service: any PlaceService
    do throws(HostingError) {
      service = try await start { [server, settings, baseURL] _ in
        ProviderContext(
          id: "check", settings: settings, baseURL: baseURL, http: { (request) throws(ProviderError) in try await server.answer(request) },
          storage: ScriptedStorage(), log: { _, _ in }, now: { SystemTime().wall() })
      }
    } catch {
      return [Finding(.error, "start", error.message)]
    }
    var findings = service.manifest.findings
    guard baseURL != nil || !service.manifest.needsBaseURL else {
      return findings + [Finding(.error, "base_url", "it needs the address of its service, without which it cannot be asked anything")]
    }
    let scenes = Scene.all(usesKey: service.manifest.credential != .none)
    for call in Call.allCases where service.manifest.capability(call) != nil {
      for scene in scenes { findings += await check(call, of: service, in: scene).findings }
      findings += await checkCancellation(call, of: service)
    }
    findings += await checkUndeclared(service)
    if let sample { findings += await check(service, with: sample) }
    return findings
  }

  /// One call against one behaviour of the service: what was found, and the rows that it gave.
  func check(
    _ call: Call, of service: any PlaceService, in scene: Scene, id: String = "N1"
  ) async -> (findings: [Finding], rows: [CheckedRow]) {
    server.play(scene.script)
    let subject = "\(call.rawValue), \(scene.name)"
    let asked = await within(limit, of: SystemTime(), subject) { await CallProbe.ask(call, of: service, query: scene.query, id: id) }
    guard let outcome = asked else { return ([Finding(.error, subject, "it did not answer within \(limit) s")], []) }
    let requests = server.requests
    var findings = HostCheck(manifest: service.manifest, settings: settings, baseURL: baseURL).findings(in: requests, subject: subject)
    if requests.count > 8 { findings.append(Finding(.error, subject, "it sent \(requests.count) requests for one call")) }
    switch outcome {
    case .failure(let error):
      findings += check(error, of: scene, requests.isEmpty ? nil : scene.causes, subject)
      return (findings, [])
    case .success(let rows):
      if rows.isEmpty && scene.mustFind { findings.append(Finding(.warning, subject, "it gave no row")) }
      findings += rows.flatMap { $0.findings(subject) }
      if scene.mustFail && !requests.isEmpty { findings.append(Finding(.error, subject, "it took \(scene.name) for an answer")) }
      let declared = service.manifest.capability(call)?.kinds ?? []
      for kind in Set(rows.compactMap(\.kind)).subtracting(declared).map(\.rawValue).sorted() {
        findings.append(
          Finding(.error, subject, "it gave rows of kind \(kind), which its manifest's kinds lack: the daemon drops them"))
      }
      let most = service.manifest.capability(call)?.maximumRows ?? 0
      if rows.count > most { findings.append(Finding(.error, subject, "it gave \(rows.count) rows, its manifest says \(most) at most")) }
      return (findings, rows)
    }
  }

  /// - Parameter causes: those that fit; nil where any does, as where the service was not asked and had no part in it.
  private func check(_ error: ProviderError, of scene: Scene, _ causes: Set<ProviderError.Cause>?, _ subject: String) -> [Finding] {
    var findings: [Finding] = []
    if error.message.isEmpty { findings.append(Finding(.error, subject, "its error has no message")) }
    if error.cause == .plugin {
      findings.append(Finding(.error, subject, "it failed by itself: \(error.message)"))
    } else if scene.mustFind {
      findings.append(Finding(.warning, subject, "it failed: \(error.message)"))
    }
    if [error.message, error.detail ?? ""].contains(where: { CallProbe.repeats(scene.query, in: $0) }) {
      findings.append(Finding(.error, subject, "its error repeats the query"))
    }
    if let expected = causes, !expected.contains(error.cause), error.cause != .plugin {
      let names = expected.map(\.rawValue).sorted().joined(separator: " or ")
      findings.append(Finding(.warning, subject, "its error is \(error.cause.rawValue), expected was \(names)"))
    }
    return findings
  }

  /// A call whose service never answers ends soon after it is cancelled.
  private func checkCancellation(_ call: Call, of service: any PlaceService) async -> [Finding] {
    server.play(.silence)
    let subject = "\(call.rawValue), cancelled"
    let ended = await within(limit, of: SystemTime(), subject) {
      _ = await within(0.05, of: SystemTime(), "\(subject) at once") { await CallProbe.ask(call, of: service) }
      return true
    }
    return ended == nil ? [Finding(.error, subject, "it goes on for over \(limit) s after it was cancelled")] : []
  }

  /// A call that the manifest does not declare is an error, not a wrong answer.
  private func checkUndeclared(_ service: any PlaceService) async -> [Finding] {
    server.play(.failure(ProviderError(.connect, "nobody there")))
    var findings: [Finding] = []
    for call in Call.allCases where service.manifest.capability(call) == nil {
      let outcome = await within(limit, of: SystemTime(), "undeclared \(call.rawValue)") { await CallProbe.ask(call, of: service) }
      guard case .failure(let error)? = outcome, error.cause == .unsupported else {
        findings.append(Finding(.warning, call.rawValue, "a call that the manifest does not declare should fail as unsupported"))
        continue
      }
    }
    return findings
  }
}
