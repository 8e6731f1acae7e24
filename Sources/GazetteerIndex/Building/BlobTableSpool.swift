import SQLite

/// Buffers byte strings on disk and writes them in the layout of `BlobTable`. A word has 64 bits.
struct BlobTableSpool {
  private var spool: IntegerSpool
  /// The offset of each string and the end of the last one, in bytes.
  private var offsets: [UInt32] = [0]
  /// The bytes that do not fill a word yet, the first one in the lowest bits.
  private var incompleteWord: UInt64 = 0
  /// The number of bytes of all strings.
  private var byteCount = 0
  private let maxLength: Int

  /// - Parameter maxLength: the maximum number of bytes of all strings together.
  init(_ scratch: Database, table: String, maxLength: UInt32 = .max) {
    spool = IntegerSpool(scratch, table: table)
    self.maxLength = Int(maxLength)
  }

  /// The number of strings.
  var count: Int { offsets.count - 1 }
  /// The number of words that the bytes of all strings fill. The offsets are not counted.
  var wordCount: Int { spool.count }

  /// Throws `BuildFailure.full` if all strings together exceed `maxLength`.
  mutating func add(_ string: [UInt8]) throws {
    for byte in string {
      incompleteWord |= UInt64(byte) << UInt64(byteCount % 8 * 8)
      byteCount += 1
      if byteCount % 8 == 0 { try writeWord() }
    }
    guard byteCount <= maxLength else { throw BuildFailure.full }
    offsets.append(UInt32(byteCount))
  }

  /// Call it after the last string.
  mutating func finish() throws {
    if byteCount % 8 > 0 { try writeWord() }
    try spool.flush()
  }

  private mutating func writeWord() throws {
    try spool.add(incompleteWord)
    incompleteWord = 0
  }

  /// Adds the words of the table to another spool. Call it after `finish`.
  func append(to other: inout IntegerSpool) throws {
    guard count > 0 else { return }
    // Two offsets share a word: the first is in the lower half.
    for index in stride(from: 0, to: offsets.count, by: 2) {
      try other.add(UInt64(offsets[index]) | (index + 1 < offsets.count ? UInt64(offsets[index + 1]) << 32 : 0))
    }
    try spool.each { words in for word in words { try other.add(word) } }
  }
}
