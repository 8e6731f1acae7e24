import Resilience
import PlacesKit
import PlacesTesting
import Testing

@Suite("A rate limiter")
struct RateLimiterTests {
  @Test("never admits more calls within a second than allowed, however late they start", arguments: [(1.0, 1), (5, 1), (3, 4)])
  func window(perSecond: Double, burst: Int) {
    var limiter = RateLimiter(Rate(perSecond: perSecond, burst: burst))
    var random = SeededRandom(seed: 3)
    var now = 0.0
    var starts: [Double] = []
    for _ in 0..<5_000 {
      now = max(now + Double.random(in: 0...0.3, using: &random), Bool.random(using: &random) ? limiter.nextStart(at: now) : now)
      if limiter.takeToken(at: now) { starts.append(now) }
    }
    let most = Int(perSecond) + burst - 1
    for index in starts.indices.dropFirst(most) { #expect(starts[index] - starts[index - most] >= 1 - 1e-6) }
    #expect(Double(starts.count) >= perSecond * now * 0.7, "and no caller waits without end")
  }

  @Test("without a rate admits every call", arguments: [nil, 0, -1, Double.nan, .infinity])
  func unlimited(perSecond: Double?) {
    var limiter = RateLimiter(Rate(perSecond: perSecond))
    for _ in 0..<100 { #expect(limiter.takeToken(at: 5) == true) }
  }

  @Test("returns the time at which a waiting call may start")
  func line() {
    var limiter = RateLimiter(Rate(perSecond: 2, burst: 1))
    #expect(limiter.takeToken(at: 10) == true)
    #expect(limiter.takeToken(at: 10) == false)
    #expect(limiter.nextStart(at: 10) == 10.5)
    #expect(limiter.nextStart(at: 10, behind: 3) == 12)
  }
}

@Suite("A retry budget")
struct RetryBudgetTests {
  @Test("allows at most a tenth of the last minute's needed calls, and accumulates nothing beyond a minute", arguments: 0..<10)
  func lastMinute(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var budget = RetryBudget()
    var now = 1_000.0
    var (needed, retries): ([Double], [Double]) = ([], [])
    for _ in 0..<3_000 {
      // Busy and quiet times.
      now += Double.random(in: 0...1, using: &random) < 0.01 ? 90 : Double.random(in: 0...0.4, using: &random)
      needed.append(now)
      budget.recordCall(at: now)
      guard budget.takeRetry(attempt: 1, at: now, deadline: now + 10, using: &random) != nil else { continue }
      retries.append(now)
      budget.recordCall(at: now)
      let minute = now - 60
      #expect(10 * retries.count { $0 > minute } <= needed.count { $0 > minute })
    }
    #expect(retries.count > 100)
  }

  @Test("permits repeats of at most a tenth of the needed calls")
  func tenth() {
    var budget = RetryBudget()
    var random = SeededRandom(seed: 4)
    var (needed, retries) = (0, 0)
    for _ in 0..<10_000 {
      needed += 1
      budget.recordCall(at: 0)
      while budget.takeRetry(attempt: 1, at: 0, deadline: 10, using: &random) != nil {
        retries += 1
        budget.recordCall(at: 0)
      }
    }
    #expect(retries <= needed / 10)
    #expect(retries > needed / 12)
  }

  @Test("waits for a random time whose limit doubles each time, up to a second and the deadline")
  func jitter() {
    var random = SeededRandom(seed: 5)
    for attempt in 1...12 {
      var longest = 0.0
      for _ in 0..<200 {
        var budget = RetryBudget(maxRatio: 1)
        budget.recordCall(at: 0)
        longest = max(longest, budget.takeRetry(attempt: attempt, at: 0, deadline: 100, using: &random) ?? 0)
      }
      let ceiling = min(1, 0.05 * Double(1 << attempt))
      #expect(longest <= ceiling && longest > ceiling * 0.9)
    }
    var late = RetryBudget(maxRatio: 1)
    late.recordCall(at: 10)
    #expect(late.takeRetry(attempt: 1, at: 10, deadline: 10.01, using: &random) == nil)
  }
}

@Suite("A user's quota")
struct UserQuotaTests {
  @Test("admits a number of requests a minute and returns when the next one would be")
  func minute() {
    var quota = UserQuota(requestsPerMinute: 60, burst: 10)
    let passed = (0..<20).filter { _ in quota.admit(1, at: 0) == nil }
    #expect(passed.count == 10)
    #expect(quota.admit(1, at: 0) == 1)
    #expect(quota.admit(1, at: 1) == nil)
    #expect(quota.admit(2, at: 0) == nil, "another user has a quota of their own")
  }

  @Test("limits every interval of a minute", arguments: 0..<5)
  func property(seed: Int) {
    var quota = UserQuota(requestsPerMinute: 30, burst: 5)
    var random = SeededRandom(seed: UInt64(seed))
    var now = 0.0
    var passed: [Double] = []
    for _ in 0..<2_000 {
      now += Double.random(in: 0...2, using: &random)
      if quota.admit(7, at: now) == nil { passed.append(now) }
    }
    for index in passed.indices.dropFirst(35) { #expect(passed[index] - passed[index - 35] >= 60 - 1e-6) }
  }

  @Test("without a limit refuses no request; a limit of 0 refuses all")
  func edges() {
    var open = UserQuota(requestsPerMinute: nil)
    #expect(open.admit(1, at: 0) == nil)
    var shut = UserQuota(requestsPerMinute: 0)
    #expect(shut.admit(1, at: 0) != nil)
  }

  @Test("has bounded memory for any number of users")
  func bounded() {
    var quota = UserQuota(requestsPerMinute: 1, maxUsers: 10)
    for user in 0..<10 { #expect(quota.admit(UInt32(user), at: 0) == nil) }
    #expect(quota.admit(11, at: 0) != nil)
    #expect(quota.admit(11, at: 61) == nil)
  }
}

@Suite("Shedding")
struct SheddingTests {
  @Test("serves the newest first and sheds the oldest")
  func newestFirst() {
    var queue = SheddingQueue<Int>(capacity: 1, maxWaiting: 2, maxWait: 1)
    guard case .admitted = queue.arrive(0, of: 1, at: 0) else {
      Issue.record("the first one is served")
      return
    }
    var shed: [Int] = []
    for request in 1...4 {
      if case .queued(_, let gone) = queue.arrive(request, of: 1, at: 0) { shed += gone }
    }
    #expect(shed == [1, 2])
    #expect(queue.finish(of: 1, after: 0.1, at: 0.1).next == 4)
    #expect(queue.finish(of: 1, after: 0.1, at: 0.2).next == 3)
    #expect(queue.finish(of: 1, after: 0.1, at: 0.3).next == nil)
    #expect(queue.load == (0, 0))
  }

  @Test("queues a request only if it has to wait")
  func unmade() {
    var queue = SheddingQueue<Int>(capacity: 1, maxWaiting: 1, maxWait: 1)
    var made: [Int] = []
    func request(_ number: Int) -> Int {
      made.append(number)
      return number
    }
    for number in 0..<3 { _ = queue.arrive(request(number), of: 1, at: 0) }
    #expect(made == [1, 2])
  }

  @Test("sheds requests that have waited too long, with the time of a retry")
  func overdue() {
    var queue = SheddingQueue<Int>(capacity: 1, maxWaiting: 10, maxWait: 1)
    for request in 0..<4 { _ = queue.arrive(request, of: 1, at: Double(request) * 0.4) }
    let (next, shed) = queue.finish(of: 1, after: 1.8, at: 1.9)
    #expect(next == 3)
    #expect(shed == [1, 2])
    #expect((0.05...5).contains(queue.retryAfter))
  }

  @Test("does not count the duration of a request that did not run")
  func withoutDuration() {
    var queue = SheddingQueue<Int>(capacity: 1, maxWaiting: 10, maxWait: 1)
    for request in 0..<8 { _ = queue.arrive(request, of: 1, at: 0) }
    _ = queue.finish(of: 1, after: 2, at: 0.1)
    let ran = queue.retryAfter
    _ = queue.arrive(8, of: 1, at: 0.1)
    #expect(queue.finish(of: 1, after: nil, at: 0.1).next == 8)
    #expect(queue.retryAfter == ran)
  }

  @Test("loses no request during random operations", arguments: 0..<10)
  func property(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var queue = SheddingQueue<Int>(capacity: 3, maxWaiting: 5, maxWait: 2)
    var (arrived, ended) = (0, 0)
    // Users by request, and the requests inside.
    var users: [UInt32] = [0]
    var served: [Int] = []
    for step in 0..<3_000 {
      let now = Double(step) * 0.1
      if Bool.random(using: &random) {
        arrived += 1
        users.append(UInt32.random(in: 1...3, using: &random))
        switch queue.arrive(arrived, of: users[arrived], at: now) {
        case .admitted: served.append(arrived)
        case .queued(_, let shed): ended += shed.count
        }
      } else if let index = served.indices.randomElement(using: &random) {
        let (next, shed) = queue.finish(of: users[served.remove(at: index)], after: 0.2, at: now)
        ended += 1 + shed.count
        if let next { served.append(next) }
      }
      #expect(served.count <= 3 && queue.load.admitted == served.count && queue.load.waiting <= 5)
      #expect(arrived == ended + served.count + queue.load.waiting)
    }
  }

  @Test("gives each user a turn, however many requests the others make")
  func fair() {
    var queue = SheddingQueue<String>(capacity: 2, maxWaiting: 3, maxWait: 100)
    var shed: [String] = []
    func arrive(_ request: String, of user: UInt32) {
      if case .queued(_, let gone) = queue.arrive(request, of: user, at: 0) { shed += gone }
    }
    for number in 0..<5 { arrive("greedy \(number)", of: 1) }
    arrive("modest", of: 2)
    for number in 5..<9 { arrive("greedy \(number)", of: 1) }
    #expect(shed == ["greedy 2", "greedy 3", "greedy 4", "greedy 5", "greedy 6"])
    #expect(queue.finish(of: 1, after: 0.1, at: 0).next == "modest")
    // Both have one inside: the newest is next.
    #expect(queue.finish(of: 2, after: 0.1, at: 0).next == "greedy 8")
    #expect(queue.finish(of: 1, after: 0.1, at: 0).next == "greedy 7")
    #expect(queue.finish(of: 1, after: 0.1, at: 0).next == nil)
    #expect(queue.load == (1, 0))
  }
}

@Suite("A provider's gate")
struct ProviderGateTests {
  @Test("uses the rate only for calls that are sent, and reports the retry budget's limits")
  func gate() {
    let gate = ProviderGate(rate: Rate(perSecond: 1), random: SeededRandom(seed: 6))
    guard case .admitted(let pass) = gate.admit(at: 0) else {
      Issue.record("the first call goes")
      return
    }
    #expect(gate.admit(at: 0.5) == .wait(until: 1))
    #expect(gate.nextStart(at: 0.5, behind: 1) == 2)
    #expect(gate.nextStart(at: 0.5, behind: 2) == 3)
    let failure = ProviderError(.connect, "refused")
    #expect(gate.finish(pass, .failure(failure), at: 0.6, wall: 0) == [.failed(.connect)])
    #expect(gate.retryDelay(after: failure, attempt: 1, at: 0.6, deadline: 9) == nil, "one call earns no retry")
    for second in 1...11 {
      guard case .admitted(let pass) = gate.admit(at: Double(second)) else {
        Issue.record("the call of second \(second) was not admitted")
        return
      }
      gate.finish(pass, .success, at: Double(second), wall: 0)
    }
    #expect(gate.retryDelay(after: ProviderError(.badRequest, ""), attempt: 1, at: 20, deadline: 29) == nil)
    #expect(gate.retryDelay(after: failure, attempt: 1, at: 20, deadline: 29) != nil)
    #expect(gate.retryDelay(after: failure, attempt: 1, at: 20, deadline: 29) == nil, "twelve calls earn one retry")
  }

  @Test("returns the token of a call that was not sent, unless another call has started since")
  func takenBack() {
    let gate = ProviderGate(rate: Rate(perSecond: 1), random: SeededRandom(seed: 6))
    guard case .admitted(let unsent) = gate.admit(at: 0) else { return }
    let ownLimit = ProviderError(.rateLimit, "too many at once here")
    #expect(gate.finish(unsent, .failure(ownLimit), wasSent: false, at: 0.1, wall: 0) == [], "this is no failure of the provider")
    #expect(gate.suspension(at: 0.1) == nil)
    guard case .admitted(let early) = gate.admit(at: 0.1), case .admitted = gate.admit(at: 1.1) else {
      Issue.record("the turn was not given back")
      return
    }
    let noName = ProviderError(.dns, "no such name")
    #expect(gate.finish(early, .failure(noName), wasSent: false, at: 1.2, wall: 0) == [.failed(.dns)])
    #expect(gate.admit(at: 1.2) == .wait(until: 2.1))
  }

  @Test("reports a failure once in ten minutes for each cause, also a refused request, but not an unknown place")
  func news() {
    let gate = ProviderGate(rate: Rate(), random: SeededRandom(seed: 8))
    func news(_ outcome: CircuitBreaker.Outcome, at now: Double) -> [ProviderEvent] {
      guard case .admitted(let pass) = gate.admit(at: now) else { return [] }
      return gate.finish(pass, outcome, at: now, wall: 0)
    }
    #expect(news(.failure(ProviderError(.http, "m")), at: 0) == [.failed(.http)])
    #expect(news(.failure(ProviderError(.http, "n")), at: 599) == [])
    #expect(news(.failure(ProviderError(.timeout, "m")), at: 599) == [.failed(.timeout)])
    #expect(news(.failure(ProviderError(.http, "m")), at: 600) == [.failed(.http)])
    #expect(news(.failure(ProviderError(.badRequest, "m")), at: 600) == [.failed(.badRequest)])
    for cause in [ProviderError.Cause.badRequest, .unsupported, .notFound, .cancelled] {
      #expect(news(.failure(ProviderError(cause, "m")), at: 601) == [])
    }
    #expect(news(.abandoned, at: 602) == [] && news(.success, at: 603) == [])
    let shut = news(.failure(ProviderError(.credentials, "m")), at: 604)
    #expect(shut == [.failed(.credentials), .suspended(Suspension(cause: .credentials, message: "m", since: 604, until: nil))])
    // If an administrator resumes it, nothing is logged.
    gate.resume()
    #expect(news(.success, at: 605) == [])
  }

  @Test("reports why and until when it is closed, and opens on resume")
  func resume() {
    let gate = ProviderGate(rate: Rate(), random: SeededRandom(seed: 7))
    guard case .admitted(let pass) = gate.admit(at: 0) else { return }
    gate.finish(pass, .failure(ProviderError(.credentials, "the key is wrong")), at: 0, wall: 0)
    guard case .suspended(let suspension) = gate.admit(at: 1e6) else {
      Issue.record("it should be shut")
      return
    }
    #expect(suspension.message == "the key is wrong" && suspension.until == nil)
    gate.resume()
    guard case .admitted = gate.admit(at: 1e6) else {
      Issue.record("it should be open")
      return
    }
  }
}
