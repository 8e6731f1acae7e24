import PlacesKit
import Resilience
import Storage
import Synchronization

/// A scenario's record of events, of the writes to the ledger, and of violations.
final class Watch: Sendable {
  private struct State {
    var violations: [String] = []
    var trace: [String] = []
    /// A digest of the trace (FNV-1a).
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The minimum contents of the ledger.
    var committed: [LedgerKey: Int] = [:]
    /// The amounts subtracted by transactions whose outcome is unknown.
    var uncertain: [LedgerKey: Int] = [:]
    /// The paid requests that reached the service.
    var paid = 0
    /// The paid requests and the calls in the ledger when the daemon's run first read the ledger; nil before that.
    var atStart: (paid: Int, calls: Int)?
    var committedCalls: Int { committed.values.reduce(0, +) }
  }
  private let state = Mutex(State())
  private let isTraced: Bool
  private let limit: Int

  /// - Parameter limit: the number of paid calls that the budget of a day allows.
  init(limit: Int, isTraced: Bool) {
    self.limit = limit
    self.isTraced = isTraced
  }

  var violations: [String] { state.withLock { $0.violations } }
  var trace: [String] { state.withLock { $0.trace } }
  var digest: UInt64 { state.withLock { $0.digest } }

  func report(_ violation: String) {
    note("VIOLATION: \(violation)")
    state.withLock { $0.violations.append(violation) }
  }

  func note(_ event: @autoclosure () -> String) {
    let event = event()
    state.withLock { state in
      for byte in event.utf8 { state.digest = (state.digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
      if isTraced { state.trace.append(event) }
    }
  }

  // MARK: The ledger

  /// Records that the daemon has started again.
  func beginRun() { state.withLock { $0.atStart = nil } }

  /// Records a paid request that reached the service, and checks that this run has reserved as many calls. Reservations that earlier runs left
  /// do not count, because they would hide requests without a reservation.
  func recordPaidRequest() {
    let (paid, reserved) = state.withLock { state in
      state.paid += 1
      guard let start = state.atStart else { return (1, 0) }
      return (state.paid - start.paid, state.committedCalls - start.calls)
    }
    note("paid request \(paid) of this run")
    if paid > reserved { report("\(paid) paid requests of one run reached the service, and the ledger has \(reserved) of it") }
  }

  func recordWrite(_ transaction: LedgerAmounts) {
    state.withLock { state in
      for (key, change) in transaction.entries { state.committed[key, default: 0] += change.committed.calls }
    }
    checkLimit()
  }

  /// Records a transaction that failed; the ledger may contain it nevertheless.
  func recordFailure(_ transaction: LedgerAmounts) {
    state.withLock { state in
      for (key, change) in transaction.entries where change.committed.calls < 0 {
        state.uncertain[key, default: 0] += change.committed.calls
      }
    }
  }

  /// Checks that nothing that was counted is missing when the ledger is read.
  func recordLoad(_ history: LedgerAmounts, now: Double) {
    let first = Watch.firstOfMonth(min(history.latestTime, now))
    let missing = state.withLock { state -> [String] in
      var missing: [String] = []
      for (key, calls) in state.committed where key.day.number >= first {
        let found = history.entries[key]?.committed.calls ?? 0
        if found < calls + state.uncertain[key, default: 0] {
          missing.append("\(calls) calls of \(key.priceClass), \(found) after a start")
        }
      }
      for (key, change) in history.entries { state.committed[key] = change.committed.calls }
      state.uncertain = [:]
      if state.atStart == nil { state.atStart = (state.paid, state.committedCalls) }
      return missing
    }
    for text in missing { report("the ledger has lost: \(text)") }
    checkLimit()
  }

  private func checkLimit() {
    let days = state.withLock { state in
      state.committed.reduce(into: [Day: Int]()) { days, entry in
        if entry.key.provider == SimulatedProviders.paid { days[entry.key.day, default: 0] += entry.value }
      }
    }
    for (day, calls) in days where calls > limit { report("\(calls) calls in the ledger on day \(day.number), \(limit) are allowed") }
  }

  private static func firstOfMonth(_ wall: Double) -> Int {
    let day = Day(wall: wall)
    return day.number - day.civil.day + 1
  }
}

/// The real ledger; its transactions are recorded.
final class WatchedLedger: SpendingLedger {
  private let ledger: Ledger
  private let watch: Watch
  private let time: any TimeSource

  init(_ ledger: Ledger, watch: Watch, time: any TimeSource) {
    self.ledger = ledger
    self.watch = watch
    self.time = time
  }

  func load() async throws(LedgerError) -> LedgerAmounts {
    do throws(LedgerError) {
      let history = try await ledger.load()
      watch.recordLoad(history, now: time.wall())
      return history
    } catch {
      if case .unconfirmed(let message) = error { watch.report("an undamaged ledger was rejected: \(message)") }
      throw error
    }
  }

  func historyAwaitingConfirmation() async -> LedgerAmounts? { await ledger.historyAwaitingConfirmation() }

  func write(_ transaction: LedgerAmounts) async throws(LedgerError) {
    do throws(LedgerError) { try await ledger.write(transaction) } catch {
      watch.recordFailure(transaction)
      throw error
    }
    watch.recordWrite(transaction)
  }
}
