import Resilience
import PlacesAPI
import PlacesKit

extension Engine {
  /// Creates the plan for a provider with this manifest.
  typealias MakePlan = @Sendable (Manifest) throws(Skip) -> Plan

  /// The parameters that requests of all methods have in common.
  struct CommonParameters {
    var caller: EngineCaller
    var user: UInt32 { caller.user }
    /// Nil for the configured deadline.
    var deadlineMs: Int?
    var cache: CacheMode
    /// The ids of the providers that the request names; empty for all.
    var providers: [String] = []
    /// The open session of a request other than autocomplete; nil if there is none.
    var session: Session?
    /// The session data of an autocomplete request; nil for other requests, and without a session.
    var keystroke: Keystroke?
  }

  /// The session data of an autocomplete request.
  struct Keystroke {
    var session: SessionID
    /// The number of the request in its session; nil if the client does not number them.
    var seq: Int?
    var query: String
  }

  /// The seconds that are reserved for merging, encoding and sending: the wait for providers ends this long before the deadline. If the
  /// request has little time, only a twentieth of it is reserved.
  static let replyMargin = 0.01

  /// Admits a request, runs `body` with its context, and admits the next request afterwards.
  func withAdmission<Answer>(
    _ common: CommonParameters, plan: @escaping MakePlan, body: (QueryContext, OutcomeCollector) async throws(APIError) -> Answer
  ) async throws(APIError) -> Answer {
    let start = time.monotonic()
    if !common.caller.isAdmitted { try admit(common.user, at: start) }
    let allowedSeconds = common.deadlineMs.map { Double($0) / 1000 } ?? settings.withLock { $0.deadline }
    let deadline = start + allowedSeconds - min(Engine.replyMargin, allowedSeconds / 20)
    var queryContext = QueryContext(user: common.user, deadline: deadline, cache: common.cache, session: common.session)
    (queryContext.candidates, queryContext.absentProviders) = try candidates(common.providers, plan: plan)
    // The request begins in its session after the checks above, because a refused request must not end earlier requests.
    if let keystroke = common.keystroke { try begin(keystroke, &queryContext) }
    defer { if let request = queryContext.activeRequest { queryContext.session?.end(request, at: time.monotonic()) } }
    let collector = collector(plan)
    if common.cache == .only { return try await body(queryContext, collector) }
    guard await admissionControl.enter(common.user, before: deadline) else {
      return try await serveFromCache(queryContext) { context throws(APIError) in try await body(context, collector) }
    }
    defer { admissionControl.leave(common.user, after: time.monotonic() - start) }
    return try await body(queryContext, collector)
  }

  /// Begins a request in its session.
  private func begin(_ keystroke: Keystroke, _ queryContext: inout QueryContext) throws(APIError) {
    let session = sessions.session(keystroke.session, of: queryContext.user, at: time.monotonic(), onOpen: discardAnswers)
    queryContext.session = session
    queryContext.activeRequest = session.begin(seq: keystroke.seq, query: keystroke.query, at: time.monotonic())
    if queryContext.activeRequest == nil { throw .superseded }
  }

  /// Removes the answers that were stored only for these sessions, which have ended.
  func discardAnswers(of endedSessions: [Session]) {
    for session in endedSessions { cache?.endSession(session.id.text, of: session.key.user) }
  }

  /// Counts a request in the user's quota. Throws if the quota allows no further request.
  func admit(_ user: UInt32, at now: Double) throws(APIError) {
    guard let wait = quota.admit(user, at: now) else { return }
    throw APIError(
      .quotaExceeded, "you have made more requests than your quota allows; wait before the next one",
      data: ["retryAfterMs": .integer(Int64((min(wait, 3_600) * 1000).rounded(.up)))])
  }

  /// Answers from the cache only, because the daemon is overloaded.
  private func serveFromCache<Answer>(
    _ queryContext: QueryContext, body: (QueryContext) async throws(APIError) -> Answer
  ) async throws(APIError) -> Answer {
    var queryContext = queryContext
    queryContext.cache = .only
    queryContext.overloadRetryAfter = admissionControl.retryAfter
    do {
      return try await body(queryContext)
    } catch  where error.name == .allProvidersFailed || error.name == .deadlineExceeded {
      var error = APIError(.overloaded, "too many requests at once; retry in a moment", data: error.data)
      error.data["retryAfterMs"] = .integer(Int64((admissionControl.retryAfter * 1000).rounded(.up)))
      throw error
    }
  }

  /// Throws if a provider that a request names is not configured.
  func checkConfigured(_ providerIDs: [String]) throws(APIError) {
    for id in providerIDs where !isConfigured(id) {
      throw APIError(InvalidParameter("providers", "`providers` names \(id), which is not configured; see providers.list"))
    }
  }

  /// The providers of a request: those that it names or, if it names none, all that are enabled. Each running provider is returned with its
  /// plan, or with the reason why it is not called. Providers that do not run are returned separately.
  private func candidates(
    _ providerIDs: [String], plan: MakePlan
  ) throws(APIError) -> (running: [CandidateProvider], absent: [ProviderStatus]) {
    let registry = registry.withLock { $0 }
    try checkConfigured(providerIDs)
    let running = registry.clients.filter { providerIDs.isEmpty || providerIDs.contains($0.id) }.map { CandidateProvider($0, plan) }
    return (running, registry.absentProviders.filter { providerIDs.isEmpty ? $0.state != .disabled : providerIDs.contains($0.id) })
  }

  private func collector(_ plan: @escaping MakePlan) -> OutcomeCollector {
    OutcomeCollector(time: time, staleWait: settings.withLock { $0.staleWait }) { id in await self.waitForStart(of: id, plan) }
  }

  /// Waits until a starting provider runs or has failed, or until the task is cancelled.
  private func waitForStart(of id: String, _ plan: MakePlan) async -> ProviderStart {
    while !Task.isCancelled {
      // The promise is read before the registry, so that no change is missed.
      let change = registryChange.withLock { $0 }
      let registry = registry.withLock { $0 }
      if let client = registry[id] { return .running(CandidateProvider(client, plan)) }
      guard let status = registry.absentProvider(id) else { return .failed(.removed(id)) }
      if status.state != .starting { return .failed(status) }
      _ = await change.value()
    }
    return .cancelled
  }
}

extension CandidateProvider {
  init(_ client: ProviderClient, _ plan: Engine.MakePlan) {
    self.client = client
    do throws(Skip) { decision = .call(try plan(client.instance.manifest)) } catch { decision = .noCall(.skipped(error)) }
  }
}

extension ProviderStatus {
  /// The status of a provider that was removed from the configuration.
  fileprivate static func removed(_ id: String) -> ProviderStatus {
    ProviderStatus(
      id: id, name: id, plugin: id, version: "", state: .disabled, reason: "\(id) is no longer configured", leavesMachine: true,
      calls: [])
  }
}
