import Resilience
import PlacesKit
import PlacesTesting
import Testing

/// A breaker with its own clock and random source.
private struct Bench {
  var breaker = CircuitBreaker()
  var random = SeededRandom(seed: 1)
  var now = 100.0
  var wall = 1_800_000_000.0

  /// Makes a call with this outcome; false if the breaker refused it.
  @discardableResult
  mutating func call(_ outcome: CircuitBreaker.Outcome) -> Bool {
    guard case .allowed(let pass) = breaker.admit(at: now) else { return false }
    breaker.record(outcome, of: pass, at: now, wall: wall, using: &random)
    return true
  }

  mutating func fail(_ cause: ProviderError.Cause = .timeout, retryAfter: Double? = nil) {
    call(.failure(ProviderError(cause, "it failed", retryAfterSeconds: retryAfter)))
  }

  /// Seconds until the suspension ends; nil if there is none or it has no end.
  var wait: Double? { breaker.suspension(at: now)?.until.map { $0 - now } }
}

@Suite("A circuit breaker")
struct CircuitBreakerTests {
  @Test("stays closed below ten samples, and at half of them failing")
  func staysClosed() {
    var bench = Bench()
    for _ in 0..<9 { bench.fail() }
    #expect(bench.breaker.state == .closed)
    var even = Bench()
    for _ in 0..<60 {
      even.call(.success)
      even.fail()
    }
    #expect(even.breaker.state == .closed)
  }

  @Test("opens when more than half of at least ten calls failed")
  func opens() {
    var bench = Bench()
    for _ in 0..<4 { bench.call(.success) }
    for _ in 0..<6 { bench.fail() }
    #expect(bench.breaker.suspension(at: bench.now)?.cause == .failures)
    #expect(bench.breaker.suspension(at: bench.now)?.message == "it failed")
    #expect(bench.call(.success) == false)
  }

  @Test("counts only the latest hundred calls")
  func window() {
    var bench = Bench()
    for _ in 0..<1_000 { bench.call(.success) }
    for _ in 0..<50 { bench.fail() }
    #expect(bench.breaker.state == .closed)
    bench.fail()
    #expect(bench.breaker.suspension(at: bench.now) != nil)
  }

  @Test(
    "does not count errors of the request or the caller against the provider",
    arguments: [ProviderError.Cause.badRequest, .unsupported, .notFound, .cancelled])
  func innocent(cause: ProviderError.Cause) {
    var bench = Bench()
    for _ in 0..<200 { bench.fail(cause) }
    #expect(bench.breaker.state == .closed)
  }

  @Test("admits one probe when the wait is over, and closes when it succeeds")
  func probes() throws {
    var bench = Bench()
    for _ in 0..<10 { bench.fail() }
    bench.now += try #require(bench.wait)
    guard case .allowed(let probe) = bench.breaker.admit(at: bench.now) else {
      Issue.record("no probe")
      return
    }
    #expect(probe.isProbe)
    #expect(bench.call(.success) == false, "a second call while the probe is under way")
    bench.breaker.record(.success, of: probe, at: bench.now, wall: bench.wall, using: &bench.random)
    #expect(bench.breaker.state == .closed)
    #expect(bench.call(.success) == true)
  }

  @Test("waits longer after each failed probe, from 5 s to at most an hour", arguments: 0..<20)
  func backsOff(seed: Int) throws {
    var bench = Bench()
    bench.random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<10 { bench.fail() }
    var last = try #require(bench.wait)
    #expect((5...10).contains(last))
    for _ in 0..<8 {
      bench.now += last
      bench.fail()
      let next = try #require(bench.wait)
      #expect(next >= last)
      last = next
    }
    for _ in 0..<10 {
      bench.now += last
      bench.fail()
      last = try #require(bench.wait)
      #expect((1_800...3_600).contains(last))
    }
  }

  @Test("starts again with the shortest wait after a series of successes")
  func recovers() throws {
    var bench = Bench()
    for _ in 0..<10 { bench.fail() }
    bench.now += try #require(bench.wait)
    bench.fail()
    bench.now += try #require(bench.wait)
    for _ in 0..<12 { bench.call(.success) }
    for _ in 0..<13 { bench.fail() }
    #expect((5...10).contains(try #require(bench.wait)))
  }

  @Test("honours Retry-After from the first refusal on", arguments: [1.0, 37, 7_200])
  func retryAfter(seconds: Double) throws {
    var bench = Bench()
    bench.fail(.rateLimit, retryAfter: seconds)
    #expect(try #require(bench.wait) == seconds)
    #expect(bench.breaker.suspension(at: bench.now)?.cause == .rateLimit)
  }

  @Test("distinguishes a service that asked for a pause from one that failed too often")
  func pause() {
    var bench = Bench()
    bench.fail(.http, retryAfter: 120)
    #expect(bench.breaker.suspension(at: bench.now)?.cause == .pause)
    bench = Bench()
    for _ in 0..<20 { bench.fail(.http) }
    #expect(bench.breaker.suspension(at: bench.now)?.cause == .failures)
    // That its process comes back in a moment is the daemon's word, not its service's.
    bench = Bench()
    bench.fail(.plugin, retryAfter: 1)
    #expect(bench.breaker.suspension(at: bench.now)?.cause == .failures)
  }

  @Test("ignores an invalid Retry-After", arguments: [Double.nan, .infinity, -5, 1e300])
  func strangeRetryAfter(seconds: Double) {
    var bench = Bench()
    bench.fail(.http, retryAfter: seconds)
    #expect((bench.wait ?? 0) <= 86_400 * 31)
  }

  @Test("stays off after bad credentials until it is resumed")
  func credentials() {
    var bench = Bench()
    bench.fail(.credentials)
    bench.now += 1e7
    #expect(bench.call(.success) == false)
    bench.breaker.resume()
    #expect(bench.call(.success) == true)
  }

  @Test("stays off after a spent quota until its window ends")
  func quota() throws {
    var bench = Bench()
    bench.wall = 1_800_000_000  // 2027-01-15 08:00 UTC
    bench.fail(.quota)
    #expect(try #require(bench.wait) == 16 * 3_600)
    bench.now += 16 * 3_600 - 1
    #expect(bench.call(.success) == false)
    bench.now += 1
    #expect(bench.call(.success) == true)
  }

  @Test("accepts bad credentials from a call that began before it opened, but not from one before it was resumed")
  func lateNews() throws {
    var bench = Bench()
    guard case .allowed(let early) = bench.breaker.admit(at: bench.now) else { return }
    for _ in 0..<10 { bench.fail() }
    let refused = CircuitBreaker.Outcome.failure(ProviderError(.credentials, "no such key"))
    bench.breaker.record(refused, of: early, at: bench.now, wall: bench.wall, using: &bench.random)
    #expect(bench.breaker.suspension(at: bench.now)?.cause == .credentials)
    bench.breaker.resume()
    bench.breaker.record(refused, of: early, at: bench.now, wall: bench.wall, using: &bench.random)
    #expect(bench.breaker.state == .closed)
  }

  @Test("does not count a late success of another call as the probe's")
  func lateSuccess() {
    var bench = Bench()
    guard case .allowed(let early) = bench.breaker.admit(at: bench.now) else { return }
    for _ in 0..<10 { bench.fail() }
    bench.breaker.record(.success, of: early, at: bench.now, wall: bench.wall, using: &bench.random)
    #expect(bench.breaker.suspension(at: bench.now) != nil)
  }

  @Test("passes the probe to the next caller if the first one was cancelled or did not return")
  func lostProbe() throws {
    var bench = Bench()
    for _ in 0..<10 { bench.fail() }
    bench.now += try #require(bench.wait)
    bench.call(.abandoned)
    guard case .allowed = bench.breaker.admit(at: bench.now) else {
      Issue.record("the probe was lost")
      return
    }
    bench.now += bench.breaker.policy.probeTimeout + 1
    #expect(bench.call(.success) == true)
    #expect(bench.breaker.state == .closed)
  }

  @Test("never admits a call while it is open, during random operations", arguments: 0..<20)
  func property(seed: Int) {
    var bench = Bench()
    bench.random = SeededRandom(seed: UInt64(seed))
    var dice = SeededRandom(seed: UInt64(seed) &+ 1_000)
    var passes: [CircuitBreaker.Permit] = []
    var probes = 0
    for _ in 0..<2_000 {
      bench.now += Double.random(in: 0...3, using: &dice)
      let before = bench.breaker.state
      switch bench.breaker.admit(at: bench.now) {
      case .allowed(let pass):
        if case .open(let suspension) = before { #expect(suspension.isOver(at: bench.now)) }
        if pass.isProbe { probes += 1 }
        passes.append(pass)
      case .refused(let suspension):
        if case .open = before { #expect(!suspension.isOver(at: bench.now)) }
        // Now and then a call comes just after the suspension, also after the hours of a quota.
        if let until = suspension.until, Int.random(in: 0..<5, using: &dice) == 0 { bench.now = max(bench.now, until) }
      }
      guard let index = passes.indices.randomElement(using: &dice), Bool.random(using: &dice) else { continue }
      let causes: [ProviderError.Cause] = [.timeout, .http, .rateLimit, .quota, .badRequest, .cancelled]
      let outcome: CircuitBreaker.Outcome =
        Int.random(in: 0..<10, using: &dice) < 4
        ? .success
        : .failure(ProviderError(causes.randomElement(using: &dice) ?? .http, "", retryAfterSeconds: Bool.random(using: &dice) ? 7 : nil))
      bench.breaker.record(outcome, of: passes.remove(at: index), at: bench.now, wall: bench.wall, using: &bench.random)
    }
    #expect(probes > 0, "the breaker never opened")
  }
}
