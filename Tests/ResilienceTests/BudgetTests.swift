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

  @Test("return other users' idle blocks before they refuse a call")
  func reclaim() async {
    let bench = Bench(BudgetLimits(callsPerDay: 9), blockSize: 8)
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
    #expect(sent == 3 && refusal?.reason == .userCalls && refusal?.reason.isUsersOwn == true)
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

  @Test("write once for a block of calls")
  func blocks() async {
    let bench = Bench(blockSize: 10)
    let runner = Task { await bench.budgets.run() }
    for _ in 0..<100 {
      guard let charge = try? await bench.budgets.reserve(provider: "p", price: price, user: 1) else { continue }
      bench.budgets.settle(charge, wasSent: true)
    }
    runner.cancel()
    await runner.value
    #expect(bench.ledger.committed("p") { _ in true }.calls == 100)
    // Ten blocks, and settlements with each write, whose number depends on how the two tasks are scheduled.
    #expect(bench.ledger.state.withLock { $0.writes } <= 50)
  }

  @Test(
    "set aside no more than a small part of what is left, so that a crash cannot use up a small budget",
    arguments: [(7, 1), (40, 3), (1_000, 9)])
  func reserves(limit: Int, committed: Int) async {
    let bench = Bench(BudgetLimits(callsPerDay: limit))
    #expect((try? await bench.reserve().get()) != nil)
    await bench.budgets.update()
    #expect(bench.ledger.committed("p") { _ in true }.calls == committed)
    #expect(await bench.drain().sent == limit - 1)
  }

  @Test("are reserved ahead of the first call, once, and within the limit")
  func prepared() async {
    let bench = Bench(BudgetLimits(callsPerDay: 80))
    await bench.budgets.update()
    for _ in 0..<3 { bench.budgets.reserveAhead(provider: "p", price: price, user: 1) }
    await bench.budgets.update()
    #expect(bench.ledger.committed("p") { _ in true }.calls == 5)
    let writes = bench.ledger.state.withLock(\.writes)
    bench.budgets.reserveAhead(provider: "p", price: price, user: 1)
    await bench.budgets.update()
    #expect(bench.ledger.state.withLock(\.writes) == writes, "nothing more was set aside")
    #expect(await bench.drain().sent == 80)
    // The prepaid calls are now of another day.
    bench.time.advance(by: 86_400)
    bench.budgets.reserveAhead(provider: "p", price: price, user: 1)
    await bench.budgets.update()
    let today = Day(wall: bench.time.wall())
    #expect(bench.ledger.committed("p") { $0 == today }.calls == 5)
    // The unused calls are returned.
    bench.time.advance(by: 86_400)
    bench.budgets.reserveAhead(provider: "p", price: price, user: 1)
    await bench.budgets.update()
    let tomorrow = Day(wall: bench.time.wall())
    #expect(bench.ledger.committed("p") { $0 == tomorrow }.calls == 5)
    #expect(bench.ledger.committed("p") { $0 == today }.calls == 0)
  }

  @Test("serve a thousand concurrent callers, return idle blocks at the end, and end with the task")
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
