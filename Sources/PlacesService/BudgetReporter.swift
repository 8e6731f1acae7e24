import QueryEngine
import Resilience
import Storage
import PlacesAPI
import PlacesKit

/// Describes the providers' budgets for `budget.get` and the metrics.
struct BudgetReporter: Sendable {
  let engine: Engine
  let daemonControl: any DaemonControl
  let budgets: BudgetService

  /// The budgets of one user, or of all users together, in the order of the configuration; nil if the ledger's disk does not respond. If
  /// the scope names no provider, disabled providers for which nothing was counted are left out.
  func rows(of scope: CacheScope) async -> [BudgetRow]? {
    guard await budgets.waitUntilLoaded() else { return nil }
    return loadedRows(of: scope).filter { row in
      scope.provider != nil || !row.isEmpty || engine.status(of: row.provider)?.state != .disabled
    }
  }

  /// All budgets, for the metrics; nil if the ledger has not been read yet. Does not wait for the disk.
  var rowsIfLoaded: [BudgetRow]? { budgets.isLoaded ? loadedRows(of: CacheScope()) : nil }

  /// True if the provider runs, and its calls are not counted, because they cost nothing and have no limit.
  func isUncounted(_ provider: String) -> Bool { row(of: provider, user: nil).uncounted == true }

  private func loadedRows(of scope: CacheScope) -> [BudgetRow] {
    let providers = engine.status.map(\.id).filter { scope.provider == nil || scope.provider == $0 }
    return providers.map { row(of: $0, user: scope.user) }
  }

  private func row(of provider: String, user: UInt32?) -> BudgetRow {
    let report = budgets.report(provider: provider, user: user)
    let prices = engine.manifest(of: provider)?.prices
    // A free provider without limits needs no ledger. A starting provider counts as paid, because its prices are not known yet.
    let isPaid = prices.map { !$0.isFree } ?? (engine.status(of: provider)?.state == .starting)
    let needsLedger = isPaid || report.day.limitCalls != nil || report.month.limitCalls != nil
    let currency = prices?.currency ?? daemonControl.currency(of: provider) ?? BudgetRow.unknownCurrency
    var row = BudgetRow(report, of: provider, currency: currency, failure: needsLedger ? budgets.failure : nil)
    if !needsLedger, prices != nil { row.uncounted = true }
    row.userShare = report.userShare
    return row
  }
}

extension BudgetRow {
  /// True if nothing was spent, reserved or saved.
  fileprivate var isEmpty: Bool {
    [day.spent, day.reserved, month.spent, month.reserved, savedByCache, savedBySessions, savedByCoalescing].allSatisfy { $0 == Amount() }
  }

  fileprivate init(_ report: BudgetReport, of provider: String, currency: String, failure: LedgerError?) {
    func amount(_ spending: Spending?) -> Amount { Amount(calls: spending?.calls ?? 0, micros: spending?.micros ?? 0) }
    func window(_ period: BudgetReport.Period) -> Window {
      Window(
        spent: amount(period.spent), reserved: amount(period.reserved), callLimit: period.limitCalls, microsLimit: period.limitMicros,
        endsAt: Timestamp.rfc3339(period.endsAt))
    }
    var (confirmationReason, unavailableReason): (String?, String?)
    switch failure {
    case .unconfirmed(let reason): confirmationReason = reason
    case .unavailable(let reason): unavailableReason = reason
    case nil: break
    }
    self.init(
      provider: provider, currency: currency, day: window(report.day), month: window(report.month),
      savedByCache: amount(report.saved[.cache]), savedBySessions: amount(report.saved[.sessions]),
      savedByCoalescing: amount(report.saved[.coalescing]), needsConfirmation: confirmationReason, unavailable: unavailableReason)
  }
}
