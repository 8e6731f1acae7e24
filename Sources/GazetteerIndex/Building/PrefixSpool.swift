import SQLite

/// Keeps the hashes of prefixes on the disk until all are known: ten million places have eighty million, and how many there are decides
/// how large their filter is.
struct PrefixSpool {
  private static let pieceSize = 65_536

  private let scratch: Database
  private var piece: [UInt64] = []
  private var count = 0

  init(_ scratch: Database) { self.scratch = scratch }

  mutating func add(_ hash: UInt64) throws(SQLiteError) {
    piece.append(hash)
    count += 1
    if piece.count == PrefixSpool.pieceSize { try flush() }
  }

  mutating func filter() throws(SQLiteError) -> PrefixFilterBuilder {
    try flush()
    var filter = PrefixFilterBuilder(capacity: count)
    let statement = try scratch.statement("SELECT hashes FROM prefix")
    while try statement.step() {
      statement.withBlob(0) { bytes in
        for offset in stride(from: 0, through: bytes.count - 8, by: 8) {
          filter.insert(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
      }
    }
    return filter
  }

  private mutating func flush() throws(SQLiteError) {
    guard !piece.isEmpty else { return }
    try scratch.run("INSERT INTO prefix VALUES (?)", .blob(piece.withUnsafeBytes { Array($0) }))
    piece.removeAll(keepingCapacity: true)
  }
}
