import PlacesKit
import PlacesTesting
import Testing

@testable import Resilience

private typealias Bench = BudgetBench
private let price = BudgetBench.price

@Suite("Limits that change")
struct ChangedLimitsTests {
  private static let none = ["p": BudgetLimits(callsPerDay: 0)]

  @Test("apply to the next call, and leave the calls in progress in the ledger")
  func lowered() async {
    let bench = Bench(BudgetLimits(callsPerDay: 1_000))
    guard case .success(let charge) = await bench.reserve() else {
      Issue.record("the first call is paid")
      return
    }
    bench.budgets.configure(limits: Self.none, userLimits: UserLimits())
    #expect(await bench.drain().sent == 0)
    #expect(bench.ledger.committed("p") { _ in true } == Spending(calls: 1, micros: price.micros))
    bench.budgets.settle(charge, wasSent: true)
    await bench.budgets.update()
    #expect(bench.ledger.committed("p") { _ in true } == Spending(calls: 1, micros: price.micros))
  }

  @Test("leave as many calls as the new limit allows", arguments: [3, 12, 2_000])
  func moved(limit: Int) async {
    let bench = Bench(BudgetLimits(callsPerDay: 1_000))
    guard case .success(let charge) = await bench.reserve() else {
      Issue.record("the first call is paid")
      return
    }
    bench.budgets.settle(charge, wasSent: true)
    bench.budgets.configure(limits: ["p": BudgetLimits(callsPerDay: limit)], userLimits: UserLimits())
    #expect(await bench.drain().sent == limit - 1)
  }

  @Test("apply to a user's quota too")
  func quota() async {
    let bench = Bench(user: UserLimits(paidCallsPerDay: 100))
    #expect((try? await bench.reserve().get()) != nil)
    bench.budgets.configure(limits: [:], userLimits: UserLimits(paidCallsPerDay: 1))
    let (sent, refusal) = await bench.drain()
    #expect(sent == 0 && refusal?.reason == .userCalls)
  }

  @Test("apply to calls that were being reserved at the time of the change")
  func meanwhile() async {
    let bench = Bench(BudgetLimits(callsPerDay: 1_000))
    await bench.budgets.update()
    bench.ledger.state.withLock {
      $0.meanwhile = { [budgets = bench.budgets] in budgets.configure(limits: Self.none, userLimits: UserLimits()) }
    }
    #expect(await bench.drain().sent == 0)
    await bench.budgets.update()
    #expect(bench.ledger.committed("p") { _ in true } == .zero)
  }

  @Test("apply if a call is returned unsent while another one is being refused")
  func unsent() async throws {
    let bench = Bench(BudgetLimits(callsPerDay: 1))
    let charge = try await bench.reserve().get()
    bench.budgets.configure(limits: Self.none, userLimits: UserLimits())
    // Another change is written, so that the return comes during a write.
    bench.budgets.recordSaving(Spending(calls: 1, micros: price.micros), provider: "p", user: 1, by: .cache)
    bench.ledger.state.withLock { $0.meanwhile = { [budgets = bench.budgets] in budgets.settle(charge, wasSent: false) } }
    #expect(await bench.drain().sent == 0)
    #expect(await bench.drain().sent == 0)
    #expect(bench.ledger.committed("p") { _ in true } == .zero)
  }

  @Test("that are unchanged do not make calls wait for another write")
  func same() async {
    let limits = BudgetLimits(callsPerDay: 1_000)
    let bench = Bench(limits)
    await bench.budgets.update()
    bench.ledger.state.withLock {
      $0.meanwhile = { [budgets = bench.budgets] in budgets.configure(limits: ["p": limits], userLimits: UserLimits()) }
    }
    #expect((try? await bench.reserve().get()) != nil)
    #expect(bench.ledger.state.withLock(\.writes) == 1)
  }
}
