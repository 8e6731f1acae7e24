import Resilience
import PlacesKit
import PlacesTesting
import Synchronization

/// A ledger in memory whose writes take two milliseconds, and can be made to fail.
final class MemoryLedger: SpendingLedger {
  private struct State {
    var entries: [LedgerKey: LedgerChange] = [:]
    var savings: [SavingKey: Spending] = [:]
    var latest = 0.0
    var dayStart: Double?
    var failures = 0
  }
  private let state = Mutex(State())
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  /// The number of next writes that fail.
  func fail(_ writes: Int) { state.withLock { $0.failures = writes } }

  /// The reserved or spent amounts of a provider in the ledger, by day.
  func committed(_ provider: String) -> [Day: Spending] {
    state.withLock { state in
      state.entries.reduce(into: [:]) { days, entry in
        if entry.key.provider == provider { days[entry.key.day, default: .zero] += entry.value.committed }
      }
    }
  }

  /// The reserved or spent amounts of a provider on one day.
  func committed(_ provider: String, on day: Day) -> Spending { committed(provider)[day] ?? .zero }

  func saved(by cause: SavingKey.Cause) -> Spending {
    state.withLock { $0.savings.reduce(.zero) { $1.key.cause == cause ? $0 + $1.value : $0 } }
  }

  func load() async throws(LedgerError) -> LedgerAmounts {
    state.withLock { state in
      // What an earlier run left reserved counts as spent.
      for (key, change) in state.entries { state.entries[key] = LedgerChange(spent: change.committed) }
      return LedgerAmounts(entries: state.entries, savings: state.savings, latestTime: state.latest, dayStart: state.dayStart)
    }
  }

  func historyAwaitingConfirmation() async -> LedgerAmounts? { nil }

  func write(_ page: LedgerAmounts) async throws(LedgerError) {
    try? await time.sleep(until: time.monotonic() + 0.002)
    let fails = state.withLock { state in
      guard state.failures == 0 else {
        state.failures -= 1
        return true
      }
      for (key, change) in page.entries { state.entries[key, default: LedgerChange()] += change }
      for (key, amount) in page.savings { state.savings[key, default: .zero] += amount }
      (state.latest, state.dayStart) = (page.latestTime, page.dayStart)
      return false
    }
    if fails { throw .unavailable("the disk is full") }
  }
}
