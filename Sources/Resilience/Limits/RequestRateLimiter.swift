import PlacesKit
import Synchronization

/// Limits the rate at which a provider's requests leave the machine. A call may need several requests, and each waits for the rate.
public final class RequestRateLimiter: Sendable {
  private struct State {
    /// Nil if no rate has been set.
    var rate: Rate?
    var limiter = RateLimiter(Rate())
    /// The number of requests that wait.
    var waitingCount = 0

    mutating func set(_ newRate: Rate) {
      if newRate != rate { (rate, limiter) = (newRate, RateLimiter(newRate)) }
    }
  }
  private let state = Mutex(State())
  private let time: any TimeSource

  /// Creates a limiter that has no limit until a rate is set.
  public init(time: any TimeSource = SystemTime()) { self.time = time }

  /// Sets the rate for later requests.
  public func set(_ rate: Rate) { state.withLock { $0.set(rate) } }

  /// Sets the rate if no rate has been set.
  public func setIfUnset(_ rate: Rate) { state.withLock { if $0.rate == nil { $0.set(rate) } } }

  /// Sets the rate if no rate or a higher one has been set.
  public func lower(to rate: Rate) {
    state.withLock { state in
      guard let currentRate = state.rate else { return state.set(rate) }
      if (rate.perSecond ?? .infinity) < (currentRate.perSecond ?? .infinity) { state.set(rate) }
    }
  }

  /// Waits until one request may be sent.
  /// - Throws: `rateLimit`, without waiting, if the wait would take longer than `seconds`; `cancelled` if the task is cancelled.
  public func wait(within seconds: Double) async throws(ProviderError) {
    let now = time.monotonic()
    let waitSeconds = state.withLock { state in
      let waitSeconds = state.limiter.nextStart(at: now, behind: state.waitingCount) - now
      if waitSeconds <= seconds { state.waitingCount += 1 }
      return waitSeconds
    }
    guard waitSeconds <= seconds else {
      throw ProviderError(.rateLimit, "the provider sends more requests than its rate allows", retryAfterSeconds: waitSeconds)
    }
    defer { state.withLock { $0.waitingCount -= 1 } }
    while let tokenTime = takeToken() {
      do { try await time.sleep(until: tokenTime) } catch { throw ProviderError(.cancelled, "the request was cancelled") }
    }
  }

  /// Takes a token and returns nil. If there is no token, returns the time when there will be one, in monotonic seconds.
  private func takeToken() -> Double? {
    let now = time.monotonic()
    return state.withLock { $0.limiter.takeToken(at: now) ? nil : $0.limiter.nextStart(at: now) }
  }
}

/// The rate limiters of all providers. They outlive the providers' processes, so that a restarted process cannot begin with a new burst.
public final class RequestRateLimiters: Sendable {
  private enum Owner: Hashable {
    case provider(String)
    case host(String)
  }
  private let limiters = Mutex<[Owner: RequestRateLimiter]>([:])

  public init() {}

  /// The limiter of a provider. All calls return the same object.
  public subscript(id: String) -> RequestRateLimiter { limiter(of: .provider(id)) }

  /// The limiter of a host. All providers that send to the host share it, because the host limits this machine as a whole. The lowest rate
  /// that was passed for any of the providers applies.
  public func shared(host: String, rate: Rate) -> RequestRateLimiter {
    let limiter = limiter(of: .host(host))
    limiter.lower(to: rate)
    return limiter
  }

  private func limiter(of owner: Owner) -> RequestRateLimiter {
    limiters.withLock { limiters in
      let limiter = limiters[owner] ?? RequestRateLimiter()
      limiters[owner] = limiter
      return limiter
    }
  }
}
