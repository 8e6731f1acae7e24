import Resilience
import PlacesKit
import SQLite

/// The ledger's statements. A row whose checksum does not match makes the whole ledger damaged.
struct LedgerDatabase {
  let database: Database

  /// The latest time ever written, and how often the ledger was opened.
  func state() throws(SQLiteError) -> (latest: Double, generation: Int) {
    let statement = try database.statement("SELECT latest, generation FROM state")
    defer { statement.reset() }
    guard try statement.step() else { throw damaged }
    return (statement.real(0), statement.integer(1))
  }

  func setGeneration(_ generation: Int) throws(SQLiteError) {
    try database.run("UPDATE state SET generation = ?", Value(generation))
  }

  /// Sets the latest time, even to an earlier one.
  func setLatest(_ latest: Double) throws(SQLiteError) { try database.run("UPDATE state SET latest = ?", .real(latest)) }

  /// Adds a transaction to the ledger, all of it or nothing.
  func add(_ transaction: LedgerTransaction) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      for (key, change) in transaction.changes {
        guard var row = try LedgerRow.find(key, in: database) else { throw damaged }
        row.amounts += change
        try row.write(to: database)
      }
      for (key, amount) in transaction.savings {
        try database.run(
          """
          INSERT INTO savings (provider, user, day, cause, calls, micros) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, micros = micros + excluded.micros
          """, .text(key.provider), Value(Int(key.user)), Value(key.day.number), .text(key.cause.rawValue), Value(amount.calls),
          Value(amount.micros))
      }
      try database.run("UPDATE state SET latest = max(latest, ?)", .real(transaction.latest))
    }
  }

  /// Begins a run at a time: what an earlier run left reserved counts as spent, and old rows are deleted. Returns what the month holds.
  func begin(at now: Double, keptDays: Int) throws(SQLiteError) -> LedgerHistory {
    let today = Day(wall: now)
    return try database.transaction { () throws(SQLiteError) in
      for var row in try rows(where: "reserved_calls <> 0 OR reserved_micros <> 0", .null) {
        row.amounts = LedgerChange(spent: row.amounts.committed)
        try row.write(to: database)
      }
      for table in ["entries", "savings"] { try database.run("DELETE FROM \(table) WHERE day < ?", Value(today.number - keptDays)) }
      try database.run("UPDATE state SET latest = max(latest, ?)", .real(now))
      return try month(of: now)
    }
  }

  /// Everything since the month of a time began.
  func month(of now: Double) throws(SQLiteError) -> LedgerHistory {
    let first = Day(wall: now).month.first
    let entries = try rows(where: "day >= ?", Value(first.number)).map { ($0.key, $0.amounts) }
    return LedgerHistory(entries: Dictionary(entries) { $1 }, savings: try savings(since: first), latest: now)
  }

  private func rows(where condition: String, _ value: Value) throws(SQLiteError) -> [LedgerRow] {
    let statement = try database.statement("SELECT \(LedgerRow.columns) FROM entries WHERE " + condition)
    defer { statement.reset() }
    if value != .null { try statement.bind(value, at: 1) }
    var rows: [LedgerRow] = []
    while try statement.step() {
      guard let row = LedgerRow(statement) else { throw damaged }
      rows.append(row)
    }
    return rows
  }

  private func savings(since day: Day) throws(SQLiteError) -> [SavingKey: Spending] {
    // These rows have no checksum, and damage in them must not end the daemon: impossible days are left out.
    let statement = try database.statement("SELECT provider, user, day, cause, calls, micros FROM savings WHERE day BETWEEN ? AND ?")
    defer { statement.reset() }
    try statement.bind([Value(day.number), Value(Day(wall: Day.latestWall).number)])
    var savings: [SavingKey: Spending] = [:]
    while try statement.step() {
      guard let user = UInt32(exactly: statement.integer(1)), let cause = SavingKey.Cause(rawValue: statement.text(3)) else { continue }
      let key = SavingKey(provider: statement.text(0), user: user, day: Day(statement.integer(2)), cause: cause)
      savings[key] = Spending(calls: statement.integer(4), micros: statement.integer(5))
    }
    return savings
  }

  private var damaged: SQLiteError { SQLiteError(code: 11, message: "a row of the spending ledger is damaged") }
}
