import Resilience
import Storage
import PlacesAPI
import PlacesKit
import Synchronization

/// Asks all providers at once, answers on time, pays once and keeps what may be kept. The road of a request:
/// `autocomplete` (and its sisters) → `QueryContext` → `Plan` → `ProviderClient` → `OutcomeCollector` → merging → report.
public final class Engine: Sendable {
  let time: any TimeSource
  let settings: Mutex<EngineSettings>
  let registry = Mutex(Registry())
  /// Fulfilled when the registry changes, and replaced by another one.
  let registryChange = Mutex(Promise<Void>())
  let sessions = Sessions()
  let shown = ShownRows()
  let pages = Pages()
  let admissionControl: AdmissionControl
  let quota: RequestQuota
  let log: @Sendable (LogLevel, String) -> Void
  /// Told when a provider's service refuses the key, with the start that it refused, and with nil when it is to be asked again.
  let onRefusal: @Sendable (_ provider: String, _ start: Int?) -> Void
  private let budgets: BudgetService?
  let cache: (any AnswerStore)?
  let learning: ChoiceLearning
  private let random: any RandomNumberGenerator & Sendable
  private let (arrivals, arrival) = AsyncStream.makeStream(of: AsyncStream<ConcurrencyLimiter.QueuedCall>.self)

  /// - Parameters:
  ///   - treasury: pays for calls; without one nothing is counted. Its `run` is somebody else's task, as is the cache's.
  ///   - cache: keeps answers; without one nothing is kept.
  ///   - random: for jitter.
  ///   - log: lines for the administrator; they hold no query.
  ///   - onRefusal: told when a provider's service refuses the key, with which start of it that was, and with nil when an administrator has
  ///     it asked again; must not wait.
  public init(
    providers: [ProviderInstance], settings: EngineSettings = EngineSettings(), budgets: BudgetService? = nil,
    cache: (any AnswerStore)? = nil,
    time: any TimeSource = SystemTime(), random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    log: @escaping @Sendable (LogLevel, String) -> Void = { _, _ in },
    onRefusal: @escaping @Sendable (_ provider: String, _ start: Int?) -> Void = { _, _ in }
  ) {
    self.time = time
    self.settings = Mutex(settings)
    self.budgets = budgets
    self.cache = cache
    learning = ChoiceLearning(cache: cache, time: time)
    self.random = random
    self.log = log
    self.onRefusal = onRefusal
    admissionControl = AdmissionControl(requestsAtOnce: settings.requestsAtOnce, time: time)
    quota = RequestQuota(requestsPerMinute: settings.requestsPerMinute)
    replaceProviders(providers)
  }

  /// Makes the providers' calls until the task is cancelled. Calls that come before wait.
  public func run() async {
    await withDiscardingTaskGroup { group in
      for await ready in arrivals {
        group.addTask(name: "calls of a provider") { await ConcurrencyLimiter.run(ready) }
      }
    }
  }

  /// The lane of a configured provider.
  func provider(_ id: String) -> ProviderClient? { registry.withLock { $0[id] } }

  /// Puts new providers in the place of the old ones; one that is the same goes on undisturbed. Requests under way end with those
  /// they began with, and sessions go on. `absent` are configured too, but do not run.
  public func replaceProviders(_ providers: [ProviderInstance], absent: [ProviderStatus] = []) {
    let old = registry.withLock { $0 }
    let clients = providers.map { provider in
      let known = old[provider.id]
      if let known, known.instance.isSame(as: provider) { return known }
      let limiter = old.limiter(of: provider.id)
      let client = ProviderClient(
        provider, limiter: limiter, gate: gate(for: provider, after: known), time: time, budgets: budgets, cache: cache, log: log,
        onRefusal: onRefusal)
      if limiter == nil { arrival.yield(client.limiter.ready) }
      return client
    }
    registry.withLock { $0 = Registry(clients: clients, absent: absent, after: old) }
    let change = registryChange.withLock { change in
      defer { change = Promise() }
      return change
    }
    change.fulfil(())
  }

  /// The rate counts on: what the service allows a second it does not allow twice because of a reload. What opened the breaker is
  /// forgotten where the service was started anew, since that may have mended it, but for a key that is the same as before.
  private func gate(for provider: ProviderInstance, after old: ProviderClient?) -> ProviderGate {
    guard let old, old.instance.manifest.rate == provider.manifest.rate, old.instance.breakerPolicy == provider.breakerPolicy else {
      let gate = ProviderGate(rate: provider.manifest.rate, policy: provider.breakerPolicy, random: random)
      suspendRefused(provider, gate)
      return gate
    }
    if old.instance.start != provider.start {
      old.gate.resume()
      suspendRefused(provider, old.gate)
    }
    return old.gate
  }

  private func suspendRefused(_ provider: ProviderInstance, _ gate: ProviderGate) {
    guard provider.isRefused else { return }
    let message = "its service refused the key under this configuration before: change the key, or resume it"
    gate.suspend(Suspension(cause: .credentials, message: message, since: time.monotonic(), until: nil))
    log(.warning, "provider \(provider.id) is not asked: \(message)")
  }
}

extension Engine {
  /// Puts other settings into force, for requests from now on. How many requests are at work at once stays as it was.
  public func configure(_ new: EngineSettings) {
    let old = settings.withLock { settings in
      defer { settings = new }
      return settings
    }
    // Who has used up his minute does not get another one because something else was changed.
    guard old.requestsPerMinute != new.requestsPerMinute else { return }
    quota.configure(requestsPerMinute: new.requestsPerMinute)
  }
}

/// Who asks.
public struct EngineCaller: Sendable, Hashable {
  public var user: UInt32
  public init(user: UInt32) { self.user = user }
}
