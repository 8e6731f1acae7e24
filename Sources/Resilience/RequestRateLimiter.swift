import PlacesKit
import Synchronization

/// A provider's rate as its requests leave the machine: a call may need several of them, and each takes a turn of its own.
public final class RequestRateLimiter: Sendable {
  private struct State {
    var rate: Rate?
    var limiter = RateLimiter(Rate())
    var waiting = 0
  }
  private let state = Mutex(State())
  private let time: any TimeSource

  /// Without a limit until one is set.
  public init(time: any TimeSource = SystemTime()) { self.time = time }

  /// Sets the rate; who waits already keeps the turn that he was told.
  public func set(_ rate: Rate) {
    state.withLock { state in
      guard state.rate != rate else { return }
      (state.rate, state.limiter) = (rate, RateLimiter(rate))
    }
  }

  /// Sets the rate where none has been set.
  public func begin(with rate: Rate) {
    if state.withLock({ $0.rate == nil }) { set(rate) }
  }

  /// Keeps the slower one of two rates; where none has been set, this one.
  public func keep(within rate: Rate) {
    let isSlower = state.withLock { state in
      guard let kept = state.rate else { return true }
      return (rate.perSecond ?? .infinity) < (kept.perSecond ?? .infinity)
    }
    if isSlower { set(rate) }
  }

  /// Waits until one request may leave.
  /// - Throws: `rateLimit` at once where that takes longer than so many seconds, `cancelled`.
  public func turn(within seconds: Double) async throws(ProviderError) {
    let now = time.monotonic()
    let wait = state.withLock { state in
      let wait = state.limiter.nextStart(at: now, behind: state.waiting) - now
      if wait <= seconds { state.waiting += 1 }
      return wait
    }
    guard wait <= seconds else {
      throw ProviderError(.rateLimit, "the provider sends more requests than its rate allows", retryAfterSeconds: wait)
    }
    defer { state.withLock { $0.waiting -= 1 } }
    while let next = start() {
      do { try await time.sleep(until: next) } catch { throw ProviderError(.cancelled, "the request was cancelled") }
    }
  }

  /// Takes a turn now, or tells when there is one.
  private func start() -> Double? {
    let now = time.monotonic()
    return state.withLock { $0.limiter.start(at: now) ? nil : $0.limiter.nextStart(at: now) }
  }
}

/// The pace of every provider, which outlives its process: a new one may not begin with a burst of its own.
public final class RequestRateLimiters: Sendable {
  private enum Owner: Hashable {
    case instance(String)
    case host(String)
  }
  private let rateLimiters = Mutex<[Owner: RequestRateLimiter]>([:])

  public init() {}

  /// The pace of an instance, the same one each time.
  public subscript(id: String) -> RequestRateLimiter { rateLimiter(of: .instance(id)) }

  /// The pace of all instances together that ask somebody else's host: what he allows, he allows this machine once. The slowest rate
  /// that was named for it counts.
  public func shared(by host: String, within rate: Rate) -> RequestRateLimiter {
    let rateLimiter = rateLimiter(of: .host(host))
    rateLimiter.keep(within: rate)
    return rateLimiter
  }

  private func rateLimiter(of owner: Owner) -> RequestRateLimiter {
    rateLimiters.withLock { rateLimiters in
      let rateLimiter = rateLimiters[owner] ?? RequestRateLimiter()
      rateLimiters[owner] = rateLimiter
      return rateLimiter
    }
  }
}
