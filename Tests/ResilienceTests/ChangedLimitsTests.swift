import PlacesKit
import PlacesTesting
import Testing

@testable import Resilience

private typealias Bench = BudgetBench
private let price = BudgetBench.price

@Suite("Limits that change")
struct ChangedLimitsTests {
  private static let none = ["p": BudgetLimits(callsPerDay: 0)]

  @Test("release reserved calls immediately, also in the ledger")
  func lowered() async {
    let bench = Bench(BudgetLimits(callsPerDay: 1_000))
    guard case .success(let charge) = await bench.reserve() else {
      Issue.record("the first call is paid")
      return
    }
    await bench.budgets.update()
    #expect(bench.ledger.committed("p") { _ in true }.calls > 1, "calls are set aside")
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
  func unsent() throws {
    let key = ReservationLedger.BlockKey(provider: "p", user: 1, priceClass: price.name)
    var reservations = ReservationLedger(SpendingTotals(), blockSize: 8)
    func write(_ limit: Int) -> ReservationLedger.PendingWrite {
      reservations.beginWrite(
        [key: ReservationLedger.Demand(price: price, waitingCount: 1)], limits: { _ in BudgetLimits(callsPerDay: limit) },
        userLimits: UserLimits(), now: 0,
        wall: 0)
    }
    reservations.complete(write(1))
    let drawn = reservations.reserve(key, price: price, now: 0, wall: 0)
    let charge = try #require(drawn).reservation
    reservations.applyNewLimits()
    let refusing = write(0)
    // Its block is there until that is written.
    reservations.settle(charge, wasSent: false)
    reservations.complete(refusing)
    let another = reservations.reserve(key, price: price, now: 0, wall: 0)
    #expect(another == nil)
    let rest = write(0)
    #expect(rest.transaction.entries.values.map(\.reserved) == [Spending(calls: -1, micros: -price.micros)])
  }

  @Test("that are unchanged do not release reserved calls")
  func same() async {
    let limits = BudgetLimits(callsPerDay: 1_000)
    let bench = Bench(limits)
    #expect((try? await bench.reserve().get()) != nil)
    await bench.budgets.update()
    let writes = bench.ledger.state.withLock(\.writes)
    bench.budgets.configure(limits: ["p": limits], userLimits: UserLimits())
    await bench.budgets.update()
    #expect(bench.ledger.state.withLock(\.writes) == writes)
  }
}
