import PlacesKit
import Synchronization

/// The one door through which a provider's calls go: breaker, rate and retry budget together.
public final class ProviderGate: Sendable {
  public enum Admission: Sendable, Hashable {
    /// Send the call now, and `finish` it.
    case go(Pass)
    /// Ask again at that monotonic time.
    case wait(until: Double)
    case suspended(Suspension)
  }

  /// Permission for one call; give it back with the outcome.
  public struct Pass: Sendable, Hashable {
    let pass: CircuitBreaker.Pass
    let start: Double
  }

  /// What the breaker and the counters say of a provider.
  public struct Status: Sendable, Hashable {
    public var state: CircuitBreaker.State
    /// Calls sent, and of those the ones that failed, since the daemon started.
    public var calls: Int
    public var failures: Int
    public var retries: Int
  }

  private struct State {
    var breaker: CircuitBreaker
    var rate: RateLimiter
    var retries = RetryBudget()
    var random: any RandomNumberGenerator & Sendable
    var status = (calls: 0, failures: 0, retries: 0)
    /// When a failure of each cause was told last.
    var told: [ProviderError.Cause: Double] = [:]
  }
  /// Seconds in which a failure is told once, whatever else fails so.
  static let silence = 600.0
  private let state: Mutex<State>

  public init(
    rate: Rate, policy: CircuitBreaker.Policy = CircuitBreaker.Policy(),
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    state = Mutex(State(breaker: CircuitBreaker(policy: policy), rate: RateLimiter(rate), random: random))
  }

  /// Asks whether one call may be sent at `now` (monotonic seconds). Only an admitted call takes from the rate.
  public func admit(at now: Double) -> Admission {
    state.withLock { state in
      if let suspension = state.breaker.suspension(at: now) { return .suspended(suspension) }
      guard state.rate.start(at: now) else { return .wait(until: state.rate.nextStart(at: now)) }
      switch state.breaker.admit(at: now) {
      case .refused(let suspension): return .suspended(suspension)
      case .allowed(let pass):
        state.status.calls += 1
        return .go(Pass(pass: pass, start: now))
      }
    }
  }

  /// When the rate lets a call start that waits behind so many others, in monotonic seconds.
  public func nextStart(at now: Double, behind waiting: Int) -> Double {
    state.withLock { $0.rate.nextStart(at: now, behind: waiting) }
  }

  /// Takes in how an admitted call ended, and gives what an administrator should be told of it: mostly nothing. `wall` is in seconds
  /// since 1970.
  /// - Parameter hasLeft: whether anything of it reached the service, or nobody knows. One that did not leaves the rate as it was, and
  ///   tells about the service only that it could not be reached.
  @discardableResult public func finish(
    _ pass: Pass, _ outcome: CircuitBreaker.Outcome, hasLeft: Bool = true, at now: Double, wall: Double
  ) -> [ProviderEvent] {
    let outcome = hasLeft || outcome.blamesProviderUnasked ? outcome : .abandoned
    return state.withLock { state in
      var news: [ProviderEvent] = []
      if !hasLeft {
        state.rate.takeBack(pass.start)
        state.status.calls -= 1
      }
      if case .failure(let error) = outcome, error.blamesProvider {
        state.status.failures += 1
        if state.told[error.cause].map({ now - $0 >= ProviderGate.silence }) ?? true {
          state.told[error.cause] = now
          news.append(.failed(error.cause))
        }
      }
      if case .abandoned = outcome {} else { state.retries.recordCall() }
      var random = AnyRandom(state.random)
      if let change = state.breaker.record(outcome, of: pass.pass, at: now, wall: wall, using: &random) { news.append(change) }
      state.random = random.base
      return news
    }
  }

  /// Seconds to wait before the retry number `attempt` (from 1) of a call that failed; nil where it must not be repeated: the
  /// failure will not pass, the budget is spent, the breaker is open or the deadline too near.
  public func retryDelay(after error: ProviderError, attempt: Int, at now: Double, deadline: Double) -> Double? {
    guard error.isTransient, error.retryAfterSeconds == nil else { return nil }
    return state.withLock { state in
      guard state.breaker.suspension(at: now) == nil else { return nil }
      var random = AnyRandom(state.random)
      defer { state.random = random.base }
      let delay = state.retries.retry(attempt: attempt, at: now, deadline: deadline, using: &random)
      if delay != nil { state.status.retries += 1 }
      return delay
    }
  }

  /// Closes the breaker: an administrator said so, or the configuration changed.
  public func resume() { state.withLock { $0.breaker.resume() } }

  /// Makes no call for what is known from before.
  public func suspend(_ suspension: Suspension) { state.withLock { $0.breaker.suspend(suspension) } }

  /// Why no call would be made now; nil where one would be.
  public func suspension(at now: Double) -> Suspension? { state.withLock { $0.breaker.suspension(at: now) } }

  public var status: Status {
    state.withLock { state in
      Status(
        state: state.breaker.state, calls: state.status.calls, failures: state.status.failures, retries: state.status.retries)
    }
  }
}

/// A random source of any type as one value that generic code takes.
struct AnyRandom: RandomNumberGenerator {
  var base: any RandomNumberGenerator & Sendable
  init(_ base: any RandomNumberGenerator & Sendable) { self.base = base }
  mutating func next() -> UInt64 { base.next() }
}
