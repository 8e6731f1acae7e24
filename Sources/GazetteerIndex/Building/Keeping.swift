import SQLite

/// Writes what is kept behind the database in pieces: blocks of terms, and rows.
enum Keeping {
  /// Blocks of the terms that the scratch file has, in their order.
  static func terms(_ scratch: Database) throws(BuildFailure) -> PieceSpool {
    var blocks = PieceSpool(scratch, table: "block")
    let terms = try BuildFailure.wrap { () throws(SQLiteError) in
      try scratch.statement("SELECT term, ranks, list, further FROM term ORDER BY term")
    }
    var writer = ByteWriter()
    var last: [UInt8] = []
    var count = 0
    while try BuildFailure.wrap(terms.step) {
      if count == KeptTerms.perBlock {
        try blocks.add(writer.bytes)
        writer.removeAll()
        last.removeAll()
        count = 0
      }
      let (term, ranks, list) = (terms.blob(0), terms.blob(1), terms.integer(2))
      let common = zip(last, term).prefix { $0 == $1 }.count
      writer.number(UInt64(common))
      writer.number(UInt64(term.count - common))
      writer.raw(term[common...])
      writer.number(UInt64(list))
      if list > 0 { writer.number(UInt64(terms.integer(3))) }
      writer.number(UInt64(ranks.count))
      writer.raw(ranks)
      last = term
      count += 1
    }
    if count > 0 { try blocks.add(writer.bytes) }
    try blocks.finish()
    return blocks
  }

  /// The rows of the first places, composed by reading an index that is whole but for them.
  static func rows(
    reading path: String, places count: Int, _ scratch: Database, _ meter: inout Meter
  ) throws(BuildFailure) -> PieceSpool {
    let file: IndexFile
    do {
      file = try IndexFile(path, sharing: SharedTail(), presented: RecentlyPresented())
    } catch {
      throw .index(error)
    }
    var rows = PieceSpool(scratch, table: "row")
    var presenter = Presenter(file: file, language: nil, region: nil)
    for index in 0..<min(count, WrittenRow.most) {
      try meter.step(count, of: count)
      let row = try BuildFailure.wrap { () throws(SQLiteError) in
        try presenter.composed(UInt32(index + 1)).flatMap { WrittenRow.encode($0.row, sources: $0.text.creditedSources) }
      }
      try rows.add(row ?? [])
    }
    try rows.finish()
    return rows
  }
}
