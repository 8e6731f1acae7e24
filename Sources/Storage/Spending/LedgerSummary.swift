import PlacesKit
import Resilience
import SQLite

/// The single row of the ledger's table `state`. It contains the totals that the rows of `entries` must match, and has a checksum.
struct LedgerSummary: Sendable, Hashable {
  /// Sums over all rows of `entries`, which change if a row is lost, added, or moved to another day.
  struct Totals: Sendable, Hashable {
    /// The number of rows.
    var rowCount = 0
    /// The sum of the rows' checksums, of 32 bits each.
    var checksumSum = 0
    /// The sum of day × checksum over the rows. Each factor is taken modulo 2^20, so that the sum does not overflow.
    var weightedChecksumSum = 0

    static let columns = """
      count(*), coalesce(sum(checksum & 4294967295), 0), coalesce(sum((day & 1048575) * (checksum & 1048575)), 0)
      """

    init() {}

    /// The sums over the existing rows.
    init(in database: Database) throws(SQLiteError) {
      let statement = try database.statement("SELECT \(Totals.columns) FROM entries")
      defer { statement.reset() }
      guard try statement.step() else { return }
      (rowCount, checksumSum, weightedChecksumSum) = (statement.integer(0), statement.integer(1), statement.integer(2))
    }

    init(rowCount: Int, checksumSum: Int, weightedChecksumSum: Int) {
      (self.rowCount, self.checksumSum, self.weightedChecksumSum) = (rowCount, checksumSum, weightedChecksumSum)
    }

    /// Adds a row to the sums, or subtracts it if `times` is -1.
    mutating func add(_ row: LedgerRow, times: Int = 1) {
      rowCount += times
      checksumSum += times * Int(row.checksum)
      weightedChecksumSum += times * (row.key.day.number & 0xF_FFFF) * Int(row.checksum & 0xF_FFFF)
    }
  }

  /// The latest budget time (`BudgetClock`) that was written, in seconds since 1970; 0 in a new ledger.
  var latestTime = 0.0
  /// The number of times that the ledger was opened.
  var generation = 0
  /// The number of the latest transaction.
  var sequence = 0
  var totals = Totals()
  /// The id of the boot during which `dayStart` was written.
  var boot = ""
  /// When the budget day (`BudgetClock`) began, in seconds of that boot's monotonic clock.
  var dayStart = 0.0
  /// False in a ledger with the old layout, which has no checksum.
  var hasChecksum = false

  private static let columns = "latest, generation, sequence, rows, checksums, days, boot, began"

  init() {}

  /// Nil if there is no such row or its checksum does not match.
  init?(in database: Database) throws(SQLiteError) {
    let statement = try database.statement("SELECT \(LedgerSummary.columns), checksum, checksum IS NULL FROM state")
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    latestTime = statement.real(0)
    generation = statement.integer(1)
    sequence = statement.integer(2)
    totals = Totals(
      rowCount: statement.integer(3), checksumSum: statement.integer(4), weightedChecksumSum: statement.integer(5))
    boot = statement.text(6)
    dayStart = statement.real(7)
    hasChecksum = statement.integer(9) == 0
    if hasChecksum, Int64(statement.integer(8)) != checksum { return nil }
  }

  func write(to database: Database) throws(SQLiteError) {
    try database.run(
      "INSERT OR REPLACE INTO state (only, \(LedgerSummary.columns), checksum) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)", .real(latestTime),
      Value(generation), Value(sequence), Value(totals.rowCount), Value(totals.checksumSum), Value(totals.weightedChecksumSum), .text(boot),
      .real(dayStart), .integer(checksum))
  }

  var checksum: Int64 {
    var sum = Checksum()
    for number in [latestTime, dayStart] { sum.add(number) }
    for number in [generation, sequence, totals.rowCount, totals.checksumSum, totals.weightedChecksumSum] { sum.add(number) }
    sum.add(boot)
    return sum.value
  }
}
