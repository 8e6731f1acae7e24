import SQLite

/// Buffers byte strings on disk and writes them in the layout of `BlobTable`.
struct BlobTableSpool {
  private var spool: WordSpool
  /// The offset of each string, and the end of the last one.
  private var offsets: [UInt32] = [0]
  private var word: UInt64 = 0
  private var length = 0
  private let most: Int

  /// - Parameter most: the limit for the bytes of all strings.
  init(_ scratch: Database, table: String, most: UInt32 = .max) {
    spool = WordSpool(scratch, table: table)
    self.most = Int(most)
  }

  var count: Int { offsets.count - 1 }
  /// The words of all strings, without the offsets.
  var words: Int { spool.count }

  /// Throws `full` if the strings exceed the limit.
  mutating func add(_ string: [UInt8]) throws {
    for byte in string {
      word |= UInt64(byte) << UInt64(length % 8 * 8)
      length += 1
      guard length % 8 == 0 else { continue }
      try put()
    }
    guard length <= most else { throw BuildFailure.full }
    offsets.append(UInt32(length))
  }

  /// Call it after the last string.
  mutating func finish() throws {
    if length % 8 > 0 { try put() }
    try spool.flush()
  }

  private mutating func put() throws {
    let word = word
    try spool.add(word)
    self.word = 0
  }

  /// Calls the body with all words of the table, in order.
  func each(_ body: ([UInt64]) throws -> Void) throws {
    guard count > 0 else { return }
    try body(
      (0..<BlobTable.offsetWords(count)).map { index in
        UInt64(offsets[index * 2]) | (index * 2 + 1 < offsets.count ? UInt64(offsets[index * 2 + 1]) << 32 : 0)
      })
    let chunks = try spool.chunks()
    while let words = try chunks.next() { try body(words) }
  }
}
