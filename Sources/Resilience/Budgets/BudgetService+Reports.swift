import PlacesKit
import Synchronization

// What the service reports of the budgets.

extension BudgetService {
  /// How many calls of each class cost nothing any more this month, for `SessionPricing`.
  public func freeCallsLeft(_ prices: PriceTable, provider: String) -> [String: Int] {
    state.withLock { state in
      state.reservations.advance(to: budgetTime(&state))
      return prices.classes.reduce(into: [:]) { $0[$1.name] = state.reservations.totals.freeCallsLeft(of: $1, provider: provider) }
    }
  }

  /// Waits until the ledger has been read or has failed; before, a report knows nothing. False if that takes longer than `loadTimeout`, as with a
  /// disk that does not answer, or if the task is cancelled.
  public func loaded() async -> Bool {
    let loaded = state.withLock { $0.loaded }
    return await within(BudgetService.loadTimeout, of: time, "the spending ledger") { await loaded.value() } != nil
  }

  /// True if the ledger has been read or has failed.
  public var isLoaded: Bool { state.withLock { $0.loaded }.current != nil }

  /// What a provider has cost, all users' or one user's.
  public func report(provider: String, user: UInt32? = nil) -> BudgetReport {
    state.withLock { state in
      let wall = budgetTime(&state)
      state.reservations.advance(to: wall)
      state.lastKnown?.advance(to: wall)
      state.unrecorded?.totals.advance(to: wall)
      return BudgetReport(
        provider: provider, user: user, totals: state.unrecorded?.totals ?? (state.lastKnown ?? state.reservations).totals,
        limits: state.limits[provider] ?? BudgetLimits())
    }
  }

  /// Why the budget leaves no user a call of any of these classes (nil for a free one); nil if it leaves one, or if the ledger is not known.
  public func exhaustion(of provider: String, _ prices: [PriceClass?]) -> BudgetRefusal? {
    state.withLock { state in
      guard let limits = state.limits[provider], state.isReady else { return nil }
      state.reservations.advance(to: budgetTime(&state))
      return state.reservations.exhaustion(of: provider, prices.map { $0 ?? PriceClass("", micros: 0) }, limits: limits)
    }
  }

  /// Why no paid call can be made, whatever the budgets: the ledger cannot be written or is not confirmed.
  public var failure: LedgerError? { state.withLock { $0.ledger.fault } }
}
