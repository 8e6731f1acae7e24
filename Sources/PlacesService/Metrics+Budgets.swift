import PlacesAPI

extension Metrics {
  /// The spending, limits and remaining budgets of today and this month, for each running provider whose calls are counted. Money is in
  /// units of the currency, as on an invoice.
  /// - Parameter budgets: the budgets; nil if the ledger has not been read yet.
  static func families(of budgets: [BudgetRow]?, _ isRunning: (_ provider: String) -> Bool) -> [Family] {
    // A provider that does not run is left out. It spends nothing, and its currency may be unknown, which would change a label of its time
    // series.
    let countedBudgets = (budgets ?? []).filter { $0.uncounted != true && isRunning($0.provider) }
    func gauge(_ name: String, _ help: String, isMoney: Bool = false, _ value: (BudgetRow.Window) -> Double?) -> Family {
      let samples = countedBudgets.flatMap { row in
        [("day", row.day), ("month", row.month)].compactMap { period, window in
          value(window).map { value in
            let currency = isMoney ? [("currency", row.currency)] : []
            return Sample(labels: [("provider", row.provider), ("period", period)] + currency, value: value)
          }
        }
      }
      return Family(name: name, type: "gauge", help: help, samples: samples)
    }
    func money(_ micros: Int) -> Double { Double(micros) / 1_000_000 }
    let isLedgerFailing = (budgets ?? []).contains { $0.needsConfirmation != nil || $0.unavailable != nil }
    return [
      gauge("placesd_budget_calls_spent", "Calls that were or may have been sent.") { Double($0.spent.calls) },
      gauge("placesd_budget_calls_limit", "Maximum number of calls.") { $0.callLimit.map(Double.init) },
      gauge("placesd_budget_calls_left", "Calls that are left, excluding reservations.") { window in
        window.callLimit.map { Double(max(0, $0 - window.spent.calls - window.reserved.calls)) }
      },
      gauge("placesd_budget_money_spent", "Money that was or may have been spent.", isMoney: true) { money($0.spent.micros) },
      gauge("placesd_budget_money_limit", "Maximum amount of money.", isMoney: true) { $0.microsLimit.map(money) },
      gauge("placesd_budget_money_left", "Money that is left, excluding reservations.", isMoney: true) { window in
        window.microsLimit.map { money(max(0, $0 - window.spent.micros - window.reserved.micros)) }
      },
      Family(
        name: "placesd_ledger_ready", type: "gauge", help: "Whether paid calls can be recorded in the ledger; otherwise they are not sent.",
        samples: [Sample(value: budgets == nil || isLedgerFailing ? 0 : 1)]),
    ]
  }
}
