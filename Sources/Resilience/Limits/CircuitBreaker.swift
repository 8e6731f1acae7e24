import PlacesKit

/// Stops calls to a provider that fails, and tests with single probes whether it has recovered (Nygard, "Release It!", 2007). All times are
/// in seconds of one monotonic clock.
public struct CircuitBreaker: Sendable {
  /// The thresholds at which the breaker opens, and the lengths of its suspensions.
  public struct Policy: Sendable, Hashable {
    /// The number of latest calls among which the share of failures is computed.
    public var windowSize = 100
    /// With fewer calls than this, the share of failures cannot open the breaker. This many consecutive successes reset the backoff.
    public var minCalls = 10
    /// The share of failures above which the breaker opens.
    public var failureShare = 0.5
    /// The shortest and the longest suspension in seconds, unless the service states how long to pause.
    public var minBackoff = 5.0
    public var maxBackoff = 3_600.0
    /// The seconds after which another probe is allowed if the first one has no outcome.
    public var probeTimeout = 60.0
    /// The window of the service's quota, for a service that does not report when the quota is reset.
    public var quotaWindow = QuotaWindow.utcDay

    public init() {}
  }

  public enum State: Sendable, Hashable {
    /// Calls are made.
    case closed
    /// No call is made.
    case open(Suspension)
    /// One call, which began at `since`, tests whether the provider has recovered. This state is also called half-open.
    case probing(Suspension, since: Double)
  }

  /// Permission for one call. The caller must return it with the outcome.
  public struct Permit: Sendable, Hashable {
    let generation: Int
    public let isProbe: Bool
  }

  /// The result of `admit`.
  public enum Admission: Sendable, Hashable {
    case allowed(Permit)
    case refused(Suspension)
  }

  /// The outcome of an allowed call.
  public enum Outcome: Sendable, Hashable {
    /// The provider answered.
    case success
    /// The call failed with this error. The provider, the request or the caller may have caused it.
    case failure(ProviderError)
    /// The call ended for a reason unrelated to the provider.
    case abandoned
  }

  public let policy: Policy
  public private(set) var state = State.closed
  /// For each of the latest outcomes, oldest first, true if it was a failure. At most `policy.windowSize`.
  private var failureFlags: [Bool] = []
  /// Incremented at every change of state, so that the outcome of a call that began before the change is recognised.
  private var generation = 0
  /// How often the breaker has opened since the last `minCalls` consecutive successes. It determines the backoff.
  private var openingCount = 0
  private var consecutiveSuccesses = 0

  public init(policy: Policy = Policy()) { self.policy = policy }

  /// The reason why calls are suspended now; nil if they are not.
  public func suspension(at now: Double) -> Suspension? {
    switch state {
    case .closed: nil
    case .open(let suspension): suspension.isOver(at: now) ? nil : suspension
    case .probing(let suspension, let since): now - since > policy.probeTimeout ? nil : suspension
    }
  }

  /// Admits one call. If a suspension is over, the first call is the probe. Others are refused until its outcome, but not longer than
  /// `probeTimeout`.
  public mutating func admit(at now: Double) -> Admission {
    if let suspension = suspension(at: now) { return .refused(suspension) }
    switch state {
    case .closed: return .allowed(Permit(generation: generation, isProbe: false))
    case .open(let suspension), .probing(let suspension, _):
      change(to: .probing(suspension, since: now))
      return .allowed(Permit(generation: generation, isProbe: true))
    }
  }

  /// Records the outcome of a call. Returns the event to log if the outcome opened or closed the breaker.
  /// - Parameter wall: seconds since 1970, for the end of a quota's window.
  @discardableResult public mutating func record(
    _ outcome: Outcome, of permit: Permit, at now: Double, wall: Double, using random: inout some RandomNumberGenerator
  ) -> ProviderEvent? {
    let (wasOpen, generationBefore) = (isOpen, generation)
    apply(outcome, of: permit, at: now, wall: wall, using: &random)
    guard generation != generationBefore else { return nil }
    switch state {
    case .open(let suspension) where !wasOpen && !suspension.isOver(at: now): return .suspended(suspension)
    case .closed: return .recovered
    case .open, .probing: return nil
    }
  }

  private var isOpen: Bool { if case .open = state { true } else { false } }

  /// Changes the state as the outcome requires. The outcome of a call that began before the last change of state is ignored, unless the
  /// service refused the key or the quota is used up.
  private mutating func apply(
    _ outcome: Outcome, of permit: Permit, at now: Double, wall: Double, using random: inout some RandomNumberGenerator
  ) {
    let isCurrent = permit.generation == generation
    var outcome = outcome
    if case .failure(let error) = outcome, error.cause == .cancelled { outcome = .abandoned }
    switch (outcome, state) {
    case (.failure(let error), _) where error.cause == .credentials || error.cause == .quota:
      // These errors count even if the permit is outdated, unless the breaker has been closed since the call began.
      if isCurrent || state != .closed { suspend(for: error, at: now, wall: wall, using: &random) }
    case (_, _) where !isCurrent: return
    // The probe had no outcome. The suspension ends now, so that the next call is another probe.
    case (.abandoned, .probing(let suspension, _)): change(to: .open(suspension.ending(at: now)))
    case (.abandoned, _): return
    case (.failure(let error), .closed) where error.blamesProvider:
      consecutiveSuccesses = 0
      add(failure: true)
      let failureCount = failureFlags.count { $0 }
      let exceedsFailureShare =
        failureFlags.count >= policy.minCalls && Double(failureCount) > policy.failureShare * Double(failureFlags.count)
      if exceedsFailureShare || error.requestsPause { suspend(for: error, at: now, wall: wall, using: &random) }
    case (.failure(let error), _) where error.blamesProvider: suspend(for: error, at: now, wall: wall, using: &random)
    case (_, .closed):
      add(failure: false)
      consecutiveSuccesses += 1
      if consecutiveSuccesses >= policy.minCalls { openingCount = 0 }
    // The probe succeeded, or failed for a reason that is not the provider's fault.
    case (_, _): close()
    }
  }

  /// Closes the breaker on an administrator's command, or after a restart of the provider.
  public mutating func resume() {
    openingCount = 0
    close()
  }

  /// Opens the breaker for a known reason, such as one that an earlier run recorded.
  public mutating func suspend(_ suspension: Suspension) { change(to: .open(suspension)) }

  private mutating func add(failure: Bool) {
    failureFlags.append(failure)
    if failureFlags.count > policy.windowSize { failureFlags.removeFirst() }
  }

  private mutating func close() {
    failureFlags = []
    consecutiveSuccesses = 0
    change(to: .closed)
  }

  private mutating func change(to state: State) {
    self.state = state
    generation += 1
  }

  /// Opens the breaker after an error, unless the current suspension ends at the same time as the new one or later.
  private mutating func suspend(
    for error: ProviderError, at now: Double, wall: Double, using random: inout some RandomNumberGenerator
  ) {
    let requestedSeconds = error.retryAfterSeconds.flatMap { $0.isFinite ? min(max(0, $0), 86_400 * 31) : nil }
    let until: Double?
    switch error.cause {
    case .credentials: until = nil
    case .quota: until = now + (requestedSeconds ?? policy.quotaWindow.secondsLeft(at: wall))
    default:
      let backoff = backoff(using: &random)
      // The first suspension lasts as long as the service requests. Later ones last at least as long as the backoff.
      if let requestedSeconds, openingCount == 0 {
        until = now + requestedSeconds
      } else {
        until = now + max(requestedSeconds ?? backoff, backoff)
      }
    }
    openingCount += 1
    let suspension = Suspension(cause: Suspension.Cause(error), message: error.message, since: now, until: until)
    if case .open(let earlier) = state, earlier.outlasts(suspension) { return }
    change(to: .open(suspension))
  }

  /// The length of the next suspension in seconds. With the default policy, it is a random time in 5…10 s, then in 10…20 s, and so on up to
  /// 1,800…3,600 s. The time is random so that daemons do not retry at the same moment. Only the two longest ranges overlap; before them,
  /// each suspension is longer than the previous one.
  private func backoff(using random: inout some RandomNumberGenerator) -> Double {
    var shortest = policy.minBackoff
    for _ in 0..<min(openingCount, 32) { shortest = min(shortest * 2, policy.maxBackoff / 2) }
    return Double.random(in: shortest...max(shortest, min(shortest * 2, policy.maxBackoff)), using: &random)
  }
}

extension ProviderError {
  /// True if the provider caused the failure, and not the request or the caller.
  var blamesProvider: Bool {
    switch cause {
    case .dns, .connect, .tls, .timeout, .http, .decode, .tooLarge, .rateLimit, .data, .plugin, .credentials, .quota: true
    case .badRequest, .unsupported, .notFound, .cancelled: false
    }
  }

  /// True if the service requested a pause.
  var requestsPause: Bool { cause == .rateLimit || retryAfterSeconds != nil }
}

extension CircuitBreaker.Outcome {
  /// True if the outcome of a call that was not sent still counts against the provider. A `rateLimit` does not count, because it then comes
  /// from this machine's own limit.
  var blamesProviderIfUnsent: Bool {
    if case .failure(let error) = self { error.blamesProvider && error.cause != .rateLimit } else { false }
  }
}
