@testable import Resilience
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

private typealias Bench = BudgetBench
private let price = BudgetBench.price

@Suite("Budgets")
struct BudgetTests {
  @Test(
    "let exactly as many calls through as the limit pays for",
    arguments: [
      (BudgetLimits(callsPerDay: 10), 10, BudgetRefusal.Reason.calls), (BudgetLimits(callsPerMonth: 21), 21, .calls),
      (BudgetLimits(microsPerDay: 100_000), 5, .money), (BudgetLimits(microsPerMonth: 17_000), 1, .money),
      (BudgetLimits(callsPerDay: 0), 0, .calls), (BudgetLimits(callsPerDay: 100, userShare: 0.25), 25, .shareOfCalls),
      (BudgetLimits(callsPerDay: 2, userShare: 0.25), 1, .shareOfCalls),
      (BudgetLimits(microsPerDay: 1_700_000, userShare: 0.1), 10, .shareOfMoney),
    ])
  func exact(limits: BudgetLimits, calls: Int, reason: BudgetRefusal.Reason) async {
    let bench = Bench(limits)
    let (sent, refusal) = await bench.drain()
    #expect(sent == calls)
    #expect(refusal?.reason == reason)
    #expect((refusal?.resumesAt).map { $0 > bench.time.wall() } == (calls > 0 ? true : nil), "a limit of 0 leaves nothing later either")
  }

  @Test("limit each user to the user's share, and all users together to the limit")
  func shares() async {
    let bench = Bench(BudgetLimits(callsPerDay: 20, userShare: 0.4))
    #expect(await bench.drain(user: 1).sent == 8)
    #expect(await bench.drain(user: 2).sent == 8)
    let (sent, refusal) = await bench.drain(user: 3)
    #expect(sent == 4 && refusal?.reason == .calls)
  }

  @Test("leave all calls that one user does not use to the others")
  func others() async {
    let bench = Bench(BudgetLimits(callsPerDay: 9))
    guard case .success(let charge) = await bench.reserve(user: 1) else {
      Issue.record("the first call is paid")
      return
    }
    bench.budgets.settle(charge, wasSent: true)
    #expect(await bench.drain(user: 2).sent == 8)
  }

  @Test("count a user's own quota over all providers")
  func userQuota() async {
    let bench = Bench(user: UserLimits(paidCallsPerDay: 3))
    let (sent, refusal) = await bench.drain()
    #expect(sent == 3 && refusal?.reason == .userCalls && refusal?.reason.isUserQuota == true)
    #expect(await bench.drain(user: 2).sent == 3)
    let money = Bench(user: UserLimits(microsPerDay: 40_000))
    #expect(await money.drain().sent == 2)
  }

  @Test("charge nothing for a month's free calls, so that a budget of 0 still allows them")
  func freeTier() async {
    let bench = Bench(BudgetLimits(microsPerMonth: 34_000))
    let tier = PriceClass("pro", micros: 17_000, freePerMonth: 5)
    #expect(await bench.drain(price: tier).sent == 7)
    #expect(bench.budgets.report(provider: "p").month.spent == Spending(calls: 7, micros: 34_000))
  }

  @Test("do not count free calls unless calls are limited")
  func freeCalls() async {
    let bench = Bench(BudgetLimits(microsPerDay: 0))
    for _ in 0..<50 { #expect((try? await bench.reserve(nil).get()) != nil) }
    #expect(bench.ledger.state.withLock { $0.writes } == 0)
    let limited = Bench(BudgetLimits(callsPerDay: 2))
    #expect(await limited.drain(price: nil).sent == 2)
  }

  @Test("are reset with the day and the month, and never because the clock was set back")
  func periods() async {
    let bench = Bench(BudgetLimits(callsPerDay: 4, callsPerMonth: 6))
    #expect(await bench.drain().sent == 4)
    bench.time.setWall(bench.time.wall() - 40 * 86_400)
    #expect(await bench.drain().sent == 0)
    bench.time.setWall(bench.time.wall() + 40 * 86_400)
    bench.time.advance(by: 86_400)
    #expect(await bench.drain().sent == 2, "the next day, the same month")
    bench.time.advance(by: 31 * 86_400)
    #expect(await bench.drain().sent == 4)
  }

  @Test("return calls that were not sent, and what the end of a session saved")
  func givesBack() async throws {
    let bench = Bench(BudgetLimits(microsPerDay: 51_000))
    let first = try await bench.reserve().get()
    bench.budgets.settle(first, wasSent: false)
    bench.budgets.settle(first, wasSent: false)
    let charges = [try await bench.reserve().get(), try await bench.reserve().get(), try await bench.reserve().get()]
    #expect(await bench.drain().sent == 0)
    for charge in charges { bench.budgets.settle(charge, wasSent: true) }
    bench.budgets.settle(session: charges, billedMicros: 17_000)
    let report = bench.budgets.report(provider: "p")
    #expect(report.day.spent == Spending(calls: 3, micros: 17_000))
    #expect(report.saved[.sessions] == Spending(micros: 34_000))
    #expect(await bench.drain().sent == 2)
  }

  @Test("write once for all calls that wait")
  func sharedWrite() async {
    let bench = Bench()
    await bench.budgets.update()
    let requests = (0..<100 as Range<UInt32>).map { user in
      bench.simulation.start { [budgets = bench.budgets] in try? await budgets.reserve(provider: "p", price: price, user: user % 7) }
    }
    bench.simulation.settle()
    #expect(requests.allSatisfy { $0.value == nil }, "no call is sent before the ledger contains it")
    await bench.budgets.update()
    bench.simulation.settle()
    #expect(requests.allSatisfy { $0.value.flatMap { $0 } != nil })
    #expect(bench.ledger.committed("p") { _ in true }.calls == 100)
    #expect(bench.ledger.state.withLock(\.writes) == 1)
  }

  @Test("reserve only calls in progress, so that a crash uses up no others")
  func reserves() async {
    let bench = Bench(BudgetLimits(callsPerDay: 1_000))
    for calls in 1...3 {
      #expect((try? await bench.reserve().get()) != nil)
      await bench.budgets.update()
      #expect(bench.ledger.committed("p") { _ in true }.calls == calls)
    }
    #expect(await bench.drain().sent == 997)
  }

  @Test("serve a thousand concurrent callers, and end with the task")
  func manyCallers() async {
    let bench = Bench(BudgetLimits(callsPerDay: 700))
    let runner = Task { await bench.budgets.run() }
    let paid = await withTaskGroup(of: Bool.self) { group in
      for user in 0..<1_000 {
        group.addTask {
          guard let charge = try? await bench.budgets.reserve(provider: "p", price: price, user: UInt32(user % 7)) else { return false }
          bench.budgets.settle(charge, wasSent: true)
          return true
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(paid == 700)
    runner.cancel()
    await runner.value
    let all = bench.ledger.committed("p") { _ in true }
    #expect(all.calls == 700)
    #expect(bench.ledger.state.withLock { state in state.entries.values.allSatisfy { $0.reserved.isZero } })
    await #expect(throws: BudgetRefusal.self) { try await bench.budgets.reserve(provider: "p", price: price, user: 1) }
  }

  @Test("release a request that is cancelled while it waits")
  func cancelled() async {
    let bench = Bench()
    let waiting = Task { try await bench.budgets.reserve(provider: "p", price: price, user: 1) }
    waiting.cancel()
    await #expect(throws: BudgetRefusal.cancelled) { try await waiting.value }
  }
}
