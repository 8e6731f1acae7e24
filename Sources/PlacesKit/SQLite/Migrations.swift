/// The steps that bring a database from any older layout to this version's, one after another, counted by `PRAGMA user_version`.
public struct Migrations: Sendable {
  /// The SQL of step 1, step 2 and so on. A released step must not be changed.
  public var steps: [String]

  public init(_ steps: [String]) { self.steps = steps }

  /// The version of the layout after the last step.
  public var version: Int { steps.count }

  /// Applies the missing steps, each in its own transaction together with its number, so that a crash leaves a consistent layout. Throws
  /// code `SQLITE_SCHEMA` (17) for a database that a newer version has created.
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
}
