import SQLite

/// Composes the rows that an index stores ready for callers without a language.
enum ComposedRows {
  /// The rows of the first places, composed by reading an index that is whole but for them.
  static func write(
    reading path: String, places count: Int, _ scratch: Database, _ meter: inout ProgressMeter
  ) throws(BuildFailure) -> BlobTableSpool {
    let file: IndexFile
    do {
      file = try IndexFile(path, sharing: SharedMappedSection(), presented: RecentlyPresented())
    } catch {
      throw .index(error)
    }
    var rows = BlobTableSpool(scratch, table: "row")
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
