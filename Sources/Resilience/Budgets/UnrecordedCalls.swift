/// Free calls that were counted in memory while the ledger failed.
struct UnrecordedCalls {
  /// The totals before the failure, plus the unrecorded calls.
  var totals: SpendingTotals
  private(set) var calls: [LedgerKey: Int] = [:]

  init(_ totals: SpendingTotals) { self.totals = totals }

  /// Adds calls to a row of the ledger, or subtracts them if `count` is negative.
  mutating func add(_ count: Int, to key: LedgerKey) {
    totals.add(LedgerChange(spent: Spending(calls: count)), to: key)
    calls[key, default: 0] += count
  }

  /// The same unrecorded calls, added to other totals.
  func moved(onto totals: SpendingTotals) -> UnrecordedCalls {
    calls.reduce(into: UnrecordedCalls(totals)) { $0.add($1.value, to: $1.key) }
  }
}
