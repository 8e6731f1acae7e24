import Glibc
import SQLite

/// Buffers words of 64 bits on disk, because they may not fit into memory: ten million places have twenty million words of columns and more
/// than eighty million hashes of prefixes and terms. The hashes must be buffered, because the size of their filter depends on their number.
struct IntegerSpool {
  /// The number of words of a chunk: 512 KiB.
  private static let chunkSize = 65_536

  private let scratch: Database
  private let table: String
  /// The words that are not on disk yet.
  private var chunk: [UInt64] = []
  /// The number of words that were added.
  private(set) var count = 0
  /// The checksum of the words that were added.
  private(set) var checksum = MappedChecksum()

  /// - Parameter table: a table of `scratch` with one column of blobs.
  init(_ scratch: Database, table: String) {
    self.scratch = scratch
    self.table = table
  }

  mutating func add(_ word: UInt64) throws {
    chunk.append(word)
    count += 1
    checksum.add(word)
    if chunk.count == IntegerSpool.chunkSize { try flush() }
  }

  /// Writes the last, incomplete chunk to disk. Call it before reading the words.
  mutating func flush() throws {
    guard !chunk.isEmpty else { return }
    try scratch.run("INSERT INTO \(table) VALUES (?)", .blob(chunk.withUnsafeBytes { Array($0) }))
    chunk.removeAll(keepingCapacity: true)
  }

  /// Calls the body with chunks of the words, in order.
  func each(_ body: ([UInt64]) throws -> Void) throws {
    let statement = try scratch.statement("SELECT * FROM \(table) ORDER BY rowid")
    defer { statement.reset() }
    while try statement.step() {
      try body(
        statement.withBlob(0) { bytes in
          stride(from: 0, through: bytes.count - 8, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
        })
    }
  }

  /// Writes the words to a file, little-endian, one after another. Throws `BuildFailure.system`.
  /// - Parameter offset: the position in the file, in bytes, at which the first word is written.
  func write(to file: Int32, at offset: Int) throws {
    var position = offset
    try each { words in
      try words.map(\.littleEndian).withUnsafeBytes { bytes in
        var unwritten = bytes[...]
        while !unwritten.isEmpty {
          let written = pwrite(file, UnsafeRawBufferPointer(rebasing: unwritten).baseAddress, unwritten.count, off_t(position))
          guard written > 0 || (written < 0 && errno == EINTR) else { throw BuildFailure.system(written == 0 ? ENOSPC : errno) }
          unwritten = unwritten.dropFirst(max(0, written))
          position += max(0, written)
        }
      }
    }
  }
}
