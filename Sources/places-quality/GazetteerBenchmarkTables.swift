import GazetteerIndex
import SQLite
import Text

/// What the gazetteer is compared with: the same cities in a plain table, asked with LIKE, and in an FTS5 table.
struct PlainTables {
  private let data: String

  init(data: String) { self.data = data }

  /// A line of times for each table. Every fiftieth keystroke is enough for a table that is read through each time.
  func lines(_ keystrokes: [Keystroke]) -> [String] {
    do {
      let database = try fill()
      let sample = keystrokes.enumerated().filter { $0.offset % 50 == 0 }.map(\.element)
      return [
        try time("LIKE 'prefix%' ORDER BY population", sample, database, like, pattern: { $0 + "%" }),
        try time("FTS5, by row id", sample, database, fts5, pattern: PlainTables.match),
      ]
    } catch { complain("comparison: \(error)") }
  }

  private let like = "SELECT id FROM city WHERE folded LIKE ? ORDER BY population DESC LIMIT 10"
  private let fts5 = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid LIMIT 10"

  /// Cities in the order of their populations, so that FTS5 need not sort either.
  private func fill() throws -> Database {
    let database = try Database("", mode: .inMemory)
    try database.execute(
      """
      CREATE TABLE raw (line TEXT, population INTEGER);
      CREATE TABLE city (id INTEGER PRIMARY KEY, folded TEXT, population INTEGER);
      CREATE VIRTUAL TABLE words USING fts5 (names, content = '', columnsize = 0, detail = none, prefix = '1 2 3 4');
      BEGIN;
      """)
    try eachRecord(of: "\(data)/geonames/cities500.txt.gz") { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
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

  private func time(
    _ name: String, _ keystrokes: [Keystroke], _ database: Database, _ sql: String, pattern: (String) -> String
  ) throws -> String {
    var timing = Timing(name: name)
    for keystroke in keystrokes {
      let folded = Folding.fold(keystroke.text)
      guard !folded.isEmpty else { continue }
      let start = microseconds()
      let statement = try database.statement(sql)
      try statement.bind(pattern(folded), at: 1)
      var rows = 0
      while try statement.step() { rows += 1 }
      statement.reset()
      timing.add(microseconds() - start, rows: rows)
    }
    return timing.line
  }

  private static func match(_ folded: String) -> String {
    folded.split(separator: " ").map { "\"\($0)\" *" }.joined(separator: " AND ")
  }
}
