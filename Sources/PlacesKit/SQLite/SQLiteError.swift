import CSQLite

/// An error of SQLite. It contains no bound values, so that it may be logged.
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The extended result code (https://www.sqlite.org/rescode.html).
  public var code: Int32
  public var message: String
  /// The SQL with `?` where values were bound; nil if no statement was involved.
  public var sql: String?

  public init(code: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// Reads the error from a line of `PRAGMA quick_check`, such as `Tree 2 page 4: unable to get the page. error code=266`. Nil unless the
  /// cause is the disk or a lack of memory; otherwise the page itself is damaged.
  init?(unreadablePage line: String) {
    guard let digits = line.split(separator: "error code=").dropFirst().first?.prefix(while: \.isNumber), let code = Int32(digits),
      [SQLITE_IOERR, SQLITE_NOMEM].contains(code & 0xFF)
    else { return nil }
    self.init(code: code, message: line)
  }

  /// The primary result code: the low eight bits of the extended code.
  public var primaryCode: Int32 { code & 0xFF }
  /// True if the file is damaged or is not a database.
  public var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
  /// True if another connection held a lock for longer than the busy limit.
  public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  /// True if the file system has no room left.
  public var isFull: Bool { primaryCode == SQLITE_FULL }
  /// True if `interrupt()` ended the statement.
  public var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }

  public var description: String {
    "SQLite error \(code): \(message)" + (sql.map { " (in: \($0))" } ?? "")
  }
}
