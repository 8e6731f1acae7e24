import PlacesKit
import Synchronization

// Reports for the API.

extension BudgetService {
  /// The remaining free calls of each price class this month, for `SessionPricing`.
  public func remainingFreeCalls(_ prices: PriceTable, provider: String) -> [String: Int] {
    state.withLock { state in
      state.reservations.totals.advance(to: budgetTime(&state))
      return prices.classes.reduce(into: [:]) { $0[$1.name] = state.reservations.totals.remainingFreeCalls(of: $1, provider: provider) }
    }
  }

  /// True if a provider has a limit of money but none of calls. Such limits cannot restrict calls whose price is not known.
  public func limitsOnlyMoney(of provider: String) -> Bool {
    guard let limits = state.withLock({ $0.reservations.limits[provider] }) else { return false }
    return !limits.limitsCalls && (limits.microsPerDay != nil || limits.microsPerMonth != nil)
  }

  /// Waits until the ledger has been read or has failed, because reports before that are empty. Returns false after `loadTimeout` (for
  /// example, if the disk does not respond), or if the task is cancelled.
  public func waitUntilLoaded() async -> Bool {
    let loaded = state.withLock { $0.loadPromise }
    return await withTimeLimit(BudgetService.loadTimeout, clock: time, task: "the spending ledger") { await loaded.value() } != nil
  }

  /// True if the ledger has been read or has failed.
  public var isLoaded: Bool { state.withLock { $0.loadPromise }.current != nil }

  /// The cost of a provider, for all users or for one.
  public func report(provider: String, user: UInt32? = nil) -> BudgetReport {
    state.withLock { state in
      state.reservations.totals.advance(to: budgetTime(&state))
      return BudgetReport(
        provider: provider, user: user, totals: state.reservations.totals, limits: state.reservations.limits[provider] ?? BudgetLimits())
    }
  }

  /// The reason why no user can make a call of any of these price classes; nil if a call is possible or the ledger is not loaded.
  /// - Parameter prices: the price classes; nil for calls that are free.
  public func exhaustion(of provider: String, _ prices: [PriceClass?]) -> BudgetRefusal? {
    state.withLock { state in
      guard var limits = state.reservations.limits[provider], state.isReady else { return nil }
      state.reservations.totals.advance(to: budgetTime(&state))
      limits.userShare = 1
      let refusals = prices.map { price in
        state.reservations.totals.refusal(
          of: price ?? PriceClass("", micros: 0), provider: provider, user: 0, limits: limits, userLimits: UserLimits())
      }
      return refusals.contains(nil) ? nil : refusals.first ?? nil
    }
  }

  /// The ledger's error if no paid call can be made: it cannot be written or is not confirmed.
  public var failure: LedgerError? { state.withLock { $0.ledger.fault } }
}
