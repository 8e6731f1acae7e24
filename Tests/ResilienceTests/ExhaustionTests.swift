import PlacesKit
import PlacesTesting
import Testing

@testable import Resilience

private typealias Bench = BudgetBench
private let price = BudgetBench.price

@Suite("A budget is used up")
struct ExhaustionTests {
  private let cheap = PriceClass("suggest", micros: 2_830)

  @Test("for all users as soon as no call is left, until the later of its periods ends")
  func calls() async {
    let bench = Bench(BudgetLimits(callsPerDay: 3, callsPerMonth: 3))
    await bench.budgets.update()
    #expect(bench.budgets.exhaustion(of: "p", [price]) == nil)
    #expect(await bench.drain().sent == 3)
    let refusal = bench.budgets.exhaustion(of: "p", [cheap, price])
    #expect(refusal?.reason == .calls && refusal?.message == "the budget of calls for p is used up this month")
    #expect(refusal?.resumesAt == Day(wall: bench.time.wall()).month.end)
    #expect(bench.budgets.exhaustion(of: "p", [nil])?.reason == .calls, "free calls are counted too")
  }

  @Test("once in the log for each period; a user's share is not logged")
  func log() async {
    let bench = Bench(BudgetLimits(callsPerDay: 4, userShare: 0.5))
    #expect(await bench.drain().sent == 2)
    #expect(bench.logLines.all == [])
    let message = "the budget of calls for p is used up today"
    #expect(await bench.drain(user: 2).sent == 2)
    for user: UInt32 in [3, 4] { #expect(await bench.drain(user: user).refusal?.message == message) }
    #expect(bench.logLines.all == [message])
    bench.time.advance(by: 86_400)
    #expect(await bench.drain(user: 1).sent == 2)
    #expect(await bench.drain(user: 2).sent == 2)
    _ = await bench.drain(user: 3)
    #expect(bench.logLines.all == [message, message])
  }

  @Test("once in the log also if calls of different prices are refused alternately, and if the ledger fails")
  func alternatingLog() async {
    let bench = Bench(BudgetLimits(callsPerDay: 2, microsPerMonth: 25_000))
    for price in [price, cheap, price, cheap, price, cheap] { _ = await bench.reserve(price) }
    #expect(Set(bench.logLines.all).count == bench.logLines.all.count && bench.logLines.all.count == 2, "\(bench.logLines.all)")
    let free = Bench(BudgetLimits(callsPerDay: 1))
    await free.budgets.update()
    free.ledger.state.withLock { $0.failing = true }
    for _ in 0..<3 { _ = await free.reserve(nil) }
    #expect(free.logLines.all.filter { $0.contains("used up") }.count == 1, "\(free.logLines.all)")
  }

  @Test("permanently if its limit is 0, and the message says so")
  func none() async {
    let calls = Bench(BudgetLimits(callsPerDay: 0, callsPerMonth: 0))
    await calls.budgets.update()
    let refusal = calls.budgets.exhaustion(of: "p", [price])
    #expect(refusal?.message == "the budget of calls for p is 0" && refusal?.resumesAt == nil)
    let usedUp = Bench(BudgetLimits(callsPerDay: 1, callsPerMonth: 0))
    #expect(
      await usedUp.drain().refusal?.message == "the budget of calls for p is 0",
      "a limit that never leaves anything lasts longer than a day")
    let money = Bench(BudgetLimits(microsPerDay: 0))
    #expect(await money.drain().refusal?.message == "the budget of money for p is 0, and no free call is left")
  }

  @Test("not by one user's share, nor if one kind of call is affordable or free, nor by reserved calls")
  func left() async {
    let shared = Bench(BudgetLimits(callsPerDay: 100, userShare: 0.1))
    #expect(await shared.drain().refusal?.reason == .shareOfCalls)
    #expect(shared.budgets.exhaustion(of: "p", [price]) == nil)
    let money = Bench(BudgetLimits(microsPerDay: 20_000))
    #expect(await money.drain().sent == 1)
    #expect(money.budgets.exhaustion(of: "p", [price])?.reason == .money)
    #expect(money.budgets.exhaustion(of: "p", [cheap, price]) == nil)
    #expect(money.budgets.exhaustion(of: "p", [nil, price]) == nil)
    let unsent = Bench(BudgetLimits(callsPerDay: 1))
    guard case .success(let charge) = await unsent.reserve() else {
      Issue.record("the first call is paid")
      return
    }
    #expect(unsent.budgets.exhaustion(of: "p", [price]) != nil)
    unsent.budgets.settle(charge, wasSent: false)
    #expect(unsent.budgets.exhaustion(of: "p", [price]) == nil)
  }
}
