import Resilience
import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import QueryEngine

@Suite("Calls that cost something")
struct BudgetTests {
  private static let prices = PriceTable(
    classes: [PriceClass("suggest", micros: 2_830), PriceClass("essentials", micros: 5_000), PriceClass("pro", micros: 17_000)],
    calls: [.autocomplete: "suggest", .details: "essentials"], fieldClasses: [.details: [.businessStatus: "pro"]])

  private struct Paid {
    var fixture: EngineFixture
    var budgets: BudgetService
    var ledger: MemoryLedger
    var running: Running<Void>
  }

  private func fixture(
    limits: BudgetLimits, after: Double = 0, sessions: SessionRule? = nil, free: Bool = true, timeout: Double = 5
  ) -> Paid {
    let simulation = Simulation()
    let ledger = MemoryLedger(time: simulation.time)
    let budgets = BudgetService(ledger: ledger, limits: ["paid": limits], time: simulation.time, log: { _, _ in })
    let running = simulation.start { await budgets.run() }
    var providers: [String: EngineFixture.ScriptedProvider] = [
      "paid": .init(manifest: .scripted("Paid", prices: Self.prices, sessions: sessions), timeout: timeout) { call, _ in
        if case .details = call { return .places([.named("Berlin", id: "1")], after: after) }
        return .suggestions([.city("Berlin", id: "1")], after: after)
      }
    ]
    if free { providers["free"] = .init(manifest: .scripted("Free")) { _, _ in .suggestions([.city("Bern")]) } }
    return Paid(
      fixture: EngineFixture(budgets: budgets, storesAnswers: true, simulation: simulation, providers), budgets: budgets, ledger: ledger,
      running: running)
  }

  @Test("If a paid provider is over budget, free ones still answer, and its report has the time at which the budget is renewed")
  func overBudget() throws {
    let paid = fixture(limits: BudgetLimits(callsPerDay: 3))
    for number in 0..<3 { #expect(paid.fixture.answer("berl\(number)")?.value?.providers["paid"]?.outcome == .ok) }
    let result = try #require(paid.fixture.answer("berlin")?.value)
    #expect(result.providers["paid"]?.outcome == .overBudget)
    #expect(try #require(result.providers["paid"]?.retryAfterMs) > 0)
    #expect(result.providers["free"]?.outcome == .ok)
    #expect(!result.complete)
    #expect(paid.fixture.calls(to: "paid").count == 3)
    #expect(paid.fixture.answer("berl0")?.value?.providers["paid"]?.served == .cache)
    paid.running.cancel()
  }

  @Test("A provider whose budget is used up is not ready, and its status says why and until when")
  func statusOverBudget() throws {
    let paid = fixture(limits: BudgetLimits(callsPerDay: 2))
    #expect(paid.fixture.answer("berl")?.value?.providers["paid"]?.outcome == .ok)
    #expect(paid.fixture.engine.status(of: "paid")?.state == .ready)
    #expect(paid.fixture.answer("bern")?.value?.providers["paid"]?.outcome == .ok)
    let status = try #require(paid.fixture.engine.status(of: "paid"))
    #expect(status.state == .overBudget && status.cause == "calls" && status.until?.hasSuffix("T00:00:00Z") == true, "\(status)")
    #expect(status.reason == "the budget of calls for paid is used up today")
    paid.budgets.configure(limits: [:], userLimits: UserLimits())
    #expect(paid.fixture.engine.status(of: "paid")?.state == .ready)
    paid.running.cancel()
  }

  @Test("A call that sends several requests counts each of them, in the ledger before it is sent, and sends none beyond the budget")
  func severalRequests() throws {
    let paid = fixture(limits: BudgetLimits(callsPerDay: 5))
    let ledger = paid.ledger
    let reserved = Mutex<[Int]>([])
    paid.fixture.services["paid"]?.behave { _, _ in
      .several(
        3, sent: { reserved.withLock { $0.append(ledger.committed("paid").values.reduce(0) { $0 + $1.calls }) } },
        .suggestions([.city("Berlin", id: "1")]))
    }
    #expect(paid.fixture.answer("berl")?.value?.providers["paid"]?.outcome == .ok)
    #expect(zip(reserved.withLock { $0 }, 2...3).allSatisfy { $0 >= $1 } && reserved.withLock { $0.count } == 2)
    let second = try #require(paid.fixture.answer("bern")?.value)
    #expect(second.providers["paid"]?.outcome == .overBudget)
    #expect(second.providers["free"]?.outcome == .ok)
    #expect(reserved.withLock { $0.count } == 3)
    #expect(paid.budgets.report(provider: "paid").day.spent == Spending(calls: 5, micros: 5 * 2_830))
    let counters = paid.fixture.engine.status(of: "paid")?.counters
    #expect(counters?.failed == 0, "a budget that is used up is not a failure of the service")
    #expect(counters?.sent == 2 && counters?.succeeded == 1 && counters?.abandoned == 1)
    paid.running.cancel()
  }

  @Test("The reservation for a request that was not sent is returned")
  func furtherUnsent() throws {
    let paid = fixture(limits: BudgetLimits())
    paid.fixture.services["paid"]?.behave { _, _ in .reserving(.suggestions([.city("Berlin", id: "1")])) }
    #expect(paid.fixture.answer("berl")?.value?.providers["paid"]?.outcome == .ok)
    #expect(paid.budgets.report(provider: "paid").day.spent == Spending(calls: 1, micros: 2_830))
    paid.running.cancel()
  }

  @Test(
    "The service's own outcome counts, even if the budget refused a further request",
    arguments: [
      (ProviderError.Cause.credentials, ProviderReport.Outcome.error), (.http, .error), (.timeout, .timeout), (.plugin, .overBudget),
      (.cancelled, .overBudget),
    ])
  func ownWords(cause: ProviderError.Cause, outcome: ProviderReport.Outcome) throws {
    let paid = fixture(limits: BudgetLimits(callsPerDay: 1))
    paid.fixture.services["paid"]?.behave { _, _ in .trying(.failure(ProviderError(cause, "its words"))) }
    #expect(paid.fixture.answer("berl")?.value?.providers["paid"]?.outcome == outcome)
    let status = paid.fixture.engine.status(of: "paid")
    #expect(status?.counters.failed == (outcome == .error ? 1 : 0) && status?.counters.timedOut == (outcome == .timeout ? 1 : 0))
    #expect((status?.state == .suspended) == (cause == .credentials))
    paid.running.cancel()
  }

  @Test("A call is in the ledger before it is sent, and counts as spent if it was sent or may have been")
  func ledger() throws {
    let paid = fixture(limits: BudgetLimits(), after: 9, timeout: 2)
    let request = paid.fixture.ask("berl")
    paid.fixture.simulation.pass(0.01)
    #expect(paid.fixture.services["paid"]?.inProgress == 1)
    let day = Day(wall: paid.fixture.time.wall())
    #expect(paid.ledger.committed("paid", on: day).calls >= 1)
    #expect(paid.fixture.simulation.finish(request)?.value != nil)
    paid.fixture.simulation.pass(3)
    #expect(paid.budgets.report(provider: "paid").day.spent == Spending(calls: 1, micros: 2_830))
    paid.running.cancel()
  }

  @Test("Without a ledger, paid calls are off and free calls continue")
  func noLedger() throws {
    let paid = fixture(limits: BudgetLimits())
    paid.ledger.fail(1_000)
    let result = try #require(paid.fixture.answer("berl")?.value)
    #expect(result.providers["paid"]?.outcome == .overBudget)
    #expect(result.providers["paid"]?.cause == "ledger")
    #expect(result.providers["free"]?.outcome == .ok)
    #expect(paid.fixture.calls(to: "paid").isEmpty)
    #expect(paid.fixture.engine.status(of: "paid")?.state == .overBudget)
    paid.running.cancel()
  }

  @Test("Savings by cache, shared calls and sessions are counted")
  func savings() throws {
    let rule = SessionRule(endings: ["essentials": .first(12), "pro": .none])
    let paid = fixture(limits: BudgetLimits(), after: 0.01, sessions: rule, free: false)
    let session = SessionID()
    for number in 0..<6 { _ = paid.fixture.answer("berl\(number)") { $0.session = session } }
    _ = paid.fixture.answer("berl0") { $0.session = session }
    let twins = [paid.fixture.ask("bern") { $0.session = session }, paid.fixture.ask("bern") { $0.session = session }]
    for twin in twins { #expect(paid.fixture.simulation.finish(twin)?.value != nil) }
    // Seven calls at 2,830 would cost more than one of 17,000 that makes them free.
    #expect(paid.fixture.details("paid:1", fields: [.name], session: session)?.value != nil)
    let report = paid.budgets.report(provider: "paid")
    #expect(report.day.spent.micros == 17_000)
    #expect(report.saved[.cache] == Spending(calls: 1, micros: 2_830))
    #expect(report.saved[.coalescing] == Spending(calls: 1, micros: 2_830))
    #expect(report.saved[.sessions]?.micros == 7 * 2_830)
    paid.running.cancel()
  }

  @Test("A details call is made despite a cached answer if ending the session with it is cheaper")
  func cheaperThanTheCache() throws {
    let rule = SessionRule(endings: ["essentials": .none])
    let paid = fixture(limits: BudgetLimits(), sessions: rule, free: false)
    #expect(paid.fixture.details("paid:1", fields: [.name])?.value?.providers["paid"]?.served == .live)
    for (calls, served) in [(1, ProviderReport.Served.cache), (2, .live)] {
      let session = SessionID()
      for number in 0..<calls { _ = paid.fixture.answer("\(session.text.prefix(4)) \(number)") { $0.session = session } }
      #expect(paid.fixture.details("paid:1", fields: [.name], session: session)?.value?.providers["paid"]?.served == served)
    }
    paid.running.cancel()
  }

  @Test("A paid call that waits for its turn is not made if all callers have left, before or during the wait")
  func abandoned() throws {
    let fixture = EngineFixture([
      "paid": .init(manifest: .scripted("Paid", rate: Rate(concurrent: 1), prices: Self.prices)) { _, _ in
        .suggestions([.city("Berlin")], after: 1)
      }
    ])
    let first = fixture.ask("one") { $0.deadlineMs = 2_000 }
    let second = fixture.ask("two") { $0.deadlineMs = 300 }
    #expect(fixture.simulation.finish(second)?.error?.name == .deadlineExceeded)
    #expect(fixture.simulation.finish(first)?.value != nil)
    fixture.simulation.pass(3)
    #expect(fixture.calls(to: "paid").count == 1)
  }

  @Test("A call that is rejected for overload does not use up the session's token")
  func tokenKept() throws {
    let rule = SessionRule(endings: ["essentials": .first(12)])
    let fixture = EngineFixture([
      "paid": .init(manifest: .scripted("Paid", rate: Rate(concurrent: 1), prices: Self.prices, sessions: rule)) { call, number in
        if case .details = call { return .places([.named("Berlin", id: "1")]) }
        return .suggestions([.city("Berlin", id: "1")], after: number == 0 ? 0 : 0.5)
      }
    ])
    let session = SessionID()
    #expect(fixture.answer("ber") { $0.session = session }?.value != nil)
    let crowd = (0..<257).map { number in fixture.ask("other \(number)") { $0.deadlineMs = 400 } }
    fixture.simulation.settle()
    #expect(fixture.details("paid:1", fields: [.name], session: session)?.error?.data["providers"]?[0]?["cause"]?.string == "queue")
    for request in crowd { _ = fixture.simulation.finish(request) }
    fixture.simulation.pass(1)
    #expect(fixture.details("paid:1", fields: [.name], session: session)?.value != nil)
    let tokens = fixture.calls(to: "paid").map { asked -> String? in
      switch asked.call {
      case .autocomplete(let request): request.sessionToken
      case .details(let request): request.sessionToken
      default: nil
      }
    }
    #expect(tokens.first != nil)
    #expect(tokens.last == tokens.first)
  }

  @Test("A user whose own quota of paid calls is used up gets that error if no other provider can answer")
  func usersQuota() throws {
    let simulation = Simulation()
    let budgets = BudgetService(
      ledger: MemoryLedger(time: simulation.time), userLimits: UserLimits(paidCallsPerDay: 1), time: simulation.time,
      log: { _, _ in })
    let running = simulation.start { await budgets.run() }
    let fixture = EngineFixture(
      budgets: budgets, simulation: simulation,
      ["paid": .init(manifest: .scripted("Paid", prices: Self.prices)) { _, _ in .suggestions([.city("Berlin")]) }])
    #expect(fixture.answer("one")?.value != nil)
    let error = try #require(fixture.answer("two")?.error)
    #expect(error.name == .quotaExceeded)
    #expect(error.data["retryAfterMs"]?.integer ?? 0 > 0)
    #expect(error.data["providers"]?[0]?["cause"]?.string == "user_calls")
    #expect(fixture.answer("one", user: 2)?.value != nil)
    running.cancel()
  }

  @Test("A price class of zero is free, also without a ledger")
  func costsNothing() throws {
    let simulation = Simulation()
    let ledger = MemoryLedger(time: simulation.time)
    ledger.fail(1_000)
    let budgets = BudgetService(ledger: ledger, userLimits: UserLimits(paidCallsPerDay: 0), time: simulation.time, log: { _, _ in })
    let running = simulation.start { await budgets.run() }
    let prices = PriceTable(classes: [PriceClass("free", micros: 0)], calls: [.autocomplete: "free"])
    let fixture = EngineFixture(
      budgets: budgets, simulation: simulation,
      ["a": .init(manifest: .scripted("A", prices: prices)) { _, _ in .suggestions([.city("Berlin")]) }])
    #expect(fixture.answer("ber")?.value != nil)
    running.cancel()
  }

  @Test("A budget of calls also limits a provider that answers immediately")
  func answersImmediately() throws {
    let simulation = Simulation()
    let limits = BudgetLimits(callsPerDay: 2)
    let budgets = BudgetService(
      ledger: MemoryLedger(time: simulation.time), limits: ["local": limits], time: simulation.time, log: { _, _ in })
    let running = simulation.start { await budgets.run() }
    let fixture = EngineFixture(
      budgets: budgets, simulation: simulation,
      ["local": .init(manifest: .scripted("Local", remote: false), answersImmediately: true) { _, _ in .suggestions([.city("Berlin")]) }])
    let service = try #require(fixture.services["local"])
    fixture.engine.replaceProviders([ProviderInstance(id: "local", service: service, answersImmediately: true, budget: limits)])
    #expect(fixture.answer("one")?.value != nil)
    #expect(fixture.answer("two")?.value != nil)
    #expect(fixture.answer("three")?.error?.data["providers"]?[0]?["outcome"]?.string == "over_budget")
    running.cancel()
  }
}
