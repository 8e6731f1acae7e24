import Resilience
import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import QueryEngine

/// A service with the prices of Google Places; its free calls are used up.
@Suite("The cost of a session in which calls fail")
struct SessionMoneyTests {
  private static let prices = PriceTable(
    classes: [
      PriceClass("suggest", micros: 2_830), PriceClass("ids", micros: 0), PriceClass("essentials", micros: 5_000),
      PriceClass("pro", micros: 17_000),
    ],
    calls: [.autocomplete: "suggest", .details: "ids"], fieldClasses: [.details: [.formattedAddress: "essentials", .businessStatus: "pro"]])

  private let session = SessionID()

  private struct PaidProvider {
    var fixture: EngineFixture
    var budgets: BudgetService
    var running: Running<Void>

    /// The session tokens of the calls, in the order of the calls.
    var tokens: [String?] {
      fixture.calls(to: "paid").map { asked in
        switch asked.call {
        case .autocomplete(let request): request.sessionToken
        case .details(let request): request.sessionToken
        default: nil
        }
      }
    }

    var spent: Spending { budgets.report(provider: "paid").day.spent }
  }

  /// - Parameter details: the service's behaviour for a details call.
  private func fixture(
    _ limits: BudgetLimits = BudgetLimits(), rate: Rate = Rate(concurrent: 64),
    endings: [String: SessionRule.Billing] = ["ids": .all, "essentials": .first(12), "pro": .none],
    details: @escaping @Sendable () -> ScriptedService.Behaviour = { .places([.named("Berlin", id: "1", [.formattedAddress: "Berlin"])]) }
  ) -> PaidProvider {
    let simulation = Simulation()
    let budgets = BudgetService(
      ledger: MemoryLedger(time: simulation.time), limits: ["paid": limits], time: simulation.time, log: { _, _ in })
    let running = simulation.start { await budgets.run() }
    let manifest = Manifest.scripted("Paid", rate: rate, prices: Self.prices, sessions: SessionRule(endings: endings))
    let fixture = EngineFixture(
      budgets: budgets, storesAnswers: true, simulation: simulation,
      [
        "paid": .init(manifest: manifest) { call, _ in
          switch call {
          case .autocomplete(let request) where request.query.hasPrefix("unsent"):
            .unsent(ProviderError(.dns, "no such host"), after: request.query == "unsent later" ? 0.3 : 0)
          case .autocomplete: .suggestions([.city("Berlin", id: "1")])
          default: details()
          }
        }
      ])
    return PaidProvider(fixture: fixture, budgets: budgets, running: running)
  }

  @Test("The reservations of keystrokes that were not sent are returned once, and do not count as saved at the session's end")
  func unsent() throws {
    let paid = fixture()
    for number in 0..<4 { #expect(paid.fixture.answer("unsent \(number)") { $0.session = session }?.value == nil) }
    #expect(paid.fixture.answer("berl") { $0.session = session }?.value != nil)
    #expect(paid.fixture.details("paid:1", fields: [.businessStatus], session: session)?.value != nil)
    #expect(paid.spent == Spending(calls: 2, micros: 17_000))
    #expect(paid.budgets.report(provider: "paid").saved[.sessions] == Spending(micros: 2_830))
    paid.running.cancel()
  }

  @Test("The reservation of a keystroke that fails during the session's last call is returned once, too")
  func failsDuringLastCall() throws {
    let paid = fixture { .places([.named("Berlin", id: "1")], after: 0.5) }
    #expect(paid.fixture.answer("berl") { $0.session = session }?.value != nil)
    let failing = paid.fixture.ask("unsent later") { $0.session = session }
    paid.fixture.simulation.pass(0.1)
    #expect(paid.fixture.details("paid:1", fields: [.businessStatus], session: session)?.value != nil)
    #expect(failing.value?.error != nil)
    #expect(paid.spent == Spending(calls: 2, micros: 17_000))
    #expect(paid.budgets.report(provider: "paid").saved[.sessions] == Spending(micros: 2_830))
    paid.running.cancel()
  }

  @Test("If the budget does not allow the cheapest end of a session, a cheaper call may still be possible", arguments: [true, false])
  func cheapestEndingOverBudget(hasPrice: Bool) throws {
    // Twelve keystrokes are 33,960; A Pro details call is 17,000 and makes them free; an Essentials call is 5,000 and leaves them billed;
    // names are free.
    let paid = fixture(BudgetLimits(microsPerDay: hasPrice ? 50_000 : 33_960))
    for number in 0..<12 { #expect(paid.fixture.answer("b\(number)") { $0.session = session }?.value != nil) }
    let result = paid.fixture.details("paid:1", fields: hasPrice ? [.formattedAddress] : [.name], session: session)
    #expect(result?.value != nil)
    #expect(paid.spent == Spending(calls: hasPrice ? 13 : 12, micros: hasPrice ? 38_960 : 33_960))
    #expect(paid.tokens.count == 13 && Set(paid.tokens).count == 1)
    paid.running.cancel()
  }

  @Test("A session whose last call could not be paid is ended by the next one that can")
  func refused() throws {
    let paid = fixture(BudgetLimits(microsPerDay: 5_000))
    #expect(paid.fixture.answer("berl") { $0.session = session }?.value != nil)
    #expect(paid.fixture.details("paid:1", fields: [.businessStatus], session: session)?.error != nil)
    paid.budgets.configure(limits: [:], userLimits: UserLimits())
    #expect(paid.fixture.details("paid:1", fields: [.businessStatus], session: session)?.value != nil)
    #expect(paid.tokens.count == 2 && paid.tokens[1] == paid.tokens[0])
    #expect(paid.spent.micros == 17_000)
    paid.running.cancel()
  }

  @Test("A session whose last call could not be sent is ended by the next one that can", arguments: [true, false])
  func unsentEnding(isPaced: Bool) throws {
    let failsToConnect = Mutex(!isPaced)
    let paid = fixture(rate: isPaced ? Rate(perSecond: 1, concurrent: 8) : Rate(concurrent: 8)) {
      failsToConnect.withLock { $0 } ? .unsent(ProviderError(.connect, "refused")) : .places([.named("Berlin", id: "1")])
    }
    #expect(paid.fixture.answer("berl") { $0.session = session }?.value != nil)
    #expect(paid.fixture.details("paid:1", fields: [.businessStatus], session: session)?.error != nil)
    failsToConnect.withLock { $0 = false }
    paid.fixture.simulation.pass(2)
    #expect(paid.fixture.details("paid:1", fields: [.businessStatus], session: session)?.value != nil)
    #expect(paid.tokens.last == paid.tokens.first)
    #expect(paid.spent.micros == 17_000)
    paid.running.cancel()
  }

  @Test("A cached answer is returned if the call that would save money is rejected or late", arguments: [true, false])
  func cachedAnswer(isRefused: Bool) throws {
    let delay = Mutex(0.0)
    let limits = BudgetLimits(microsPerDay: isRefused ? 5_000 + 2 * 2_830 : nil)
    let paid = fixture(limits, endings: ["essentials": .none]) {
      .places([.named("Berlin", id: "1", [.formattedAddress: "Berlin"])], after: delay.withLock { $0 })
    }
    #expect(paid.fixture.details("paid:1", fields: [.formattedAddress])?.value?.providers["paid"]?.served == .live)
    for query in ["ber", "berl"] { #expect(paid.fixture.answer(query) { $0.session = session }?.value != nil) }
    delay.withLock { $0 = 3 }
    let start = paid.fixture.time.monotonic()
    let result = paid.fixture.details("paid:1", fields: [.formattedAddress], session: session)
    #expect(result?.value?.providers["paid"]?.served == .cache)
    #expect(paid.fixture.time.monotonic() - start < 0.2)
    paid.running.cancel()
  }
}
