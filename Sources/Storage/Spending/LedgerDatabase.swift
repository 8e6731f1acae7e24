import Resilience
import PlacesKit
import SQLite

/// The SQL statements of the ledger. The whole ledger counts as damaged if the checksum of a row does not match, or if the rows do not add
/// up to the totals in the table `state`.
struct LedgerDatabase {
  let database: Database
  private(set) var state = LedgerSummary()

  /// Reads the ledger's state.
  /// - Parameter recomputesTotals: true to compute the totals from the rows, even if the stored totals are different or missing.
  init(_ database: Database, recomputesTotals: Bool) throws(SQLiteError) {
    self.database = database
    guard let storedState = try LedgerSummary(in: database) else {
      guard recomputesTotals else { throw damaged }
      state.totals = try LedgerSummary.Totals(in: database)
      return
    }
    state = storedState
    let totals = try LedgerSummary.Totals(in: database)
    guard recomputesTotals || totals == state.totals else { throw damaged }
    state.totals = totals
  }

  /// Makes changes in one transaction, and writes the new state with its checksum. Returns the new state.
  private func updatedState(
    _ body: (_ state: inout LedgerSummary) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> LedgerSummary {
    var newState = state
    try database.transaction { () throws(SQLiteError) in
      try body(&newState)
      newState.sequence &+= 1
      newState.hasChecksum = true
      try newState.write(to: database)
    }
    return newState
  }

  /// Records that the ledger was opened.
  /// - Parameters:
  ///   - generation: the number of this opening.
  ///   - sequence: the highest number of any earlier transaction.
  mutating func recordOpening(generation: Int, after sequence: Int) throws(SQLiteError) {
    state = try updatedState { (state) throws(SQLiteError) in (state.generation, state.sequence) = (generation, sequence) }
  }

  /// Counts the reservations that an earlier run of the daemon left as spending, and deletes all rows except those of the latest
  /// `retainedDays` days that have rows. Rows are not deleted by their age, because the clock may show a year in the far future for a
  /// time, and the spending of this month must be known when it is corrected. Returns all amounts since the beginning of the month of the
  /// latest time or of the wall time `now`, whichever is earlier.
  mutating func chargeLeftoverReservations(at now: Double, boot: String, retainedDays: Int) throws(SQLiteError) -> LedgerAmounts {
    state = try updatedState { (state) throws(SQLiteError) in
      if state.latestTime == 0 { state.latestTime = now }
      for var row in try rows(where: "reserved_calls <> 0 OR reserved_micros <> 0", .null) {
        state.totals.add(row, times: -1)
        row.amounts = LedgerChange(spent: row.amounts.committed)
        try row.write(to: database)
        state.totals.add(row)
      }
      let firstDay = try database.integer(
        "SELECT day FROM entries UNION SELECT day FROM savings ORDER BY day DESC LIMIT 1 OFFSET ?", Value(retainedDays - 1))
      if let firstDay {
        try database.run("DELETE FROM savings WHERE day < ?", Value(firstDay))
        if try database.run("DELETE FROM entries WHERE day < ?", Value(firstDay)) > 0 {
          state.totals = try LedgerSummary.Totals(in: database)
        }
      }
    }
    var history = try amounts(sinceMonthsOf: [state.latestTime, now])
    history.latestTime = state.latestTime
    history.dayStart = state.boot == boot && !boot.isEmpty ? state.dayStart : nil
    return history
  }

  /// Sets the latest time, which may be earlier than before.
  mutating func setLatestTime(_ latestTime: Double) throws(SQLiteError) {
    state = try updatedState { (state) throws(SQLiteError) in
      state.latestTime = latestTime
      // No boot has this id, so the start of the budget day counts as unknown.
      state.boot = ""
    }
  }

  /// Adds a transaction to the ledger atomically.
  mutating func add(_ transaction: LedgerAmounts, boot: String) throws(SQLiteError) {
    state = try updatedState { (state) throws(SQLiteError) in
      for (key, change) in transaction.entries {
        guard var row = try LedgerRow.find(key, in: database) else { throw damaged }
        if row.isStored { state.totals.add(row, times: -1) }
        row.amounts += change
        try row.write(to: database)
        state.totals.add(row)
      }
      for (key, amount) in transaction.savings {
        try database.run(
          """
          INSERT INTO savings (provider, user, day, cause, calls, micros) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, micros = micros + excluded.micros
          """, .text(key.provider), Value(Int(key.user)), Value(key.day.number), .text(key.cause.rawValue), Value(amount.calls),
          Value(amount.micros))
      }
      state.latestTime = transaction.latestTime
      if let dayStart = transaction.dayStart { (state.boot, state.dayStart) = (boot, dayStart) }
    }
  }

  /// All amounts since the beginning of the month that contains the earliest of these times.
  func amounts(sinceMonthsOf times: [Double]) throws(SQLiteError) -> LedgerAmounts {
    let firstDay = times.map { Day(wall: $0).month.first }.min() ?? Day(0)
    let entries = try rows(where: "day >= ?", Value(firstDay.number)).map { ($0.key, $0.amounts) }
    return LedgerAmounts(
      entries: Dictionary(entries) { $1 }, savings: try savings(since: firstDay), latestTime: times.max() ?? 0)
  }

  /// The rows of `entries` for which an SQL condition holds. Throws if one of them is damaged.
  /// - Parameter value: the value of the condition's parameter; null if it has none.
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
    // These rows have no checksum. Impossible days, which only damage can cause, are skipped, because computing with them would trap.
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

  /// The error for damaged rows. 11 is SQLITE_CORRUPT.
  private var damaged: SQLiteError { SQLiteError(code: 11, message: "its rows do not match their checksums") }
}
