import Resilience
import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import QueryEngine

/// A service that bills as Google does (providers' reference 1.7), past its free calls.
@Suite("The cost of a session with failures")
struct SessionMoneyTests {
  private static let prices = PriceTable(
    classes: [
      PriceClass("suggest", micros: 2_830), PriceClass("ids", micros: 0), PriceClass("essentials", micros: 5_000),
      PriceClass("pro", micros: 17_000),
    ],
    calls: [.autocomplete: "suggest", .details: "ids"], fieldClasses: [.details: [.formattedAddress: "essentials", .businessStatus: "pro"]])

  private let session = SessionID()

  private struct Paid {
    var fixture: EngineFixture
    var budgets: BudgetService
    var running: Running<Void>

    /// The tokens that went with calls, in their order.
    var tokens: [String?] {
      fixture.asked("paid").map { asked in
        switch asked.call {
        case .autocomplete(let request): request.sessionToken
        case .details(let request): request.sessionToken
        default: nil
        }
      }
    }

    var spent: Spending { budgets.report(provider: "paid").day.spent }
  }

  /// - Parameter details: what becomes of a details call.
  private func fixture(
    _ limits: BudgetLimits = BudgetLimits(), rate: Rate = Rate(concurrent: 64),
    endings: [String: SessionRule.Billing] = ["ids": .all, "essentials": .first(12), "pro": .none],
    details: @escaping @Sendable () -> ScriptedService.Behaviour = { .places([.named("Berlin", id: "1", [.formattedAddress: "Berlin"])]) }
  ) -> Paid {
    let simulation = Simulation()
    let budgets = BudgetService(
      ledger: MemoryLedger(time: simulation.time), limits: ["paid": limits], block: 2, time: simulation.time, log: { _, _ in })
    let running = simulation.start { await budgets.run() }
    let manifest = Manifest.scripted("Paid", rate: rate, prices: Self.prices, sessions: SessionRule(endings: endings))
    let fixture = EngineFixture(
      budgets: budgets, keeps: true, simulation: simulation,
      [
        "paid": .init(manifest: manifest) { call, _ in
          switch call {
          case .autocomplete(let request) where request.query.hasPrefix("lost"):
            .unsent(ProviderError(.dns, "no such host"), after: request.query == "lost later" ? 0.3 : 0)
          case .autocomplete: .suggestions([.city("Berlin", id: "1")])
          default: details()
          }
        }
      ])
    return Paid(fixture: fixture, budgets: budgets, running: running)
  }

  @Test("The reservations of keystrokes that were not sent are returned once, and do not count as saved at the session's end")
  func unsent() throws {
    let paid = fixture()
    for number in 0..<4 { #expect(paid.fixture.answer("lost \(number)") { $0.session = session }?.value == nil) }
    #expect(paid.fixture.answer("berl") { $0.session = session }?.value != nil)
    #expect(paid.fixture.details("paid:1", fields: [.businessStatus], session: session)?.value != nil)
    #expect(paid.spent == Spending(calls: 2, micros: 17_000))
    #expect(paid.budgets.report(provider: "paid").saved[.sessions] == Spending(micros: 2_830))
    paid.running.cancel()
  }

  @Test("The reservation of a keystroke that fails during the session's last call is returned once, too")
  func lostMeanwhile() throws {
    let paid = fixture { .places([.named("Berlin", id: "1")], after: 0.5) }
    #expect(paid.fixture.answer("berl") { $0.session = session }?.value != nil)
    let lost = paid.fixture.ask("lost later") { $0.session = session }
    paid.fixture.simulation.pass(0.1)
    #expect(paid.fixture.details("paid:1", fields: [.businessStatus], session: session)?.value != nil)
    #expect(lost.value?.error != nil)
    #expect(paid.spent == Spending(calls: 2, micros: 17_000))
    #expect(paid.budgets.report(provider: "paid").saved[.sessions] == Spending(micros: 2_830))
    paid.running.cancel()
  }

  @Test("If the budget does not allow the cheapest end of a session, a cheaper call may still be possible", arguments: [true, false])
  func cheapestTooDear(costs: Bool) throws {
    // Twelve keystrokes are 33,960; Pro is 17,000 and makes them free, Essentials is 5,000 on top, names alone are nothing.
    let paid = fixture(BudgetLimits(microsPerDay: costs ? 50_000 : 33_960))
    for number in 0..<12 { #expect(paid.fixture.answer("b\(number)") { $0.session = session }?.value != nil) }
    let result = paid.fixture.details("paid:1", fields: costs ? [.formattedAddress] : [.name], session: session)
    #expect(result?.value != nil)
    #expect(paid.spent == Spending(calls: costs ? 13 : 12, micros: costs ? 38_960 : 33_960))
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
    let isLost = Mutex(!isPaced)
    let paid = fixture(rate: isPaced ? Rate(perSecond: 1, concurrent: 8) : Rate(concurrent: 8)) {
      isLost.withLock { $0 } ? .unsent(ProviderError(.connect, "refused")) : .places([.named("Berlin", id: "1")])
    }
    #expect(paid.fixture.answer("berl") { $0.session = session }?.value != nil)
    #expect(paid.fixture.details("paid:1", fields: [.businessStatus], session: session)?.error != nil)
    isLost.withLock { $0 = false }
    paid.fixture.simulation.pass(2)
    #expect(paid.fixture.details("paid:1", fields: [.businessStatus], session: session)?.value != nil)
    #expect(paid.tokens.last == paid.tokens.first)
    #expect(paid.spent.micros == 17_000)
    paid.running.cancel()
  }

  @Test("A cached answer is returned if the call that would save money is rejected or late", arguments: [true, false])
  func keptAnswer(isRefused: Bool) throws {
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
