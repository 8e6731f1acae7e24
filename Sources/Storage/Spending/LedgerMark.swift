/// A small file beside the ledger that holds how often the ledger was opened, so that a ledger that is missing or was restored from an old copy is
/// noticed.
struct LedgerMark: Sendable {
  let path: String

  /// How often the ledger was opened; nil if there never was one. A mark that cannot be parsed counts as the largest number.
  func read() throws(FileError) -> Int? {
    guard let bytes = try Files.read(path, limit: 4_096) else { return nil }
    return Int(String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) ?? .max
  }

  func write(_ generation: Int) throws(FileError) { try Files.replace(path, with: Array("\(generation)\n".utf8)) }
}
