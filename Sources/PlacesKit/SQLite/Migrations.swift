/// The steps that convert a database from any older layout to the current one. `PRAGMA user_version` stores the number of steps that were
/// applied.
public struct Migrations: Sendable {
  /// The SQL of step 1, step 2 and so on. A released step must not be changed, not even its white space (see `isSchemaIntact`).
  public var steps: [String]

  public init(_ steps: [String]) { self.steps = steps }

  /// The version of the layout after the last step.
  public var version: Int { steps.count }

  /// Applies the missing steps. Each step and its number are written in one transaction, so that a crash leaves a consistent layout.
  /// - Throws: an error with the code `SQLITE_SCHEMA` (17) for a database that a newer version has created.
  public func apply(to database: Database) throws(SQLiteError) {
    let current = try database.integer("PRAGMA user_version") ?? 0
    guard current <= version else {
      throw SQLiteError(
        code: 17, message: "\(database.path) has layout \(current), made by a newer version; this version supports up to \(version)")
    }
    for (index, step) in steps.enumerated().dropFirst(max(0, current)) {
      try database.transaction { () throws(SQLiteError) in
        try database.execute(step)
        try database.execute("PRAGMA user_version = \(index + 1)")
      }
    }
  }

  /// True if the database contains the tables and indexes of its layout, each with the definition that the steps created, byte for byte.
  /// `Database.quickCheck` does not notice a damaged definition, such as a changed letter in the name of a column. Additional tables, such
  /// as those of `ANALYZE`, are ignored. The result is also true for a newer layout, which `apply` rejects.
  public func isSchemaIntact(in database: Database) throws(SQLiteError) -> Bool {
    let current = try database.integer("PRAGMA user_version") ?? 0
    guard current <= version else { return true }
    let intactDatabase = try Database("", mode: .inMemory)
    try Migrations(Array(steps.prefix(max(0, current)))).apply(to: intactDatabase)
    return try Migrations.definitions(in: intactDatabase).isSubset(of: Migrations.definitions(in: database))
  }

  /// The type, name, table and SQL text of each table and index. The text is empty for an index that SQLite creates itself.
  private static func definitions(in database: Database) throws(SQLiteError) -> Set<[String]> {
    let statement = try database.statement("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    defer { statement.reset() }
    var definitions: Set<[String]> = []
    while try statement.step() { definitions.insert((0..<4).map { statement.text($0) }) }
    return definitions
  }
}
