/// A small file beside the ledger that remembers that there was one, and how often it was opened: a ledger that is gone, or that
/// was restored from an old copy, is noticed.
struct LedgerMark: Sendable {
  let path: String

  /// How often the ledger was opened; nil where there never was one. A mark that cannot be read counts as the largest: something was there.
  func read() throws(FileError) -> Int? {
    guard let bytes = try Files.read(path, limit: 4_096) else { return nil }
    return Int(String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) ?? .max
  }

  func write(_ generation: Int) throws(FileError) { try Files.replace(path, with: Array("\(generation)\n".utf8)) }
}
