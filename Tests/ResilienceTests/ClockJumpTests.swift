import PlacesKit
import PlacesTesting
import Testing

@testable import Resilience

@Suite("If the machine's clock is set, budgets")
struct ClockJumpTests {
  private static let hour = 3_600.0
  private static let day = 86_400.0
  /// 1 January 2056.
  private static let farFuture = 2_713_910_400.0

  /// Ten calls a day; the world begins at eight in the morning (UTC).
  private let bench = BudgetBench(BudgetLimits(callsPerDay: 10))

  private func sent() async -> Int { await bench.drain().sent }
  private func set(by seconds: Double) { bench.time.setWall(bench.time.wall() + seconds) }

  @Test("are not granted twice if it is set ahead by a day and back")
  func ahead() async {
    #expect(await sent() == 10)
    set(by: Self.day)
    #expect(await sent() == 0)
    set(by: -Self.day)
    #expect(await sent() == 0)
    set(by: -Self.day)
    #expect(await sent() == 0)
  }

  @Test("are renewed at its next midnight if it stays a day ahead")
  func staysAhead() async {
    #expect(await sent() == 10)
    set(by: Self.day)
    bench.simulation.pass(10 * Self.hour)
    #expect(await sent() == 0)
    bench.simulation.pass(14 * Self.hour)
    #expect(await sent() == 10)
    bench.simulation.pass(Self.day)
    #expect(await sent() == 10)
  }

  @Test("are not used up until 2056 by a clock that was set to 2056 for a time", arguments: [1, 30, 50])
  func farFuture(hours: Int) async {
    #expect(await sent() == 10)
    let before = bench.time.wall()
    bench.time.setWall(Self.farFuture)
    bench.simulation.pass(Double(hours) * Self.hour)
    #expect(await sent() <= 10)
    bench.time.setWall(before + Double(hours) * Self.hour)
    bench.simulation.pass(2 * Self.day)
    #expect(await sent() == 10, "less than two days later the budget is there again")
    bench.simulation.pass(Self.day)
    #expect(await sent() == 10)
    #expect(bench.budgets.report(provider: "p").day.endsAt < Self.farFuture)
  }

  @Test("count the same days again after it was set back")
  func back() async {
    #expect(await sent() == 10)
    let start = bench.time.wall()
    set(by: 20 * Self.day)
    bench.simulation.pass(Self.day)
    #expect(await sent() == 10)
    bench.time.setWall(start)
    #expect(await sent() == 0)
    bench.simulation.pass(15 * Self.hour)
    #expect(await sent() == 0, "the later day lasts for a day")
    bench.simulation.pass(2 * Self.hour)
    #expect(await sent() == 10)
    #expect(bench.budgets.report(provider: "p").month.spent.calls == 20, "earlier spending counts")
  }

  @Test("renew at midnight if the clock is adjusted by minutes only")
  func adjusted() async {
    #expect(await sent() == 10)
    let start = bench.time.wall()
    let midnight = Day(wall: start).end
    set(by: 300)
    bench.simulation.pass(midnight - bench.time.wall() - 60)
    #expect(await sent() == 0)
    bench.simulation.pass(120)
    #expect(await sent() == 10)
    set(by: -240)
    #expect(await sent() == 0, "an adjustment across midnight is no new day")
  }

  @Test("never grant more than two days' calls in 23¾ hours, however often it is set", arguments: 0..<20)
  func random(seed: Int) async {
    var random = SeededRandom(seed: UInt64(seed))
    var sent: [(at: Double, calls: Int)] = []
    for _ in 0..<60 {
      if Bool.random(using: &random) { set(by: Double.random(in: -10 * Self.day...10 * Self.day, using: &random)) }
      bench.simulation.pass(Double.random(in: 0...8 * Self.hour, using: &random))
      sent.append((bench.time.monotonic(), await self.sent()))
    }
    for first in sent {
      let window = sent.filter { $0.at >= first.at && $0.at < first.at + BudgetClock.minDayLength }
      #expect(window.reduce(0) { $0 + $1.calls } <= 20)
    }
    #expect(sent.reduce(0) { $0 + $1.calls } >= 40, "the budget is renewed nevertheless")
  }

  @Test("continue after a restart without a change, and after a reboot with the later day")
  func restarts() {
    let wall = bench.time.wall()
    var clock = BudgetClock(wall: wall, monotonic: 1_000)
    let latest = clock.time(wall: wall + Self.day, monotonic: 1_010)
    #expect(Day(wall: latest) == Day(wall: wall))
    let history = LedgerAmounts(latestTime: latest, dayStart: clock.dayStart)
    var restarted = BudgetClock(after: history, wall: wall + Self.day, monotonic: 1_020)
    #expect(Day(wall: restarted.time(wall: wall + Self.day, monotonic: 1_020)) == Day(wall: wall))
    let rebooted = LedgerAmounts(latestTime: wall, dayStart: nil)
    var later = BudgetClock(after: rebooted, wall: wall + Self.day, monotonic: 5)
    #expect(Day(wall: later.time(wall: wall + Self.day, monotonic: 5)) == Day(wall: wall + Self.day))
    var earlier = BudgetClock(after: rebooted, wall: wall - 3 * Self.day, monotonic: 5)
    #expect(Day(wall: earlier.time(wall: wall - 3 * Self.day, monotonic: 5)) == Day(wall: wall))
    #expect(Day(wall: earlier.time(wall: wall - Self.day, monotonic: 5 + 2 * Self.day)) == Day(wall: wall - Self.day))
    #expect(earlier.hasGoneBackwards)
  }

  @Test("count what was spent on days that the clock reached before it was set back")
  func laterDays() {
    let today = Day(wall: bench.time.wall())
    let ahead = Day(today.number + 5)
    let entry = LedgerChange(spent: Spending(calls: 60, micros: 0))
    var totals = SpendingTotals(
      LedgerAmounts(entries: [LedgerKey(provider: "p", user: 1, priceClass: "", day: ahead): entry], latestTime: today.start))
    for number in today.number...ahead.number {
      totals.advance(to: Day(number).start)
      let refusal = totals.refusal(
        of: PriceClass("", micros: 0), provider: "p", user: 1, limits: BudgetLimits(callsPerDay: 60), userLimits: UserLimits())
      #expect((refusal != nil) == (number == ahead.number))
    }
  }
}
