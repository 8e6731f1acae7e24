import Foundation  // The environment's PLACES_PROVE.
@testable import Resilience
import PlacesKit
import PlacesTesting
import Testing

/// The factor of random work with PLACES_PROVE=1.
let proof = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1" ? 25 : 1

@Suite("Budgets hold for random operations")
struct BudgetPropertyTests {
  /// A model in which calls, settlements, crashes of the ledger, jumps of the clock and restarts come at random.
  private struct BudgetModel {
    let ledger = FakeLedger()
    let limits = BudgetLimits(callsPerDay: 60, callsPerMonth: 150, microsPerDay: 900_000, userShare: 0.5)
    let classes = [PriceClass("a", micros: 2_830, freePerMonth: 20), PriceClass("b", micros: 17_000), PriceClass("", micros: 0)]
    var random: SeededRandom
    var reservations: ReservationLedger
    /// The reservations that the next write makes durable.
    var unwritten: [Reservation] = []
    var wall = 1_800_000_000.0
    var open: [Reservation] = []
    var done: [Reservation] = []
    var sent: [LedgerKey: Int] = [:]

    init(seed: UInt64) async throws {
      random = SeededRandom(seed: seed)
      reservations = ReservationLedger(limits: ["p": limits])
      reservations.reset(to: SpendingTotals(try await ledger.load()))
    }

    mutating func step() async throws {
      wall += 1
      switch Int.random(in: 0..<397, using: &random) {
      case 0..<200: reserve()
      case 200..<300: settle()
      case 300..<370: try await write()
      case 370..<390:
        if !done.isEmpty { reservations.settle(session: done.suffix(3), billedMicros: Int.random(in: 0...20_000, using: &random)) }
      case 390..<393: wall += Double.random(in: 0...86_400 * 5, using: &random)
      case 393: wall -= Double.random(in: 0...86_400 * 2, using: &random)
      case 394: ledger.state.withLock { $0.failing.toggle() }
      default:
        // The daemon is killed and starts again.
        ledger.state.withLock { $0.failing = false }
        try await restart()
      }
    }

    private mutating func reserve() {
      guard let price = classes.randomElement(using: &random),
        let charge = try? reservations.reserve(provider: "p", price: price, user: UInt32.random(in: 0..<3, using: &random), wall: wall)
      else { return }
      unwritten.append(charge)
    }

    private mutating func settle() {
      guard let index = open.indices.randomElement(using: &random) else { return }
      let charge = open.remove(at: index)
      let isSent = Int.random(in: 0..<4, using: &random) > 0
      reservations.settle(charge, wasSent: isSent)
      if isSent { done.append(charge) } else { sent[charge.key, default: 0] -= 1 }
    }

    private mutating func write() async throws {
      let transaction = reservations.takeTransaction(wall: wall, dayStart: 0)
      do {
        if !transaction.isEmpty { try await ledger.write(transaction) }
        // From here on the requests may have been sent.
        for charge in unwritten { sent[charge.key, default: 0] += 1 }
        open += unwritten
        unwritten = []
      } catch {
        ledger.state.withLock { $0.failing = false }
        try await restart()
      }
    }

    private mutating func restart() async throws {
      reservations.reset(to: SpendingTotals(try await ledger.load()))
      // Requests in progress count as sent, because their outcome is unknown.
      (open, unwritten) = ([], [])
    }

    func check() {
      let days = Set(ledger.state.withLock { $0.entries.keys.map(\.day) })
      for day in days {
        let committed = ledger.committed("p", { $0 == day })
        #expect(committed.calls <= 60 && committed.micros <= 900_000, "the ledger is beyond the day's limit")
        for user in 0..<3 { #expect(ledger.committed("p", { $0 == day }, user: UInt32(user)).calls <= 30, "a share is overdrawn") }
      }
      for month in Set(days.map(\.month)) { #expect(ledger.committed("p") { $0.month == month }.calls <= 150) }
      for (key, calls) in sent {
        let entry = ledger.state.withLock { $0.entries[key] } ?? LedgerChange()
        #expect(entry.committed.calls >= calls, "a request was sent that the ledger does not hold")
      }
    }
  }

  @Test("limit ≥ ledger ≥ calls sent", arguments: 0..<40)
  func invariant(seed: Int) async throws {
    var sent = 0
    for round in 0..<proof {
      var model = try await BudgetModel(seed: UInt64(seed + 1_000 * round))
      for _ in 0..<600 {
        try await model.step()
        model.check()
      }
      sent += model.sent.values.reduce(0, +)
    }
    // A single model may do little, because the reservations before its crashes use up the month.
    #expect(sent > 20 * proof, "the worlds were too quiet to prove anything")
  }
}
