import CSQLite
import Glibc

/// A connection to a SQLite database.
///
/// Threading: the connection is opened with `SQLITE_OPEN_NOMUTEX` and is not `Sendable`. Its owner (an actor, a `Mutex`, or a pool that
/// lends it to one task at a time) already limits it to one thread at a time, so SQLite need not lock its own mutex at every step. Only
/// `interrupt` may be called from elsewhere, through an `Interrupter`.
public final class Database {
  /// How a database is opened.
  public enum Mode: Sendable {
    case readOnly
    /// The file is created if it does not exist.
    case readWrite
    /// A private database in memory. Closing the connection deletes it.
    case inMemory
    /// The file is only read, and the caller ensures that it does not change while it is open: SQLite takes no locks and detects no
    /// changes.
    case immutable
  }

  let handle: OpaquePointer
  public let path: String
  /// The statements that stay prepared, by their SQL text.
  var cachedStatements: [String: Statement] = [:]
  /// True if the running statement must end; see `interrupt(every:when:)`.
  private var mustInterrupt: () -> Bool = { false }

  /// Opens a database. `busySeconds` is the time for which a statement waits for another connection's lock before it throws an error with
  /// `isBusy`, at most one hour.
  ///
  /// The settings are strict: no statement can damage the file (`SQLITE_DBCONFIG_DEFENSIVE`), the schema cannot call unsafe
  /// functions, foreign keys are enforced, string literals in double quotes are rejected, and extensions cannot be loaded.
  public init(_ path: String, mode: Mode, busySeconds: Double = 5) throws(SQLiteError) {
    // SQLite accepts this setting only before the first database is opened.
    _ = Database.memoryStatisticsAreOff
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var name = path
    switch mode {
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .readWrite: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .inMemory:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
      name = ":memory:"
    case .immutable:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = Database.immutableURI(path)
    }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
      // The system's error, such as a read-only file system, is not part of SQLite's own message.
      let systemError = opened.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(opened)
      throw SQLiteError(code: code, message: systemError == 0 ? message : "\(message) (\(String(cString: strerror(systemError))))")
    }
    handle = opened
    self.path = path
    sqlite3_busy_timeout(opened, Int32(clamping: Int(max(0, min(busySeconds, 3600)) * 1000)))
    for (option, value) in Database.settings { _ = csqlite_configure(opened, option, value) }
  }

  /// Reading this constant for the first time turns off SQLite's memory statistics, which would take a global mutex at every allocation.
  private static let memoryStatisticsAreOff = csqlite_count_no_memory()
  private static let settings: [(Int32, Int32)] = [
    (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
    (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
  ]

  deinit {
    cachedStatements.removeAll()
    sqlite3_progress_handler(handle, 0, nil, nil)
    // If statements still exist, SQLite closes the connection when the last of them is finalized.
    sqlite3_close_v2(handle)
  }

  /// A `file:` URI of the path (https://www.sqlite.org/uri.html), with `immutable=1`.
  private static func immutableURI(_ path: String) -> String {
    var uri = "file:"
    for byte in path.utf8 {
      if byte < 0x80, byte != UInt8(ascii: "%"), byte != UInt8(ascii: "?"), byte != UInt8(ascii: "#") {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        uri += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return uri + "?immutable=1"
  }

  /// Makes every running statement throw an error with `isInterrupted` as soon as `mustInterrupt` returns true. `mustInterrupt` is
  /// called after every `steps` instructions of SQLite's virtual machine, which executes several tens of instructions per microsecond.
  public func interrupt(every steps: Int, when mustInterrupt: @escaping () -> Bool) {
    self.mustInterrupt = mustInterrupt
    let callback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { database in
      guard let database else { return 0 }
      return Unmanaged<Database>.fromOpaque(database).takeUnretainedValue().mustInterrupt() ? 1 : 0
    }
    sqlite3_progress_handler(handle, Int32(clamping: steps), callback, Unmanaged.passUnretained(self).toOpaque())
  }

  func error(_ code: Int32, sql: String? = nil) -> SQLiteError {
    SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql)
  }
}

extension Database {
  /// Runs one or more statements that have no parameters, and ignores their rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Returns a statement that stays prepared as long as the connection is open, with no values bound. Calls with the same text return the
  /// same statement, after resetting it.
  public func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = cachedStatements[sql] {
      statement.reset()
      return statement
    }
    let statement = try Statement(self, sql, persistent: true)
    cachedStatements[sql] = statement
    return statement
  }

  /// Runs a statement with these values and ignores its rows. Returns how many rows it changed.
  @discardableResult
  public func run(_ sql: String, _ values: Value...) throws(SQLiteError) -> Int {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
    return Int(sqlite3_changes64(handle))
  }

  /// The first column of the first row as an integer; nil if there is no row or the value is NULL.
  public func integer(_ sql: String, _ values: Value...) throws(SQLiteError) -> Int? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
  }

  /// The first column of the first row as text; nil if there is no row or the value is NULL.
  public func text(_ sql: String, _ values: Value...) throws(SQLiteError) -> String? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() && !statement.isNull(0) ? statement.text(0) : nil
  }

  /// Runs `body` in a transaction, which is committed if `body` returns and rolled back if it throws. The transaction is `IMMEDIATE`: it
  /// waits for another writer at its start and not in the middle, where SQLite cannot wait.
  /// - Parameter failure: converts an error of the transaction itself to an error of the type that `body` throws.
  public func transaction<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result, failure: (SQLiteError) -> Failure
  ) throws(Failure) -> Result {
    do { try execute("BEGIN IMMEDIATE") } catch { throw failure(error) }
    let result: Result
    do throws(Failure) { result = try body() } catch {
      rollBack()
      throw error
    }
    do { try execute("COMMIT") } catch {
      rollBack()
      throw failure(error)
    }
    return result
  }

  /// Runs `body`, which throws only `SQLiteError`, in a transaction. After an error, nothing is changed.
  public func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    try transaction(body, failure: { $0 })
  }

  private func rollBack() {
    // After an error such as "disk full", SQLite has already rolled back.
    if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  /// Returns the problems that `PRAGMA quick_check` finds, at most about ten lines; empty if the file is intact.
  /// - Throws: an error if the check could not run, or if the disk did not return a page, because that page may be intact.
  public func quickCheck() throws(SQLiteError) -> [String] {
    let statement = try Statement(self, "PRAGMA quick_check(10)", persistent: false)
    var lines: [String] = []
    do throws(SQLiteError) {
      // Problems with the pages of the file are in one row of many lines, after a heading.
      while try statement.step() { lines += statement.text(0).split(separator: "\n").filter { !$0.hasPrefix("***") }.map(String.init) }
    } catch  where error.isCorrupt {
      // After such an error the statement may be unable to continue, so the lines read so far are the result.
      if lines.isEmpty { lines = [error.message] }
    }
    for line in lines { if let error = SQLiteError(unreadablePage: line) { throw error } }
    return lines == ["ok"] ? [] : lines
  }

  /// A value with which another thread can end a running statement of this connection. It retains the connection.
  public var interrupter: Interrupter { Interrupter(self) }

  /// Ends the running statement of a connection, which then throws an error with `isInterrupted`. `interrupt` may be called from any
  /// thread.
  public struct Interrupter: @unchecked Sendable {
    // Invariant: only `sqlite3_interrupt` is called, which SQLite allows from any thread while the connection is open, and
    // the reference keeps it open.
    private let database: Database
    fileprivate init(_ database: Database) { self.database = database }
    public func interrupt() { sqlite3_interrupt(database.handle) }
  }
}
