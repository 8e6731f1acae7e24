@testable import Resilience
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

private typealias Bench = BudgetBench

@Suite("Budgets whose ledger fails, or is not read yet")
struct LedgerFailureTests {
  @Test("are reported once the ledger is read, also after a first read that failed")
  func reportedWhenRead() async {
    let bench = Bench(BudgetLimits(callsPerDay: 5))
    let key = LedgerKey(provider: "p", user: 1, priceClass: "pro", day: Day(wall: bench.time.wall()))
    bench.ledger.state.withLock { state in
      state.entries[key] = LedgerChange(spent: Spending(calls: 5))
      (state.latest, state.unconfirmed) = (bench.time.wall(), true)
    }
    func reported() async -> Int? {
      let reader = bench.simulation.start { [budgets = bench.budgets] in
        #expect(await budgets.waitUntilLoaded())
        return budgets.report(provider: "p").day.spent.calls
      }
      bench.simulation.settle()
      await bench.budgets.update()
      return bench.simulation.finish(reader)
    }
    #expect(await reported() == 0)
    bench.ledger.state.withLock { $0.kept = LedgerAmounts(entries: $0.entries, latestTime: $0.latest) }
    await bench.budgets.update()
    #expect(await reported() == 5, "the value that would be in force")
    #expect(bench.budgets.failure != nil)
    bench.ledger.state.withLock { ($0.unconfirmed, $0.kept) = (false, nil) }
    bench.budgets.reload()
    #expect(await reported() == 5)
    #expect(bench.budgets.failure == nil)
  }

  @Test("are not waited for indefinitely if the disk does not answer")
  func slowDisk() async {
    let bench = Bench()
    #expect(!bench.budgets.isLoaded)
    let isLoaded = bench.simulation.start { [budgets = bench.budgets] in await budgets.waitUntilLoaded() }
    bench.simulation.pass(BudgetService.ledgerTimeout)
    #expect(isLoaded.value == false)
    let cancelled = bench.simulation.start { [budgets = bench.budgets] in await budgets.waitUntilLoaded() }
    bench.simulation.settle()
    cancelled.cancel()
    bench.simulation.settle()
    #expect(cancelled.value == false)
    await bench.budgets.update()
    #expect(await bench.budgets.waitUntilLoaded())
    #expect(bench.budgets.isLoaded)
  }

  @Test("keep the savings that are recorded meanwhile, and write them once")
  func savings() async {
    let bench = Bench()
    let key = SavingKey(provider: "p", user: 1, day: Day(wall: bench.time.wall()), cause: .cache)
    func save() { bench.budgets.recordSaving(Spending(calls: 1, micros: 17), provider: "p", user: 1, by: .cache) }
    await bench.budgets.update()
    bench.ledger.state.withLock { $0.failing = true }
    #expect(await bench.drain().refusal?.reason == .ledger)
    save()
    await bench.budgets.update()
    save()
    bench.ledger.state.withLock { $0.failing = false }
    for _ in 0..<3 {
      await bench.budgets.update()
      #expect(bench.ledger.state.withLock { $0.savings } == [key: Spending(calls: 2, micros: 34)])
      #expect(bench.budgets.state.withLock { $0.reservations.totals.savings } == [key: Spending(calls: 2, micros: 34)])
    }
  }

  @Test("write the savings of a failed write once, whether it was done or not")
  func savingsOfFailedWrite() async {
    let bench = Bench()
    let key = SavingKey(provider: "p", user: 1, day: Day(wall: bench.time.wall()), cause: .cache)
    func written() -> Int { bench.ledger.state.withLock { $0.savings[key]?.calls ?? 0 } }
    await bench.budgets.update()
    var outcomes: Set<Bool> = []
    for count in 1...20 {
      bench.budgets.recordSaving(Spending(calls: 1, micros: 17), provider: "p", user: 1, by: .cache)
      bench.ledger.state.withLock { $0.failing = true }
      for _ in 0..<2 { await bench.budgets.update() }
      outcomes.insert(written() == count)
      bench.ledger.state.withLock { $0.failing = false }
      await bench.budgets.update()
      #expect(written() == count)
      #expect(bench.budgets.report(provider: "p").saved[.cache] == Spending(calls: count, micros: 17 * count))
    }
    #expect(outcomes.count == 2)
  }

  @Test("refuse paid calls while the ledger fails, admit free ones, and recover")
  func failing() async {
    let bench = Bench()
    #expect((try? await bench.reserve().get()) != nil)
    bench.ledger.state.withLock { $0.failing = true }
    #expect(await bench.drain().refusal?.reason == .ledger)
    #expect(bench.budgets.failure != nil)
    let known = bench.budgets.report(provider: "p").day
    #expect(known.spent.calls + known.reserved.calls > 0, "earlier totals are still reported")
    #expect((try? await bench.reserve(nil).get()) != nil)
    bench.ledger.state.withLock { $0.failing = false }
    await bench.budgets.update()
    #expect((try? await bench.reserve().get()) != nil)
    #expect(bench.budgets.failure == nil)
  }

  @Test("count free calls in memory while the ledger fails, keep their limit, and write them when it is back")
  func failingFree() async {
    let bench = Bench(BudgetLimits(callsPerDay: 5))
    #expect((try? await bench.reserve(nil).get()) != nil)
    bench.ledger.state.withLock { $0.failing = true }
    // Reserved calls may have been spent.
    let left = 5 - bench.ledger.committed("p") { _ in true }.calls
    let drained = await bench.drain(price: nil)
    #expect(drained.sent >= left && drained.sent <= 4 && drained.refusal?.reason == .calls, "\(drained)")
    #expect(await bench.refusal()?.reason == .ledger, "a paid call needs the ledger")
    await bench.budgets.update()
    #expect(await bench.refusal(nil)?.reason == .calls, "another failure forgets nothing")
    bench.ledger.state.withLock { $0.failing = false }
    await bench.budgets.update()
    // A write that failed may have been done, and its call counts as well.
    let committed = bench.ledger.committed("p") { _ in true }.calls
    #expect(committed >= 1 + drained.sent && committed <= 6)
    #expect(await bench.refusal(nil)?.reason == .calls)
  }

  @Test("count a free call in memory if it was sent, and not if it was not")
  func settledFree() async {
    let bench = Bench(BudgetLimits(callsPerDay: 4))
    bench.ledger.state.withLock { $0.unconfirmed = true }
    await bench.budgets.update()
    for _ in 0..<9 {
      guard let charge = try? await bench.reserve(nil).get() else { return #expect(Bool(false), "nothing was sent, and nothing is left") }
      bench.budgets.settle(charge, wasSent: false)
      bench.budgets.settle(charge, wasSent: false)
    }
    for _ in 0..<3 {
      guard let early = try? await bench.reserve(nil).get() else { return #expect(Bool(false), "calls that were not sent count") }
      bench.budgets.settle(early, wasSent: true)
    }
    guard let late = try? await bench.reserve(nil).get() else { return #expect(Bool(false), "calls that were not sent count") }
    #expect(await bench.refusal(nil)?.reason == .calls)
    bench.ledger.state.withLock { $0.unconfirmed = false }
    bench.budgets.reload()
    await bench.budgets.update()
    // It ends when the ledger was back, and has failed again.
    bench.ledger.state.withLock { $0.unconfirmed = true }
    bench.budgets.reload()
    await bench.budgets.update()
    bench.budgets.settle(late, wasSent: false)
    bench.ledger.state.withLock { $0.unconfirmed = false }
    bench.budgets.reload()
    await bench.budgets.update()
    #expect(bench.ledger.committed("p") { _ in true }.calls == 3)
  }

  @Test("admit free calls with a limit before a damaged ledger is confirmed")
  func unconfirmedFree() async {
    let bench = Bench(BudgetLimits(callsPerDay: 2))
    bench.ledger.state.withLock { $0.unconfirmed = true }
    let drained = await bench.drain(price: nil)
    #expect(drained.sent == 2 && drained.refusal?.reason == .calls, "\(drained)")
    #expect(await bench.refusal()?.reason == .unconfirmed)
    bench.ledger.state.withLock { $0.unconfirmed = false }
    bench.budgets.reload()
    await bench.budgets.update()
    #expect(await bench.refusal(nil)?.reason == .calls)
    #expect(bench.ledger.committed("p") { _ in true }.calls == 2)
  }

  @Test("refuse paid calls until a damaged ledger is confirmed")
  func unconfirmed() async {
    let bench = Bench()
    bench.ledger.state.withLock { $0.unconfirmed = true }
    #expect(await bench.drain().refusal?.reason == .unconfirmed)
    bench.ledger.state.withLock { $0.unconfirmed = false }
    bench.budgets.reload()
    await bench.budgets.update()
    #expect((try? await bench.reserve().get()) != nil)
  }
}
