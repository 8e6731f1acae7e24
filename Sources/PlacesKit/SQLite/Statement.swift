import CSQLite

/// A value that is bound to a parameter of a statement.
public enum Value: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(_ value: Int) { self = .integer(Int64(value)) }
}

/// A prepared statement. Parameters are numbered from 1 and columns from 0, as in SQLite.
///
/// All callers of `Database.statement` with the same text share one statement. Each caller must finish with the statement and `reset` it
/// before the next call.
public final class Statement {
  let handle: OpaquePointer
  let database: Database?
  private let connection: OpaquePointer
  private let sql: String

  /// Prepares one statement. The database retains a `persistent` statement, so such a statement does not retain the database.
  init(_ database: Database, _ sql: String, persistent: Bool) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database.handle, sql, -1, persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &prepared, nil)
    guard code == SQLITE_OK else { throw database.error(code, sql: sql) }
    guard let prepared else { throw SQLiteError(code: SQLITE_MISUSE, message: "no statement in the text", sql: sql) }
    handle = prepared
    connection = database.handle
    self.database = persistent ? nil : database
    self.sql = sql
  }

  /// If the connection was already closed, finalizing its last statement closes the file.
  deinit { sqlite3_finalize(handle) }

  /// Moves to the next row. Returns false if there are no more rows.
  public func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw error(code)
  }

  /// Makes the statement ready to run again, removes its bound values, and releases its locks.
  public func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, message: String(cString: sqlite3_errmsg(connection)), sql: sql)
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw error(code) }
  }

  public func bind(_ values: [Value]) throws(SQLiteError) {
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  public func bind(_ value: Value, at index: Int) throws(SQLiteError) {
    switch value {
    case .null: try check(sqlite3_bind_null(handle, Int32(clamping: index)))
    case .integer(let integer): try bind(integer, at: index)
    case .real(let real): try check(sqlite3_bind_double(handle, Int32(clamping: index), real))
    case .text(let text): try bind(text, at: index)
    case .blob(let bytes): try bind(bytes, at: index)
    }
  }

  public func bind(_ integer: Int64, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(clamping: index), integer))
  }

  public func bind(_ text: String, at index: Int) throws(SQLiteError) {
    var copy = text
    let code = copy.withUTF8 { bytes in
      // An empty text may have no base address, and SQLite would store a null pointer as NULL.
      guard let base = bytes.baseAddress, !bytes.isEmpty else { return csqlite_bind_text(handle, Int32(clamping: index), "", 0) }
      return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        csqlite_bind_text(handle, Int32(clamping: index), $0, Int32(clamping: bytes.count))
      }
    }
    try check(code)
  }

  public func bind(_ bytes: [UInt8], at index: Int) throws(SQLiteError) {
    try check(bytes.withUnsafeBytes { csqlite_bind_blob(handle, Int32(clamping: index), $0.baseAddress, Int32(clamping: $0.count)) })
  }

  // MARK: Columns of the current row

  public func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(clamping: column)) == SQLITE_NULL }
  /// A column as an integer; 0 for NULL.
  public func integer(_ column: Int) -> Int { Int(sqlite3_column_int64(handle, Int32(clamping: column))) }
  /// A column as a number; 0 for NULL.
  public func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(clamping: column)) }

  /// A column as text, which is empty for NULL; bytes that are not UTF-8 are replaced.
  public func text(_ column: Int) -> String {
    guard let text = sqlite3_column_text(handle, Int32(clamping: column)) else { return "" }
    return String(decoding: UnsafeBufferPointer(start: text, count: size(column)), as: UTF8.self)
  }

  /// A column as bytes; empty for NULL.
  public func blob(_ column: Int) -> [UInt8] { withBlob(column) { [UInt8]($0) } }

  /// Calls `body` with the bytes of a blob, or with no bytes for NULL. The bytes are not copied, and are invalid after `body` returns.
  public func withBlob<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // SQLite requires reading the pointer before the size.
    let start = sqlite3_column_blob(handle, Int32(clamping: column))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size(column)))
  }

  private func size(_ column: Int) -> Int { Int(sqlite3_column_bytes(handle, Int32(clamping: column))) }
}
