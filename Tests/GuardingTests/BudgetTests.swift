@testable import Guarding
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

/// A ledger in memory that fails when told to, and after an error has the page or not, as a disk would.
final class FakeLedger: SpendingLedger {
  struct State {
    var entries: [LedgerKey: LedgerChange] = [:]
    var savings: [SavingKey: Spending] = [:]
    var latest = 0.0
    var failing = false
    var unconfirmed = false
    /// What it holds although it must be confirmed.
    var kept: LedgerHistory?
    var writes = 0
    var random = SeededRandom(seed: 9)
  }
  let state = Mutex(State())

  func load() async throws(LedgerError) -> LedgerHistory {
    try attempt { state in
      if state.unconfirmed { return nil }
      for (key, entry) in state.entries { state.entries[key] = LedgerChange(spent: entry.committed) }
      return LedgerHistory(entries: state.entries, savings: state.savings, latest: state.latest)
    }
  }

  func awaitingConfirmation() async -> LedgerHistory? { state.withLock(\.kept) }

  func write(_ page: LedgerPage) async throws(LedgerError) {
    let failure = state.withLock { state -> Bool in
      let fails = state.failing
      // A failed write may have happened all the same.
      if !fails || Bool.random(using: &state.random) {
        for (key, change) in page.changes { state.entries[key, default: LedgerChange()] += change }
        for (key, amount) in page.savings { state.savings[key, default: .zero] += amount }
        state.latest = max(state.latest, page.latest)
      }
      state.writes += 1
      return fails
    }
    if failure { throw .unavailable("disk full") }
  }

  private func attempt<R: Sendable>(_ body: @Sendable (inout State) -> R?) throws(LedgerError) -> R {
    let result = state.withLock { state -> R? in state.failing ? nil : body(&state) }
    guard let result else {
      throw state.withLock { $0.unconfirmed } ? .unconfirmed("the ledger is gone") : .unavailable("disk full")
    }
    return result
  }

  /// Everything that the ledger has down for a provider on a day or in a month.
  func committed(_ provider: String, _ matches: (Day) -> Bool, user: UInt32? = nil) -> Spending {
    state.withLock { state in
      state.entries.reduce(.zero) { sum, entry in
        guard entry.key.provider == provider, matches(entry.key.day), user.map({ $0 == entry.key.user }) ?? true else { return sum }
        return sum + entry.value.committed
      }
    }
  }
}

private let price = PriceClass("pro", micros: 17_000)

private final class Answer: Sendable {
  private let result = Mutex<Result<Charge, BudgetRefusal>?>(nil)
  var value: Result<Charge, BudgetRefusal>? { result.withLock { $0 } }
  func set(_ value: Result<Charge, BudgetRefusal>) { result.withLock { $0 = value } }
}

/// A treasury whose turns the test takes itself, so that nothing happens by chance.
private struct Bench {
  let ledger = FakeLedger()
  let time = ManualTime()
  let treasury: Treasury

  init(_ limits: BudgetLimits = BudgetLimits(), user: UserLimits = UserLimits(), block: Int = 8) {
    treasury = Treasury(ledger: ledger, limits: ["p": limits], userLimits: user, block: block, time: time, log: { _, _ in })
  }

  func reserve(_ price: PriceClass? = price, user: UInt32 = 1) async -> Result<Charge, BudgetRefusal> {
    let answer = Answer()
    let caller = Task { [treasury] in
      do throws(BudgetRefusal) {
        answer.set(.success(try await treasury.reserve(provider: "p", price: price, user: user)))
      } catch { answer.set(.failure(error)) }
    }
    while answer.value == nil {
      await treasury.turn()
      await Task.yield()
    }
    await caller.value
    return answer.value ?? .failure(.cancelled)
  }

  /// Why a call is refused; nil where it is not.
  func refusal(_ price: PriceClass? = price) async -> BudgetRefusal? {
    if case .failure(let refusal) = await reserve(price) { refusal } else { nil }
  }

  /// Reserves and sends calls until one is refused; how many were sent, and the refusal.
  func drain(user: UInt32 = 1, price: PriceClass? = price) async -> (sent: Int, refusal: BudgetRefusal?) {
    for sent in 0..<10_000 {
      switch await reserve(price, user: user) {
      case .success(let charge): treasury.settle(charge, .sent)
      case .failure(let refusal): return (sent, refusal)
      }
    }
    return (10_000, nil)
  }
}

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
    #expect(refusal?.resumesAt.map { $0 > bench.time.wall() } == true)
  }

  @Test("keep each user to his share, and all users to the whole")
  func shares() async {
    let bench = Bench(BudgetLimits(callsPerDay: 20, userShare: 0.4))
    #expect(await bench.drain(user: 1).sent == 8)
    #expect(await bench.drain(user: 2).sent == 8)
    let (sent, refusal) = await bench.drain(user: 3)
    #expect(sent == 4 && refusal?.reason == .calls)
  }

  @Test("take idle calls out of others' purses before they refuse anybody")
  func reclaim() async {
    let bench = Bench(BudgetLimits(callsPerDay: 9), block: 8)
    guard case .success(let charge) = await bench.reserve(user: 1) else {
      Issue.record("the first call is paid")
      return
    }
    bench.treasury.settle(charge, .sent)
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

  @Test("charge nothing for a month's free calls, so that a budget of nothing still has those")
  func freeTier() async {
    let bench = Bench(BudgetLimits(microsPerMonth: 34_000))
    let tier = PriceClass("pro", micros: 17_000, freePerMonth: 5)
    #expect(await bench.drain(price: tier).sent == 7)
    #expect(bench.treasury.report(provider: "p").month.spent == Spending(calls: 7, micros: 34_000))
  }

  @Test("do not count free calls unless calls are limited")
  func freeCalls() async {
    let bench = Bench(BudgetLimits(microsPerDay: 0))
    for _ in 0..<50 { #expect((try? await bench.reserve(nil).get()) != nil) }
    #expect(bench.ledger.state.withLock { $0.writes } == 0)
    let limited = Bench(BudgetLimits(callsPerDay: 2))
    #expect(await limited.drain(price: nil).sent == 2)
  }

  @Test("begin anew with the day and the month, and never because the clock was set back")
  func periods() async {
    let bench = Bench(BudgetLimits(callsPerDay: 4, callsPerMonth: 6))
    #expect(await bench.drain().sent == 4)
    bench.time.setWall(bench.time.wall() - 40 * 86_400)
    #expect(await bench.drain().sent == 0)
    bench.time.setWall(bench.time.wall() + 41 * 86_400)
    #expect(await bench.drain().sent == 2, "the next day, the same month")
    bench.time.setWall(bench.time.wall() + 31 * 86_400)
    #expect(await bench.drain().sent == 4)
  }

  @Test("give back calls that were never sent, and what a session's ending saved")
  func givesBack() async throws {
    let bench = Bench(BudgetLimits(microsPerDay: 51_000))
    let first = try await bench.reserve().get()
    bench.treasury.settle(first, .unsent)
    bench.treasury.settle(first, .unsent)
    let charges = [try await bench.reserve().get(), try await bench.reserve().get(), try await bench.reserve().get()]
    #expect(await bench.drain().sent == 0)
    for charge in charges { bench.treasury.settle(charge, .sent) }
    bench.treasury.endSession(charges, billedMicros: 17_000)
    let report = bench.treasury.report(provider: "p")
    #expect(report.day.spent == Spending(calls: 3, micros: 17_000))
    #expect(report.saved[.sessions] == Spending(micros: 34_000))
    #expect(await bench.drain().sent == 2)
  }

  @Test("write once for a block of calls")
  func blocks() async {
    let bench = Bench(block: 10)
    let runner = Task { await bench.treasury.run() }
    for _ in 0..<100 {
      guard let charge = try? await bench.treasury.reserve(provider: "p", price: price, user: 1) else { continue }
      bench.treasury.settle(charge, .sent)
    }
    runner.cancel()
    await runner.value
    #expect(bench.ledger.committed("p") { _ in true }.calls == 100)
    // Ten blocks, and settlements whenever the writer comes by, which depends on how the two tasks take turns.
    #expect(bench.ledger.state.withLock { $0.writes } <= 50)
  }

  @Test(
    "lay up no more than a small part of what is left, so that a crash cannot eat a small one", arguments: [(7, 1), (40, 3), (1_000, 9)])
  func reserves(limit: Int, committed: Int) async {
    let bench = Bench(BudgetLimits(callsPerDay: limit))
    #expect((try? await bench.reserve().get()) != nil)
    await bench.treasury.turn()
    #expect(bench.ledger.committed("p") { _ in true }.calls == committed)
    #expect(await bench.drain().sent == limit - 1)
  }

  @Test("are reported once the ledger is read, also when it was read in vain before")
  func reportedWhenRead() async {
    let bench = Bench(BudgetLimits(callsPerDay: 5))
    let key = LedgerKey(provider: "p", user: 1, priceClass: "pro", day: Day(wall: bench.time.wall()))
    bench.ledger.state.withLock { state in
      state.entries[key] = LedgerChange(spent: Spending(calls: 5))
      (state.latest, state.unconfirmed) = (bench.time.wall(), true)
    }
    func reported() async -> Int {
      let reader = Task { [treasury = bench.treasury] in
        #expect(await treasury.loaded())
        return treasury.report(provider: "p").day.spent.calls
      }
      for _ in 0..<50 { await Task.yield() }
      await bench.treasury.turn()
      return await reader.value
    }
    #expect(await reported() == 0)
    bench.ledger.state.withLock { $0.kept = LedgerHistory(entries: $0.entries, latest: $0.latest) }
    await bench.treasury.turn()
    #expect(await reported() == 5, "what would be in force")
    #expect(bench.treasury.failure != nil)
    bench.ledger.state.withLock { ($0.unconfirmed, $0.kept) = (false, nil) }
    bench.treasury.reload()
    #expect(await reported() == 5)
    #expect(bench.treasury.failure == nil)
  }

  @Test("are not waited for without end where the disk does not answer", .timeLimit(.minutes(1)))
  func slowDisk() async {
    let bench = Bench()
    let isLoaded = Task { [treasury = bench.treasury] in await treasury.loaded() }
    while bench.time.sleepers == 0 { await Task.yield() }
    bench.time.advance(by: Treasury.patience)
    #expect(await !isLoaded.value)
    let cancelled = Task { [treasury = bench.treasury] in await treasury.loaded() }
    while bench.time.sleepers == 0 { await Task.yield() }
    cancelled.cancel()
    #expect(await !cancelled.value)
    await bench.treasury.turn()
    #expect(await bench.treasury.loaded())
  }

  @Test("are put by ahead of the first call, once, and within the limit")
  func prepared() async {
    let bench = Bench(BudgetLimits(callsPerDay: 80))
    await bench.treasury.turn()
    for _ in 0..<3 { bench.treasury.prepare(provider: "p", price: price, user: 1) }
    await bench.treasury.turn()
    #expect(bench.ledger.committed("p") { _ in true }.calls == 5)
    let writes = bench.ledger.state.withLock(\.writes)
    bench.treasury.prepare(provider: "p", price: price, user: 1)
    await bench.treasury.turn()
    #expect(bench.ledger.state.withLock(\.writes) == writes, "nothing was left to put by")
    #expect(await bench.drain().sent == 80)
    // What was put by is another day's now.
    bench.time.setWall(bench.time.wall() + 86_400)
    bench.treasury.prepare(provider: "p", price: price, user: 1)
    await bench.treasury.turn()
    let today = Day(wall: bench.time.wall())
    #expect(bench.ledger.committed("p") { $0 == today }.calls == 5)
    // So is what nobody took, which is given back.
    bench.time.setWall(bench.time.wall() + 86_400)
    bench.treasury.prepare(provider: "p", price: price, user: 1)
    await bench.treasury.turn()
    let tomorrow = Day(wall: bench.time.wall())
    #expect(bench.ledger.committed("p") { $0 == tomorrow }.calls == 5)
    #expect(bench.ledger.committed("p") { $0 == today }.calls == 0)
  }

  @Test("refuse paid calls while the ledger fails, let free ones through, and recover")
  func failing() async {
    let bench = Bench()
    #expect((try? await bench.reserve().get()) != nil)
    bench.ledger.state.withLock { $0.failing = true }
    #expect(await bench.drain().refusal?.reason == .ledger)
    #expect(bench.treasury.failure != nil)
    let known = bench.treasury.report(provider: "p").day
    #expect(known.spent.calls + known.reserved.calls > 0, "what was known before is still reported")
    #expect((try? await bench.reserve(nil).get()) != nil)
    bench.ledger.state.withLock { $0.failing = false }
    await bench.treasury.turn()
    #expect((try? await bench.reserve().get()) != nil)
    #expect(bench.treasury.failure == nil)
  }

  @Test("count free calls in memory while the ledger fails, keep their limit, and write them down when it is back")
  func failingFree() async {
    let bench = Bench(BudgetLimits(callsPerDay: 5))
    #expect((try? await bench.reserve(nil).get()) != nil)
    bench.ledger.state.withLock { $0.failing = true }
    // What was reserved may have been spent.
    let left = 5 - bench.ledger.committed("p") { _ in true }.calls
    let drained = await bench.drain(price: nil)
    #expect(drained.sent >= left && drained.sent <= 4 && drained.refusal?.reason == .calls, "\(drained)")
    #expect(await bench.refusal()?.reason == .ledger, "a paid call needs the ledger")
    await bench.treasury.turn()
    #expect(await bench.refusal(nil)?.reason == .calls, "another failure forgets nothing")
    bench.ledger.state.withLock { $0.failing = false }
    await bench.treasury.turn()
    // A write that failed may have been done, and its call counts as well.
    let committed = bench.ledger.committed("p") { _ in true }.calls
    #expect(committed >= 1 + drained.sent && committed <= 6)
    #expect(await bench.refusal(nil)?.reason == .calls)
  }

  @Test("count a free call in memory as it ends: one that was not sent not at all, one of three requests as three")
  func settledFree() async {
    let bench = Bench(BudgetLimits(callsPerDay: 4))
    bench.ledger.state.withLock { $0.unconfirmed = true }
    await bench.treasury.turn()
    for _ in 0..<9 {
      guard let charge = try? await bench.reserve(nil).get() else { return #expect(Bool(false), "nothing was sent, and nothing is left") }
      bench.treasury.settle(charge, .unsent)
      bench.treasury.settle(charge, .unsent)
    }
    guard let early = try? await bench.reserve(nil).get(), let late = try? await bench.reserve(nil).get() else {
      return #expect(Bool(false), "calls that were not sent count")
    }
    bench.treasury.settle(early, .sent, requests: 3)
    #expect(await bench.refusal(nil)?.reason == .calls)
    bench.ledger.state.withLock { $0.unconfirmed = false }
    bench.treasury.reload()
    await bench.treasury.turn()
    // It ends when the ledger was back, and has failed again.
    bench.ledger.state.withLock { $0.unconfirmed = true }
    bench.treasury.reload()
    await bench.treasury.turn()
    bench.treasury.settle(late, .unsent)
    bench.ledger.state.withLock { $0.unconfirmed = false }
    bench.treasury.reload()
    await bench.treasury.turn()
    #expect(bench.ledger.committed("p") { _ in true }.calls == 3)
  }

  @Test("let free calls with a limit through before a strange ledger is confirmed")
  func unconfirmedFree() async {
    let bench = Bench(BudgetLimits(callsPerDay: 2))
    bench.ledger.state.withLock { $0.unconfirmed = true }
    let drained = await bench.drain(price: nil)
    #expect(drained.sent == 2 && drained.refusal?.reason == .calls, "\(drained)")
    #expect(await bench.refusal()?.reason == .unconfirmed)
    bench.ledger.state.withLock { $0.unconfirmed = false }
    bench.treasury.reload()
    await bench.treasury.turn()
    #expect(await bench.refusal(nil)?.reason == .calls)
    #expect(bench.ledger.committed("p") { _ in true }.calls == 2)
  }

  @Test("refuse paid calls until a strange ledger is confirmed")
  func unconfirmed() async {
    let bench = Bench()
    bench.ledger.state.withLock { $0.unconfirmed = true }
    #expect(await bench.drain().refusal?.reason == .unconfirmed)
    bench.ledger.state.withLock { $0.unconfirmed = false }
    bench.treasury.reload()
    await bench.treasury.turn()
    #expect((try? await bench.reserve().get()) != nil)
  }

  @Test("serve a thousand callers at once, give back idle calls at the end, and end with the task")
  func manyCallers() async {
    let bench = Bench(BudgetLimits(callsPerDay: 700))
    let runner = Task { await bench.treasury.run() }
    let paid = await withTaskGroup(of: Bool.self) { group in
      for user in 0..<1_000 {
        group.addTask {
          guard let charge = try? await bench.treasury.reserve(provider: "p", price: price, user: UInt32(user % 7)) else { return false }
          bench.treasury.settle(charge, .sent)
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
    await #expect(throws: BudgetRefusal.self) { try await bench.treasury.reserve(provider: "p", price: price, user: 1) }
  }

  @Test("let a caller go who does not want to wait any more")
  func cancelled() async {
    let bench = Bench()
    let waiting = Task { try await bench.treasury.reserve(provider: "p", price: price, user: 1) }
    waiting.cancel()
    await #expect(throws: BudgetRefusal.cancelled) { try await waiting.value }
  }
}
