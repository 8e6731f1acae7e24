/// Free calls that were counted in memory while the ledger failed, and with what they count.
struct PendingLedgerWrites {
  /// What was known before, and these calls.
  private(set) var accounts: Accounts
  private(set) var calls: [LedgerKey: Int] = [:]

  /// None so far, on top of what is known.
  init(_ accounts: Accounts) { self.accounts = accounts }

  mutating func advance(to wall: Double) { accounts.advance(to: wall) }

  /// Counts so many more, or fewer.
  mutating func add(_ count: Int, to key: LedgerKey) {
    accounts.add(LedgerChange(spent: Spending(calls: count)), to: key)
    calls[key, default: 0] += count
  }

  /// The same calls on top of what is known better by now.
  func moved(onto accounts: Accounts) -> PendingLedgerWrites {
    calls.reduce(into: PendingLedgerWrites(accounts)) { $0.add($1.value, to: $1.key) }
  }
}
