import SQLite

/// Composes the rows of the first places, and keeps them on the disk until they are written.
struct KeptRowsWriter {
  private var spool: WordSpool
  /// Where each row begins, and the last one ends.
  private var places: [UInt32] = []
  private var word: UInt64 = 0
  private var length = 0

  init(_ scratch: Database) { spool = WordSpool(scratch, table: "row") }

  /// Rows, of which some may be empty.
  var count: Int { max(0, places.count - 1) }
  /// Their words, without those that tell where they are.
  var words: Int { spool.count }

  /// Reads an index that is whole but for its rows.
  mutating func run(reading path: String, places count: Int, _ meter: inout Meter) throws(BuildFailure) {
    let file: IndexFile
    do {
      file = try IndexFile(path, sharing: SharedTail(), presented: RecentlyPresented())
    } catch {
      throw .index(error)
    }
    var presenter = Presenter(file: file, language: nil, region: nil)
    places.append(0)
    for rank in 1...UInt32(clamping: max(1, min(count, WrittenRow.most))) where count > 0 {
      try meter.step(count, of: count)
      let row = try BuildFailure.wrap { () throws(SQLiteError) in
        try presenter.composed(rank).flatMap { WrittenRow.encode($0.row, sources: $0.text.creditedSources) }
      }
      try BuildFailure.wrap { () throws(SQLiteError) in try add(row ?? []) }
    }
    try BuildFailure.wrap { () throws(SQLiteError) in
      if length % 8 > 0 { try spool.add(word) }
      try spool.flush()
    }
  }

  private mutating func add(_ row: [UInt8]) throws(SQLiteError) {
    for byte in row {
      word |= UInt64(byte) << UInt64(length % 8 * 8)
      length += 1
      guard length % 8 == 0 else { continue }
      try spool.add(word)
      word = 0
    }
    places.append(UInt32(clamping: length))
  }

  /// Goes through all words in their order.
  func each(_ body: ([UInt64]) throws(BuildFailure) -> Void) throws(BuildFailure) {
    guard count > 0 else { return }
    try body(
      stride(from: 0, to: KeptRows.placeWords(count) * 2, by: 2).map { index in
        UInt64(places[index]) | (index + 1 < places.count ? UInt64(places[index + 1]) << 32 : 0)
      })
    let pieces = try BuildFailure.wrap(spool.pieces)
    while let words = try BuildFailure.wrap(pieces.next) { try body(words) }
  }
}
