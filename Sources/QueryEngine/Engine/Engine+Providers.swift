import Resilience
import PlacesAPI
import PlacesKit

extension Engine {
  /// The status of each provider: first the running providers, in the order of the configuration, and then those that do not run.
  public var status: [ProviderStatus] {
    let registry = registry.withLock { $0 }
    return registry.clients.map { $0.status(wall: time.wall()) } + registry.absentProviders.map(registry.withCounters)
  }

  /// The status of one provider; nil if it is not configured.
  public func status(of id: String) -> ProviderStatus? {
    let registry = registry.withLock { $0 }
    return registry[id].map { $0.status(wall: time.wall()) } ?? registry.absentProvider(id).map(registry.withCounters)
  }

  /// True if the provider is configured, even if it does not run.
  func isConfigured(_ id: String) -> Bool { registry.withLock { $0[id] != nil || $0.absentProvider(id) != nil } }

  /// The manifest of a configured provider, with the configuration's overrides.
  public func manifest(of id: String) -> Manifest? { provider(id)?.instance.manifest }

  /// Ends a provider's suspension, whatever caused it.
  public func resume(_ id: String) {
    provider(id)?.gate.resume()
    onKeyStatusChange(id, nil)
    log(.notice, "provider \(id) was resumed")
  }

  /// The reason why a running provider that uses this machine's files cannot answer, such as a missing index. Nil if it can answer, if the
  /// check would call another machine, or if it takes longer than a second.
  public func probeFailure(of id: String) async -> String? {
    guard let client = provider(id), !client.instance.manifest.leavesMachine else { return nil }
    return await withDeadline(time.monotonic() + min(1, client.instance.timeout), clock: time, task: "probe of \(id)") {
      do throws(ProviderError) {
        _ = try await client.service.probe()
        return nil
      } catch {
        // A service that does not support probes is not faulty.
        return error.cause == .unsupported ? nil : error.message
      }
    }
  }

  /// Sends one real request to a provider, for `providers.test`. The request bypasses the cache but not the budget.
  public func test(_ parameters: ProvidersTest.Parameters, caller: EngineCaller) async throws(APIError) -> ProvidersTest.Result {
    let registry = registry.withLock { $0 }
    if let absent = registry.absentProvider(parameters.provider) {
      let problem = absent.state == .disabled ? "is disabled; providers.enable switches it on" : "does not run: \(absent.reason ?? "")"
      throw APIError(
        .unsupported, "provider \(absent.id) \(problem)",
        providers: [ProviderOutcome.skipped(Skip(absent.state.rawValue, absent.reason ?? problem)).report(absent.id)])
    }
    guard let client = registry[parameters.provider] else {
      throw APIError(.notFound, "no provider named \(parameters.provider) is configured; see providers.list")
    }
    let settings = settings.withLock { $0 }
    let plan = try client.testPlan(parameters.query, settings)
    // The deadline is after the call's own time limit. Therefore a slow call ends at that limit, and its cost is reported.
    let deadline = time.monotonic() + client.instance.timeout + 0.25
    let request = ProviderRequest(plan: plan, user: caller.user, cache: .bypass, deadline: deadline, staleWait: settings.staleWait)
    let outcome = await client.answer(request)
    let texts = outcome.answer.map { $0.suggestions.map(\.text.text) + $0.places.compactMap(\.name) } ?? []
    let wasSent = outcome.costMicros != nil
    let isCostKnown = !wasSent || client.prices.micros(of: plan.call.kind, fields: plan.call.fields) != nil
    let cost = outcome.costMicros ?? 0
    return ProvidersTest.Result(
      report: outcome.report(client.id, isLocal: !client.instance.manifest.leavesMachine), rows: Array(texts.prefix(5)),
      costMicros: isCostKnown ? cost : nil, currency: cost == 0 ? nil : client.prices.currency, status: await client.probeStatus(),
      serviceMessage: outcome.serviceMessage)
  }
}

extension ProviderClient {
  /// The status line of the service; nil if a probe may cost money, or if no status arrives within the time limit of a call.
  fileprivate func probeStatus() async -> String? {
    guard prices.isFree else { return nil }
    return await withDeadline(now + instance.timeout, clock: time, task: "\(id): probe") { try? await self.service.probe() }
  }

  /// An autocomplete plan if the provider supports it for this text, otherwise a search plan.
  fileprivate func testPlan(_ query: String, _ settings: EngineSettings) throws(APIError) -> Plan {
    let manifest = instance.manifest
    guard manifest.autocomplete != nil || manifest.capability(.search) != nil else {
      throw APIError(.unsupported, "\(id) has neither autocomplete nor search to test")
    }
    do throws(Skip) {
      return try Plan.autocomplete(AutocompleteRequest(query: query, language: settings.language, region: settings.region), manifest)
    } catch let noSuggestions {
      let search = SearchRequest(query: query, fields: [.placeID, .name], language: settings.language, region: settings.region)
      do throws(Skip) { return try Plan.search(search, manifest, allowPrice: false) } catch {
        let reason = manifest.autocomplete == nil ? error : noSuggestions
        throw APIError(.unsupported, "\(id) cannot be tested with this text: \(reason.message)")
      }
    }
  }

  fileprivate func status(wall: Double) -> ProviderStatus {
    let manifest = instance.manifest
    var status = ProviderStatus(
      id: id, name: manifest.name, plugin: manifest.plugin, version: manifest.version, state: .ready,
      leavesMachine: manifest.leavesMachine, isFree: manifest.prices.isFreeIfKnown, calls: Call.allCases.filter(manifest.offers),
      counters: limiter.counters)
    if let fault = instance.fault() {
      status.state = .failed
      status.reason = fault
      status.cause = ProviderError.Cause.plugin.rawValue
    } else if let suspension = gate.suspension(at: now) {
      status.state = .suspended
      status.reason = suspension.message
      status.cause = suspension.cause.rawValue
      status.until = suspension.until.map { Timestamp.rfc3339(wall + $0 - now) }
    } else if !manifest.prices.isFree, let failure = budgets?.failure {
      status.state = .overBudget
      status.reason = failure.message
      status.cause = "ledger"
    } else if let refusal = exhaustion {
      status.state = .overBudget
      status.reason = refusal.message
      status.cause = refusal.reason.rawValue
      status.until = refusal.resumesAt.map(Timestamp.rfc3339)
    }
    return status
  }

  /// The reason why the budget allows no call that finds places, even without fields that raise the price; nil if it allows one.
  private var exhaustion: BudgetRefusal? {
    let calls = Call.allCases.filter { instance.manifest.capability($0) != nil }
    // A free call is passed as nil.
    return budgets?.exhaustion(of: id, calls.map { call in prices.priceClass(of: call).flatMap { $0.micros > 0 ? $0 : nil } })
  }
}
