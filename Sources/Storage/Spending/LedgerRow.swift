import Resilience
import PlacesKit
import SQLite

/// One row of the ledger.
struct LedgerRow: Sendable {
  var key: LedgerKey
  var amounts: LedgerChange
  /// True if the ledger contains the row.
  private(set) var isStored = false

  static let columns = "provider, user, class, day, reserved_calls, reserved_micros, spent_calls, spent_micros, checksum"

  init(key: LedgerKey, amounts: LedgerChange) {
    self.key = key
    self.amounts = amounts
  }

  /// Reads `columns` from the current row; nil if the row's checksum does not match.
  init?(_ statement: Statement) {
    guard let user = UInt32(exactly: statement.integer(1)) else { return nil }
    key = LedgerKey(provider: statement.text(0), user: user, priceClass: statement.text(2), day: Day(statement.integer(3)))
    amounts = LedgerChange(
      reserved: Spending(calls: statement.integer(4), micros: statement.integer(5)),
      spent: Spending(calls: statement.integer(6), micros: statement.integer(7)))
    guard Int64(statement.integer(8)) == checksum else { return nil }
    isStored = true
  }

  /// The row of a key; nil if it is damaged. If the ledger has no such row, returns a new row with zero amounts.
  static func find(_ key: LedgerKey, in database: Database) throws(SQLiteError) -> LedgerRow? {
    let statement = try database.statement(
      "SELECT \(columns) FROM entries WHERE day = ? AND provider = ? AND user = ? AND class = ?")
    defer { statement.reset() }
    try statement.bind([Value(key.day.number), .text(key.provider), Value(Int(key.user)), .text(key.priceClass)])
    return try statement.step() ? LedgerRow(statement) : LedgerRow(key: key, amounts: LedgerChange())
  }

  func write(to database: Database) throws(SQLiteError) {
    try database.run(
      "INSERT OR REPLACE INTO entries (\(LedgerRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", .text(key.provider),
      Value(Int(key.user)), .text(key.priceClass), Value(key.day.number), Value(amounts.reserved.calls), Value(amounts.reserved.micros),
      Value(amounts.spent.calls), Value(amounts.spent.micros), .integer(checksum))
  }

  var checksum: Int64 {
    var sum = Checksum()
    sum.add(key.provider)
    sum.add(key.priceClass)
    for number in [
      Int(key.user), key.day.number, amounts.reserved.calls, amounts.reserved.micros, amounts.spent.calls, amounts.spent.micros,
    ] { sum.add(number) }
    return sum.value
  }
}
