import PlacesKit
import Synchronization

/// Admits a provider's calls. It combines the circuit breaker, the rate limiter and the retry budget.
public final class ProviderGate: Sendable {
  /// The result of `admit`, which tells the caller how to continue with the call.
  public enum Admission: Sendable, Hashable {
    /// Send the call now, and call `finish` with its outcome.
    case admitted(Pass)
    /// Try again at this monotonic time.
    case wait(until: Double)
    /// Calls to the provider are suspended. Do not send the call.
    case suspended(Suspension)
  }

  /// The permission for one call. It must be returned with the call's outcome.
  public struct Pass: Sendable, Hashable {
    let permit: CircuitBreaker.Permit
    /// In monotonic seconds.
    let start: Double
  }

  private struct State {
    var breaker: CircuitBreaker
    var rate: RateLimiter
    var retries = RetryBudget()
    var random: any RandomNumberGenerator & Sendable
    /// The time of the last `failed` event for each cause.
    var lastReportTimes: [ProviderError.Cause: Double] = [:]
  }
  /// The minimum seconds between two `failed` events with the same cause.
  static let reportInterval = 600.0
  private let state: Mutex<State>

  public init(
    rate: Rate, policy: CircuitBreaker.Policy = CircuitBreaker.Policy(),
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    state = Mutex(State(breaker: CircuitBreaker(policy: policy), rate: RateLimiter(rate), random: random))
  }

  /// Decides whether a call may be sent at `now` (monotonic seconds). Only an admitted call takes a token of the rate limiter.
  public func admit(at now: Double) -> Admission {
    state.withLock { state in
      if let suspension = state.breaker.suspension(at: now) { return .suspended(suspension) }
      guard state.rate.takeToken(at: now) else { return .wait(until: state.rate.nextStart(at: now)) }
      switch state.breaker.admit(at: now) {
      case .refused(let suspension): return .suspended(suspension)
      case .allowed(let permit): return .admitted(Pass(permit: permit, start: now))
      }
    }
  }

  /// The earliest start, in monotonic seconds, that the rate allows for a call behind `waitingCount` others.
  public func nextStart(at now: Double, behind waitingCount: Int) -> Double {
    state.withLock { $0.rate.nextStart(at: now, behind: waitingCount) }
  }

  /// Records the outcome of an admitted call. Returns the events to log.
  /// - Parameters:
  ///   - wasSent: true if a part of the call may have reached the service. Otherwise the call's rate token is returned, and the outcome
  ///     counts only if the provider caused it, such as a failed connection.
  ///   - wall: in seconds since 1970.
  @discardableResult public func finish(
    _ pass: Pass, _ outcome: CircuitBreaker.Outcome, wasSent: Bool = true, at now: Double, wall: Double
  ) -> [ProviderEvent] {
    let outcome = wasSent || outcome.blamesProviderIfUnsent ? outcome : .abandoned
    return state.withLock { state in
      var events: [ProviderEvent] = []
      if !wasSent { state.rate.returnToken(takenAt: pass.start) }
      // A request that the service refused is reported too: if it refuses every request, the configuration or the provider is wrong.
      if case .failure(let error) = outcome, error.blamesProvider || error.cause == .badRequest {
        let lastReportTime = state.lastReportTimes[error.cause] ?? -.infinity
        if now - lastReportTime >= ProviderGate.reportInterval {
          state.lastReportTimes[error.cause] = now
          events.append(.failed(error.cause))
        }
      }
      if case .abandoned = outcome {} else { state.retries.recordCall(at: now) }
      var random = AnyRandom(state.random)
      if let change = state.breaker.record(outcome, of: pass.permit, at: now, wall: wall, using: &random) { events.append(change) }
      state.random = random.base
      return events
    }
  }

  /// The seconds to wait before a failed call is retried; nil if it must not be retried, because the failure is permanent, the service
  /// requested a pause, the retry budget is used up, the breaker is open or the deadline is too near.
  /// - Parameter attempt: the number of the retry, from 1.
  public func retryDelay(after error: ProviderError, attempt: Int, at now: Double, deadline: Double) -> Double? {
    guard error.isTransient, error.retryAfterSeconds == nil else { return nil }
    return state.withLock { state in
      guard state.breaker.suspension(at: now) == nil else { return nil }
      var random = AnyRandom(state.random)
      defer { state.random = random.base }
      return state.retries.takeRetry(attempt: attempt, at: now, deadline: deadline, using: &random)
    }
  }

  /// Returns true if a request that was lost with its connection may be sent again at once. The repeated request uses the retry budget.
  public func mayResend(at now: Double) -> Bool { state.withLock { $0.retries.takeImmediateRetry(at: now) } }

  /// Closes the breaker, on an administrator's command or after a restart of the provider.
  public func resume() { state.withLock { $0.breaker.resume() } }

  /// Opens the breaker for a known reason, such as one that an earlier run recorded.
  public func suspend(_ suspension: Suspension) { state.withLock { $0.breaker.suspend(suspension) } }

  /// The reason why calls are suspended now; nil if they are not.
  public func suspension(at now: Double) -> Suspension? { state.withLock { $0.breaker.suspension(at: now) } }

  public var breakerState: CircuitBreaker.State { state.withLock { $0.breaker.state } }
}

/// Wraps a random number generator of any type, because Swift 6.3.1 crashes when it compiles `using: &state.random`.
struct AnyRandom: RandomNumberGenerator {
  var base: any RandomNumberGenerator & Sendable
  init(_ base: any RandomNumberGenerator & Sendable) { self.base = base }
  mutating func next() -> UInt64 { base.next() }
}
