import Resilience
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@Suite("Pace", .timeLimit(.minutes(1)))
struct PaceTests {
  private let time = ManualTime()

  private final class Counter: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func add() { state.withLock { $0 += 1 } }
  }

  @Test("Where one request a second is allowed, no second has two, whatever calls they belong to")
  func spacing() async {
    let rateLimiter = RequestRateLimiter(time: time)
    rateLimiter.set(Rate(perSecond: 1, burst: 1))
    let left = Counter()
    await withTaskGroup { group in
      for _ in 0..<6 {
        group.addTask {
          try? await rateLimiter.turn(within: 60)
          left.add()
        }
      }
      for number in 1...6 {
        while left.count < number || time.sleepers < 6 - number { await Task.yield() }
        time.advance(by: 0.75)
        for _ in 0..<100 { await Task.yield() }
        #expect(left.count == number && time.sleepers == 6 - number)
        time.advance(by: 0.25)
      }
    }
  }

  @Test("A turn that comes too late is refused at once, with the time to wait")
  func tooLate() async throws {
    let rateLimiter = RequestRateLimiter(time: time)
    rateLimiter.set(Rate(perSecond: 0.1, burst: 1))
    try await rateLimiter.turn(within: 1)
    let error = await #expect(throws: ProviderError.self) { try await rateLimiter.turn(within: 5) }
    #expect(error == ProviderError(.rateLimit, "the provider sends more requests than its rate allows", retryAfterSeconds: 10))
    #expect(time.sleepers == 0)
    rateLimiter.begin(with: Rate(perSecond: 0.1, burst: 1))
    rateLimiter.set(Rate())
    rateLimiter.begin(with: Rate(perSecond: 0.1, burst: 1))
    for _ in 0..<3 { try await rateLimiter.turn(within: 0) }
  }

  @Test("Who gives up takes no turn")
  func cancelled() async throws {
    let rateLimiter = RequestRateLimiter(time: time)
    rateLimiter.set(Rate(perSecond: 1, burst: 1))
    try await rateLimiter.turn(within: 5)
    await withTaskGroup { group in
      group.addTask {
        let error = await #expect(throws: ProviderError.self) { try await rateLimiter.turn(within: 5) }
        #expect(error?.cause == .cancelled)
      }
      while time.sleepers == 0 { await Task.yield() }
      group.cancelAll()
    }
    time.advance(by: 1)
    try await rateLimiter.turn(within: 0)
  }

  @Test("An instance's pace outlives its process")
  func instances() {
    let rateLimiters = RequestRateLimiters()
    #expect(rateLimiters["a"] === rateLimiters["a"] && rateLimiters["a"] !== rateLimiters["b"])
  }

  @Test("Instances that ask one host share its pace, the slowest that was named")
  func host() async throws {
    let rateLimiters = RequestRateLimiters()
    let first = rateLimiters.shared(by: "a", within: Rate(perSecond: 0.1, burst: 1))
    let second = rateLimiters.shared(by: "a", within: Rate(perSecond: 5, burst: 5))
    #expect(first === second && first !== rateLimiters["a"] && first !== rateLimiters.shared(by: "b", within: Rate()))
    try await first.turn(within: 0)
    let error = await #expect(throws: ProviderError.self) { try await second.turn(within: 1) }
    #expect(error?.cause == .rateLimit)
  }
}
