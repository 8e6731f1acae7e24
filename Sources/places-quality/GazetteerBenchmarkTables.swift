import GazetteerIndex
import SQLite
import Text

/// The tables with which the gazetteer is compared: the same cities in a plain table, which is queried with LIKE, and in an FTS5 table.
struct PlainTables {
  private let data: String

  init(data: String) { self.data = data }

  /// A line of times for each table.
  func lines(_ keystrokes: [Keystroke]) -> [String] {
    do {
      let database = try filledDatabase()
      // The number of times that each text was typed. Each text is queried once, because LIKE reads the whole table, which takes ten
      // milliseconds.
      let countsByText = Dictionary(keystrokes.map { ($0.text, 1) }, uniquingKeysWith: +)
      return [
        try time("LIKE 'prefix%' ORDER BY population", countsByText, database, like, pattern: { $0 + "%" }),
        try time("FTS5, by row id", countsByText, database, fts5, pattern: PlainTables.matchExpression),
      ]
    } catch { complain("cannot compare with SQLite's tables: \(error)") }
  }

  private let like = "SELECT id FROM city WHERE folded LIKE ? ORDER BY population DESC LIMIT 10"
  private let fts5 = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid LIMIT 10"

  /// A database whose tables are filled with the cities in the order of their populations, so that a query of the FTS5 table need not sort
  /// them.
  private func filledDatabase() throws -> Database {
    let database = try Database("", mode: .inMemory)
    try database.execute(
      """
      CREATE TABLE raw (line TEXT, population INTEGER);
      CREATE TABLE city (id INTEGER PRIMARY KEY, folded TEXT, population INTEGER);
      CREATE VIRTUAL TABLE words USING fts5 (names, content = '', columnsize = 0, prefix = '1 2 3 4');
      BEGIN;
      """)
    try eachRecord(of: "\(data)/geonames/cities500.txt.gz") { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      // A line of a GeoNames dump has 19 columns: 1 to 3 are the name, the ASCII name and the other names, 14 is the population.
      guard columns.count == 19 else { return }
      try database.run("INSERT INTO raw VALUES (?, ?)", .text(String(line)), Value(Int(columns[14]) ?? 0))
    }
    let rows = try database.statement("SELECT line, population FROM raw ORDER BY population DESC")
    var id = 0
    while try rows.step() {
      let columns = rows.text(0).split(separator: "\t", omittingEmptySubsequences: false)
      id += 1
      let names = "\(columns[1]) \(columns[2]) \(columns[3])"
      try database.run("INSERT INTO city VALUES (?, ?, ?)", Value(id), .text(Folding.fold(String(columns[1]))), Value(rows.integer(1)))
      try database.run("INSERT INTO words (rowid, names) VALUES (?, ?)", Value(id), .text(Folding.fold(names)))
    }
    rows.reset()
    try database.execute("INSERT INTO words (words) VALUES ('optimize'); COMMIT")
    return database
  }

  /// Times the statement for each text. Returns the line of the output.
  private func time(
    _ name: String, _ countsByText: [String: Int], _ database: Database, _ sql: String, pattern: (String) -> String
  ) throws -> String {
    var timing = Timing(name: name)
    for (text, times) in countsByText {
      let folded = Folding.fold(text)
      guard !folded.isEmpty else { continue }
      let (rows, lap) = try Lap.measure {
        let statement = try database.statement(sql)
        try statement.bind(pattern(folded), at: 1)
        var rows = 0
        while try statement.step() { rows += 1 }
        statement.reset()
        return rows
      }
      timing.add(lap, rows: rows, times: times)
    }
    return timing.line
  }

  /// The FTS5 expression for places that have all of the words, each as a prefix.
  private static func matchExpression(_ folded: String) -> String {
    folded.split(separator: " ").map { "\"\($0)\" *" }.joined(separator: " AND ")
  }
}
