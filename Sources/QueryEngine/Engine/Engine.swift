import Resilience
import Storage
import PlacesAPI
import PlacesKit
import Synchronization

/// Queries all providers concurrently and answers by the deadline. A request passes through the function of its method (such as
/// `autocomplete`) → `QueryContext` → `Plan` → `ProviderClient` → `OutcomeCollector` → merging → report.
public final class Engine: Sendable {
  let time: any TimeSource
  let settings: Mutex<EngineSettings>
  let registry = Mutex(Registry())
  /// A promise that is fulfilled at the next change of the registry. Then a new promise replaces it.
  let registryChange = Mutex(Promise<Void>())
  let sessions = Sessions()
  let shownRows = ShownRows()
  let pages = SearchPages()
  let admissionControl: AdmissionControl
  /// The number of photos that each user waits for.
  let photosInFlight = Mutex<[UInt32: Int]>([:])
  let quota: RequestQuota
  let log: @Sendable (LogLevel, String) -> Void
  /// Called with `ProviderInstance.startID` when a provider's service rejects the key, and with nil when an administrator resumes the
  /// provider.
  let onKeyStatusChange: @Sendable (_ provider: String, _ rejectedStartID: Int?) -> Void
  private let budgets: BudgetService?
  let cache: (any AnswerStore)?
  let learning: ChoiceLearning
  private let random: any RandomNumberGenerator & Sendable
  /// For each provider that was added, the stream of its calls that may start. `run` reads the streams.
  private let (newCallStreams, newCallStreamsInput) = AsyncStream.makeStream(of: AsyncStream<SharedCall>.self)

  /// - Parameters:
  ///   - budgets: counts the cost of calls; nil to count nothing. The owner calls `run` of the budgets and of the cache.
  ///   - cache: stores answers; nil to store nothing.
  ///   - random: the source of jitter in retries and suspensions.
  ///   - log: receives lines for the administrator, which contain no query.
  ///   - onKeyStatusChange: called with `ProviderInstance.startID` when a provider's service rejects the key, and with nil when an
  ///     administrator resumes the provider. Must not block.
  public init(
    providers: [ProviderInstance], settings: EngineSettings = EngineSettings(), budgets: BudgetService? = nil,
    cache: (any AnswerStore)? = nil, time: any TimeSource = SystemTime(),
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    log: @escaping @Sendable (LogLevel, String) -> Void = { _, _ in },
    onKeyStatusChange: @escaping @Sendable (_ provider: String, _ rejectedStartID: Int?) -> Void = { _, _ in }
  ) {
    self.time = time
    self.settings = Mutex(settings)
    self.budgets = budgets
    self.cache = cache
    learning = ChoiceLearning(cache: cache, time: time)
    self.random = random
    self.log = log
    self.onKeyStatusChange = onKeyStatusChange
    admissionControl = AdmissionControl(maxConcurrentRequests: settings.maxConcurrentRequests, time: time)
    quota = RequestQuota(requestsPerMinute: settings.requestsPerMinute)
    replaceProviders(providers)
  }

  /// Runs the providers' calls until the task is cancelled. Calls that are made before `run` begins wait until then.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask(name: "page expiry") { await self.pages.expire(time: self.time) }
      for await readyCalls in newCallStreams {
        group.addTask(name: "calls of a provider") { await ConcurrencyLimiter.run(readyCalls) }
      }
    }
  }

  /// The client of a provider; nil if it does not run.
  func provider(_ id: String) -> ProviderClient? { registry.withLock { $0[id] } }

  /// Replaces the providers. An unchanged provider keeps its client. Requests in progress use the providers with which they began, and
  /// sessions continue.
  /// - Parameter absent: the configured providers that do not run.
  public func replaceProviders(_ providers: [ProviderInstance], absent: [ProviderStatus] = []) {
    let oldRegistry = registry.withLock { $0 }
    let clients = providers.map { provider in
      let oldClient = oldRegistry[provider.id]
      if let oldClient, oldClient.instance.isUnchanged(from: provider) { return oldClient }
      let limiter = oldRegistry.limiter(of: provider.id)
      let client = ProviderClient(
        provider, limiter: limiter, gate: gate(for: provider, after: oldClient), time: time, budgets: budgets, cache: cache, log: log,
        onKeyStatusChange: onKeyStatusChange)
      if limiter == nil { newCallStreamsInput.yield(client.limiter.readyCalls) }
      return client
    }
    registry.withLock { $0 = Registry(clients: clients, absent: absent, after: oldRegistry) }
    let change = registryChange.withLock { change in
      defer { change = Promise() }
      return change
    }
    change.fulfil(())
  }

  /// The gate of a new client. If the gate's settings are unchanged, this is the earlier client's gate, because a reload must not allow a
  /// second burst of calls. A restart may have repaired the provider. After a restart, the breaker is therefore closed, unless the service
  /// has rejected the key.
  private func gate(for provider: ProviderInstance, after oldClient: ProviderClient?) -> ProviderGate {
    guard let oldClient, oldClient.instance.manifest.rate == provider.manifest.rate,
      oldClient.instance.breakerPolicy == provider.breakerPolicy
    else {
      let gate = ProviderGate(rate: provider.manifest.rate, policy: provider.breakerPolicy, random: random)
      suspendIfKeyWasRejected(provider, gate)
      return gate
    }
    if oldClient.instance.startID != provider.startID {
      oldClient.gate.resume()
      suspendIfKeyWasRejected(provider, oldClient.gate)
    }
    return oldClient.gate
  }

  private func suspendIfKeyWasRejected(_ provider: ProviderInstance, _ gate: ProviderGate) {
    guard provider.isKeyRejected else { return }
    let message = "its service refused this key before: change the key, or resume the provider"
    gate.suspend(Suspension(cause: .credentials, message: message, since: time.monotonic(), until: nil))
    log(.warning, "provider \(provider.id) is not called: \(message)")
  }
}

extension Engine {
  /// Applies new settings to later requests. The limit of concurrent requests does not change.
  public func configure(_ newSettings: EngineSettings) {
    let oldSettings = settings.withLock { settings in
      defer { settings = newSettings }
      return settings
    }
    // The quota starts again only if its own setting changed.
    guard oldSettings.requestsPerMinute != newSettings.requestsPerMinute else { return }
    quota.configure(requestsPerMinute: newSettings.requestsPerMinute)
  }
}

/// The caller of a request.
public struct EngineCaller: Sendable, Hashable {
  public var user: UInt32
  /// True if the request is a part of another request that was already admitted. Then it does not count in the user's quota, and its reply
  /// has no next page.
  var isAdmitted = false

  public init(user: UInt32) { self.user = user }
}
