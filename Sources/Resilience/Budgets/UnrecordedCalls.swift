/// Free calls that were counted in memory while the ledger failed.
struct UnrecordedCalls {
  /// The totals before the failure, plus these calls.
  var totals: SpendingTotals
  private(set) var calls: [LedgerKey: Int] = [:]

  init(_ totals: SpendingTotals) { self.totals = totals }

  /// Adds to the number, or subtracts if negative.
  mutating func add(_ count: Int, to key: LedgerKey) {
    totals.add(LedgerChange(spent: Spending(calls: count)), to: key)
    calls[key, default: 0] += count
  }

  /// These calls added to other totals.
  func moved(onto totals: SpendingTotals) -> UnrecordedCalls {
    calls.reduce(into: UnrecordedCalls(totals)) { $0.add($1.value, to: $1.key) }
  }
}
