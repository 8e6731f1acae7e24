import PlacesKit
import PlacesTesting
import Resilience
import Synchronization
import Testing

@Suite("The rate of requests")
struct RequestRateLimiterTests {
  private let simulation = Simulation()

  private func limiter(_ rate: Rate) -> RequestRateLimiter {
    let limiter = RequestRateLimiter(time: simulation.time)
    limiter.set(rate)
    return limiter
  }

  /// Starts a wait; its value is the error, or nil inside if the request may leave.
  private func wait(for limiter: RequestRateLimiter, within seconds: Double) -> Running<ProviderError?> {
    simulation.start {
      do throws(ProviderError) { try await limiter.wait(within: seconds) } catch { return error }
      return nil
    }
  }

  @Test("If one request a second is allowed, no second has two, even of different calls")
  func spacing() {
    let limiter = limiter(Rate(perSecond: 1, burst: 1))
    let requests = (0..<6).map { _ in wait(for: limiter, within: 60) }
    for number in 1...6 {
      simulation.settle()
      #expect(requests.count { $0.value != nil } == number)
      simulation.pass(0.75)
      #expect(requests.count { $0.value != nil } == number)
      simulation.pass(0.25)
    }
  }

  @Test("A call that would wait too long is refused immediately, with the time to wait")
  func tooLate() {
    let limiter = limiter(Rate(perSecond: 0.1, burst: 1))
    let first = wait(for: limiter, within: 1)
    let second = wait(for: limiter, within: 5)
    simulation.settle()
    #expect(first.value == .some(nil))
    let refusal = ProviderError(.rateLimit, "the provider sends more requests than its rate allows", retryAfterSeconds: 10)
    #expect(second.value == refusal)
    #expect(simulation.time.sleepers == 0)
    limiter.set(Rate())
    limiter.setIfUnset(Rate(perSecond: 0.1, burst: 1))
    let later = (0..<3).map { _ in wait(for: limiter, within: 0) }
    simulation.settle()
    #expect(later.allSatisfy { $0.value == .some(nil) })
  }

  @Test("A cancelled request does not count against the rate")
  func cancelled() {
    let limiter = limiter(Rate(perSecond: 1, burst: 1))
    let first = wait(for: limiter, within: 5)
    let cancelled = wait(for: limiter, within: 5)
    simulation.settle()
    #expect(first.value == .some(nil) && cancelled.value == nil)
    cancelled.cancel()
    simulation.settle()
    #expect(cancelled.value??.cause == .cancelled)
    simulation.pass(1)
    let next = wait(for: limiter, within: 0)
    simulation.settle()
    #expect(next.value == .some(nil))
  }

  @Test("An instance's limiter remains when its process ends")
  func instances() {
    let limiters = RequestRateLimiters()
    #expect(limiters["a"] === limiters["a"] && limiters["a"] !== limiters["b"])
  }

  @Test("Instances that send to one host share the lowest of their configured rates")
  func host() async throws {
    let limiters = RequestRateLimiters()
    let first = limiters.shared(host: "a", rate: Rate(perSecond: 0.1, burst: 1))
    let second = limiters.shared(host: "a", rate: Rate(perSecond: 5, burst: 5))
    #expect(first === second && first !== limiters["a"] && first !== limiters.shared(host: "b", rate: Rate()))
    try await first.wait(within: 0)
    let error = await #expect(throws: ProviderError.self) { try await second.wait(within: 1) }
    #expect(error?.cause == .rateLimit)
  }
}
