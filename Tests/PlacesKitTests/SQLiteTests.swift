import PlacesTesting
import Testing

@testable import SQLite

@Suite struct SQLiteTests {
  @Test("Values are read as they were written")
  func values() throws {
    let database = try Database("", mode: .inMemory)
    try database.execute("CREATE TABLE t (i INTEGER, r REAL, t TEXT, b BLOB, n)")
    try database.run("INSERT INTO t VALUES (?, ?, ?, ?, ?)", .integer(.min), 1.5, "gr\u{fc}n\u{0}x", .blob([0, 255]), nil)
    let statement = try database.statement("SELECT * FROM t")
    #expect(try statement.step())
    #expect(statement.integer(0) == Int.min)
    #expect(statement.real(1) == 1.5)
    #expect(statement.text(2) == "grün\u{0}x")
    #expect(statement.blob(3) == [0, 255])
    #expect(statement.isNull(4))
    #expect(try !statement.step())
  }

  @Test("Empty text and empty blobs are not NULL")
  func emptyValues() throws {
    let database = try Database("", mode: .inMemory)
    #expect(try database.integer("SELECT ? IS NULL", "") == 0)
    #expect(try database.integer("SELECT ? IS NULL", .blob([])) == 0)
  }

  @Test("A statement is prepared once and is reused without the values of its last use")
  func cachedStatements() throws {
    let database = try Database("", mode: .inMemory)
    let first = try database.statement("SELECT ?")
    try first.bind("old", at: 1)
    let second = try database.statement("SELECT ?")
    #expect(first === second)
    #expect(try second.step())
    #expect(second.isNull(0))
  }

  @Test("Errors contain the code and the SQL, and never the bound values")
  func errors() throws {
    let database = try Database("", mode: .inMemory)
    try database.execute("CREATE TABLE t (a TEXT UNIQUE)")
    try database.run("INSERT INTO t VALUES (?)", "secret")
    let error = try #require(throws: SQLiteError.self) { try database.run("INSERT INTO t VALUES (?)", "secret") }
    #expect(error.primaryCode == 19)
    #expect(error.code == 2067)
    #expect(error.sql == "INSERT INTO t VALUES (?)")
    #expect(!error.description.contains("secret"))
    #expect(throws: SQLiteError.self) { try database.run("SELECT \"no such column\" FROM t") }
  }

  @Test("A transaction that throws changes nothing")
  func transactions() throws {
    let database = try Database("", mode: .inMemory)
    try database.execute("CREATE TABLE t (a)")
    #expect(throws: SQLiteError.self) {
      try database.transaction { () throws(SQLiteError) in
        try database.run("INSERT INTO t VALUES (1)")
        try database.run("INSERT INTO nowhere VALUES (1)")
      }
    }
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
    try database.transaction { () throws(SQLiteError) in _ = try database.run("INSERT INTO t VALUES (1)") }
    #expect(try database.integer("SELECT count(*) FROM t") == 1)
  }

  @Test("Each migration runs once, and a newer layout is rejected")
  func migrations() throws {
    let folder = try TemporaryFolder()
    let database = try Database(folder.file("a.db"), mode: .readWrite)
    try Migrations(["CREATE TABLE a (x)"]).apply(to: database)
    try Migrations(["CREATE TABLE a (x)", "CREATE TABLE b (x)"]).apply(to: database)
    #expect(try database.integer("PRAGMA user_version") == 2)
    #expect(throws: SQLiteError.self) { try Migrations([]).apply(to: database) }
  }

  @Test("Definitions of tables that differ from those of the migrations are noticed")
  func changedSchema() throws {
    let migrations = Migrations(["CREATE TABLE a (x); CREATE INDEX a_by_x ON a (x)", "ALTER TABLE a ADD COLUMN y"])
    let database = try Database("", mode: .inMemory)
    try migrations.apply(to: database)
    #expect(try migrations.isSchemaIntact(in: database))
    try database.execute("ALTER TABLE a RENAME COLUMN y TO z")
    #expect(try !migrations.isSchemaIntact(in: database))
  }

  @Test("A migration that fails leaves the previous layout")
  func failingMigration() throws {
    let database = try Database("", mode: .inMemory)
    #expect(throws: SQLiteError.self) { try Migrations(["CREATE TABLE a (x)", "CREATE TABLE b (x); nonsense"]).apply(to: database) }
    #expect(try database.integer("PRAGMA user_version") == 1)
    #expect(try database.integer("SELECT count(*) FROM sqlite_schema") == 1)
  }

  @Test("A file that is not a database is corrupt, and a missing file cannot be opened", arguments: [Database.Mode.readOnly, .immutable])
  func badFiles(mode: Database.Mode) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(String(repeating: "This is no database. ", count: 100), to: "bü #?%.db")
    let database = try Database(path, mode: mode)
    let error = try #require(throws: SQLiteError.self) { try database.integer("SELECT count(*) FROM sqlite_schema") }
    #expect(error.isCorrupt)
    let missing = try #require(throws: SQLiteError.self) { try Database(folder.file("missing.db"), mode: mode) }
    #expect(missing.message == "unable to open database file (No such file or directory)")
  }

  @Test("A sound file passes the quick check")
  func quickCheck() throws {
    let database = try Database("", mode: .inMemory)
    try database.execute("CREATE TABLE t (a)")
    #expect(try database.quickCheck().isEmpty)
  }

  @Test(
    "A page that the disk did not return is an error of the disk, and not damage",
    arguments: [
      ("Tree 2 page 4: unable to get the page. error code=266", 266), ("On page 3 at right child: unable to get the page. error code=7", 7),
      ("Tree 2 page 4: unable to get the page. error code=11", nil), ("Page 5: never used", nil), ("error code=", nil), ("ok", nil),
    ] as [(String, Int32?)])
  func unreadablePage(line: String, code: Int32?) {
    #expect(SQLiteError(unreadablePage: line)?.code == code)
  }

  @Test("A running statement can be interrupted by another thread")
  func interrupt() throws {
    let database = try Database("", mode: .inMemory)
    let interrupter = database.interrupter
    let statement = try database.statement("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
    #expect(try statement.step())
    interrupter.interrupt()
    let error = try #require(throws: SQLiteError.self) { while try statement.step() {} }
    #expect(error.isInterrupted)
  }

  @Test("A running statement is interrupted when the periodic check returns true")
  func isOver() throws {
    let database = try Database("", mode: .inMemory)
    var looks = 0
    database.interrupt(every: 1_000) {
      looks += 1
      return looks > 3
    }
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    let statement = try database.statement(endless)
    let error = try #require(throws: SQLiteError.self) { while try statement.step() {} }
    #expect(error.isInterrupted)
    #expect(looks == 4)
  }

  @Test("A second writer waits no longer than the busy limit")
  func busy() throws {
    let folder = try TemporaryFolder()
    let first = try Database(folder.file("a.db"), mode: .readWrite)
    let second = try Database(folder.file("a.db"), mode: .readWrite, busySeconds: 0)
    try first.execute("CREATE TABLE t (a); BEGIN IMMEDIATE")
    let error = try #require(throws: SQLiteError.self) { try second.execute("BEGIN IMMEDIATE") }
    #expect(error.isBusy)
  }
}
