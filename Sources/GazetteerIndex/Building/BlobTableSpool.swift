import SQLite

/// Keeps pieces of bytes on the disk until they are written, as `BlobTable` reads them.
struct BlobTableSpool {
  private var spool: WordSpool
  /// Where each piece begins, and the last one ends.
  private var places: [UInt32] = [0]
  private var word: UInt64 = 0
  private var length = 0
  private let most: Int

  /// - Parameter most: bytes of all pieces.
  init(_ scratch: Database, table: String, most: UInt32 = .max) {
    spool = WordSpool(scratch, table: table)
    self.most = Int(most)
  }

  var count: Int { places.count - 1 }
  /// The words of all pieces, without those that tell where they are.
  var words: Int { spool.count }

  /// Throws `full` where all pieces are more than fit.
  mutating func add(_ piece: [UInt8]) throws(BuildFailure) {
    for byte in piece {
      word |= UInt64(byte) << UInt64(length % 8 * 8)
      length += 1
      guard length % 8 == 0 else { continue }
      try put()
    }
    guard length <= most else { throw .full }
    places.append(UInt32(length))
  }

  /// Called behind the last piece.
  mutating func finish() throws(BuildFailure) {
    if length % 8 > 0 { try put() }
    try BuildFailure.wrap { () throws(SQLiteError) in try spool.flush() }
  }

  private mutating func put() throws(BuildFailure) {
    let word = word
    try BuildFailure.wrap { () throws(SQLiteError) in try spool.add(word) }
    self.word = 0
  }

  /// Goes through all words in their order.
  func each(_ body: ([UInt64]) throws(BuildFailure) -> Void) throws(BuildFailure) {
    guard count > 0 else { return }
    try body(
      (0..<BlobTable.placeWords(count)).map { index in
        UInt64(places[index * 2]) | (index * 2 + 1 < places.count ? UInt64(places[index * 2 + 1]) << 32 : 0)
      })
    let pieces = try BuildFailure.wrap(spool.pieces)
    while let words = try BuildFailure.wrap(pieces.next) { try body(words) }
  }
}
