import PlacesKit
import Synchronization

// Reports for the API.

extension BudgetService {
  /// The remaining free calls of each price class this month, for `SessionPricing`.
  public func remainingFreeCalls(_ prices: PriceTable, provider: String) -> [String: Int] {
    state.withLock { state in
      let totals = currentTotals(&state)
      return prices.classes.reduce(into: [:]) { $0[$1.name] = totals.remainingFreeCalls(of: $1, provider: provider) }
    }
  }

  /// True if a provider has a limit of money but no limit of calls. A limit of money cannot restrict calls whose price is not known.
  public func limitsOnlyMoney(of provider: String) -> Bool {
    guard let limits = state.withLock({ $0.reservations.limits[provider] }) else { return false }
    return !limits.limitsCalls && (limits.microsPerDay != nil || limits.microsPerMonth != nil)
  }

  /// Waits until the ledger has been read or has failed, because reports before that are empty. Returns false after `ledgerTimeout` (for
  /// example, if the disk does not respond), or if the task is cancelled.
  public func waitUntilLoaded() async -> Bool {
    let loadPromise = state.withLock { $0.loadPromise }
    return await withTimeLimit(BudgetService.ledgerTimeout, clock: time, task: "the spending ledger") { await loadPromise.value() } != nil
  }

  /// True if the ledger has been read or has failed.
  public var isLoaded: Bool { state.withLock { $0.loadPromise }.current != nil }

  /// The limits and the cost of a provider.
  /// - Parameter user: the user whose part is reported; nil for all users together.
  public func report(provider: String, user: UInt32? = nil) -> BudgetReport {
    state.withLock { state in
      let totals = currentTotals(&state)
      let limits = state.reservations.limits[provider] ?? BudgetLimits()
      func period(_ period: SpendingTotals.Scope.Period, _ calls: Int?, _ micros: Int?) -> BudgetReport.Period {
        let total = totals.total(SpendingTotals.Scope(provider: provider, user: user, period: period))
        let share: (Int) -> Int = { user == nil ? $0 : limits.share(of: $0) }
        return BudgetReport.Period(
          limitCalls: calls.map(share), limitMicros: micros.map(share), reserved: total.reserved, spent: total.spent, endsAt: period.end)
      }
      let savings = totals.savings.filter { $0.key.provider == provider && (user == nil || $0.key.user == user) }
      return BudgetReport(
        userShare: user != nil && limits.userShare < 1 ? limits.userShare : nil,
        day: period(.day(totals.day), limits.callsPerDay, limits.microsPerDay),
        month: period(.month(totals.day.month), limits.callsPerMonth, limits.microsPerMonth),
        saved: Dictionary(savings.map { ($0.key.cause, $0.value) }, uniquingKeysWith: +))
    }
  }

  private func currentTotals(_ state: inout State) -> SpendingTotals {
    state.reservations.totals.advance(to: budgetTime(&state))
    return state.reservations.totals
  }

  /// The reason why no user can make a call of any of these price classes; nil if a call is possible or the ledger is not loaded.
  /// - Parameter prices: the price classes; nil for calls that are free.
  public func exhaustion(of provider: String, _ prices: [PriceClass?]) -> BudgetRefusal? {
    state.withLock { state in
      guard var limits = state.reservations.limits[provider], state.isReady else { return nil }
      let totals = currentTotals(&state)
      limits.userShare = 1
      let refusals = prices.compactMap { price in
        totals.refusal(
          of: price ?? PriceClass("", micros: 0), provider: provider, user: 0, limits: limits, userLimits: UserLimits())
      }
      return refusals.count == prices.count ? refusals.first : nil
    }
  }

  /// The ledger's error if no paid call can be made, because the ledger cannot be used or is not confirmed; otherwise nil.
  public var failure: LedgerError? { state.withLock { $0.ledger.fault } }
}
