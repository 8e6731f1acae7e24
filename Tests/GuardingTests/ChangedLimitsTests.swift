import PlacesKit
import PlacesTesting
import Testing

@testable import Guarding

private typealias Bench = TreasuryBench
private let price = TreasuryBench.price

@Suite("Limits that change")
struct ChangedLimitsTests {
  private static let none = ["p": BudgetLimits(callsPerDay: 0)]

  @Test("take back what was set aside, at once and in the ledger")
  func lowered() async {
    let bench = Bench(BudgetLimits(callsPerDay: 1_000))
    guard case .success(let charge) = await bench.reserve() else {
      Issue.record("the first call is paid")
      return
    }
    await bench.treasury.turn()
    #expect(bench.ledger.committed("p") { _ in true }.calls > 1, "calls are set aside")
    bench.treasury.configure(limits: Self.none, userLimits: UserLimits())
    #expect(await bench.drain().sent == 0)
    #expect(bench.ledger.committed("p") { _ in true } == Spending(calls: 1, micros: price.micros))
    bench.treasury.settle(charge, .sent)
    await bench.treasury.turn()
    #expect(bench.ledger.committed("p") { _ in true } == Spending(calls: 1, micros: price.micros))
  }

  @Test("leave as many calls as the new one pays for", arguments: [3, 12, 2_000])
  func moved(limit: Int) async {
    let bench = Bench(BudgetLimits(callsPerDay: 1_000))
    guard case .success(let charge) = await bench.reserve() else {
      Issue.record("the first call is paid")
      return
    }
    bench.treasury.settle(charge, .sent)
    bench.treasury.configure(limits: ["p": BudgetLimits(callsPerDay: limit)], userLimits: UserLimits())
    #expect(await bench.drain().sent == limit - 1)
  }

  @Test("hold for a user's quota too")
  func quota() async {
    let bench = Bench(user: UserLimits(paidCallsPerDay: 100))
    #expect((try? await bench.reserve().get()) != nil)
    bench.treasury.configure(limits: [:], userLimits: UserLimits(paidCallsPerDay: 1))
    let (sent, refusal) = await bench.drain()
    #expect(sent == 0 && refusal?.reason == .userCalls)
  }

  @Test("hold for calls that were being set aside when they came")
  func meanwhile() async {
    let bench = Bench(BudgetLimits(callsPerDay: 1_000))
    await bench.treasury.turn()
    bench.ledger.state.withLock {
      $0.meanwhile = { [treasury = bench.treasury] in treasury.configure(limits: Self.none, userLimits: UserLimits()) }
    }
    #expect(await bench.drain().sent == 0)
    await bench.treasury.turn()
    #expect(bench.ledger.committed("p") { _ in true } == .zero)
  }

  @Test("hold for a call that comes back unsent while somebody is being refused")
  func unsent() throws {
    let key = Books.PurseKey(provider: "p", user: 1, priceClass: price.name)
    var books = Books(LedgerHistory(), block: 8, idleSeconds: 600)
    func turn(_ limit: Int) -> Books.Turn {
      books.turn(
        [key: Books.Demand(price: price, waiting: 1)], limits: { _ in BudgetLimits(callsPerDay: limit) }, userLimits: UserLimits(), now: 0,
        wall: 0)
    }
    books.complete(turn(1))
    let drawn = books.draw(key, price: price, now: 0, wall: 0)
    let charge = try #require(drawn).charge
    books.giveBack()
    let refusing = turn(0)
    // His purse is there until that is written.
    books.settle(charge, .unsent)
    books.complete(refusing)
    let another = books.draw(key, price: price, now: 0, wall: 0)
    #expect(another == nil)
    let rest = turn(0)
    #expect(rest.page.changes.values.map(\.reserved) == [Spending(calls: -1, micros: -price.micros)])
  }

  @Test("are none where they are the same: what is set aside stays")
  func same() async {
    let limits = BudgetLimits(callsPerDay: 1_000)
    let bench = Bench(limits)
    #expect((try? await bench.reserve().get()) != nil)
    await bench.treasury.turn()
    let writes = bench.ledger.state.withLock(\.writes)
    bench.treasury.configure(limits: ["p": limits], userLimits: UserLimits())
    await bench.treasury.turn()
    #expect(bench.ledger.state.withLock(\.writes) == writes)
  }
}
