import PlacesKit
import PlacesTesting
import Synchronization

@testable import Resilience

/// A ledger in memory that fails on command; after an error it may contain the transaction or not, like a disk.
final class FakeLedger: SpendingLedger {
  struct State {
    var entries: [LedgerKey: LedgerChange] = [:]
    var savings: [SavingKey: Spending] = [:]
    var latest = 0.0
    var dayStart: Double?
    var failing = false
    var unconfirmed = false
    /// The contents of a ledger that must be confirmed.
    var kept: LedgerAmounts?
    var writes = 0
    /// Called while the next write is in progress.
    var meanwhile: (@Sendable () -> Void)?
    var random = SeededRandom(seed: 9)
  }
  let state = Mutex(State())

  func load() async throws(LedgerError) -> LedgerAmounts {
    try attempt { state in
      if state.unconfirmed { return nil }
      for (key, entry) in state.entries { state.entries[key] = LedgerChange(spent: entry.committed) }
      return LedgerAmounts(entries: state.entries, savings: state.savings, latestTime: state.latest, dayStart: state.dayStart)
    }
  }

  func historyAwaitingConfirmation() async -> LedgerAmounts? { state.withLock(\.kept) }

  func write(_ page: LedgerAmounts) async throws(LedgerError) {
    let meanwhile = state.withLock { state in
      defer { state.meanwhile = nil }
      return state.meanwhile
    }
    meanwhile?()
    let failure = state.withLock { state -> Bool in
      let fails = state.failing
      // A failed write may nevertheless have had its effect.
      if !fails || Bool.random(using: &state.random) {
        for (key, change) in page.entries { state.entries[key, default: LedgerChange()] += change }
        for (key, amount) in page.savings { state.savings[key, default: .zero] += amount }
        (state.latest, state.dayStart) = (page.latestTime, page.dayStart)
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
