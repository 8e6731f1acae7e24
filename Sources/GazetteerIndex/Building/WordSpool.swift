import SQLite

/// Buffers words on disk. Ten million places have twenty million words of columns and more than eighty million hashes of prefixes and terms,
/// and the number of the hashes determines the size of their filter.
struct WordSpool {
  private static let pieceSize = 65_536

  private let scratch: Database
  private let table: String
  private var piece: [UInt64] = []
  private(set) var count = 0
  private(set) var sum = MappedChecksum()

  /// - Parameter table: has one column of blobs.
  init(_ scratch: Database, table: String) {
    self.scratch = scratch
    self.table = table
  }

  mutating func add(_ word: UInt64) throws {
    piece.append(word)
    count += 1
    sum.add(word)
    if piece.count == WordSpool.pieceSize { try flush() }
  }

  /// Writes the rest to disk. Call it before reading the words.
  mutating func flush() throws {
    guard !piece.isEmpty else { return }
    try scratch.run("INSERT INTO \(table) VALUES (?)", .blob(piece.withUnsafeBytes { Array($0) }))
    piece.removeAll(keepingCapacity: true)
  }

  /// An iterator over chunks of the words, in order.
  func chunks() throws -> Chunks { Chunks(statement: try scratch.statement("SELECT * FROM \(table) ORDER BY rowid")) }

  struct Chunks {
    fileprivate let statement: Statement

    /// The next chunk; nil at the end.
    func next() throws -> [UInt64]? {
      guard try statement.step() else { return nil }
      return statement.withBlob(0) { bytes in
        stride(from: 0, through: bytes.count - 8, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
      }
    }
  }
}
