import Glibc

/// A small file beside the ledger that records the ledger's latest transaction, so that the daemon detects a ledger that lost transactions
/// or was removed, copied or restored from a backup.
///
/// The file has two slots of 128 bytes in one sector, which are written alternately, so that a failed write leaves one of them intact. A
/// slot is one line of text with a checksum. Writes are not flushed while the ledger is in use. They survive the end of the process. After
/// a loss of power the mark may be older than the ledger, which is accepted.
struct LedgerMark: Sendable {
  /// The content of a slot.
  struct Content: Sendable, Hashable {
    /// The number of times that the ledger was opened.
    var generation: Int
    /// The number of the ledger's latest transaction.
    var sequence = 0
    /// The checksum of the ledger's `state` after that transaction; nil in the first format, which contained only the generation.
    var summaryChecksum: Int64?
    /// The inode of the ledger's file; nil in the first format.
    var inode: UInt64?
    /// When this content was written, in seconds since 1970; nil in the first two formats.
    var writtenAt: Int?
  }

  /// The result of reading the file.
  enum Reading: Sendable, Hashable {
    /// The mark's file does not exist.
    case none
    /// The newer of the two slots that are intact.
    case content(Content)
    /// No slot is intact.
    case damaged
  }

  private static let slotBytes = 128
  private static let name = "placesd-ledger"

  let path: String

  /// Reads the file in any of its three formats: only the generation, slots without a time, or slots with a time.
  func read() throws(FileError) -> Reading {
    guard let bytes = try Files.read(path, limit: 4_096) else { return .none }
    // The first format contained only the generation.
    if let generation = Int(String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) {
      return .content(Content(generation: generation))
    }
    let slots = stride(from: 0, to: bytes.count, by: LedgerMark.slotBytes).compactMap { start in
      LedgerMark.content(of: bytes[start..<min(bytes.count, start + LedgerMark.slotBytes)])
    }
    return slots.max { ($0.generation, $0.sequence) < ($1.generation, $1.sequence) }.map { .content($0) } ?? .damaged
  }

  /// Writes the content in place to one of the two slots, without a flush.
  func writeUnflushed(_ content: Content) throws(FileError) {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError(operation: "open", path: path, code: errno) }
    defer { close(file) }
    let slot = LedgerMark.slot(content)
    guard pwrite(file, slot, slot.count, off_t(content.sequence & 1) * off_t(LedgerMark.slotBytes)) == slot.count else {
      throw FileError(operation: "write", path: path, code: errno)
    }
  }

  /// Replaces the whole file and flushes it.
  func rewriteAndFlush(_ content: Content) throws(FileError) {
    try Files.replace(path, with: LedgerMark.slot(content) + LedgerMark.slot(content))
  }

  /// The bytes of a slot with this content.
  private static func slot(_ content: Content) -> [UInt8] {
    let text = """
      \(name) \(content.generation) \(content.sequence) \(content.summaryChecksum ?? 0) \(content.inode ?? 0) \(content.writtenAt ?? 0)
      """
    let line = Array("\(text) \(checksum(of: text.utf8))".utf8)
    return line + [UInt8](repeating: UInt8(ascii: " "), count: max(0, slotBytes - 1 - line.count)) + [UInt8(ascii: "\n")]
  }

  /// The content of a slot; nil if the slot is damaged.
  private static func content(of slot: ArraySlice<UInt8>) -> Content? {
    let parts = String(decoding: slot, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    // The second format contained no time.
    guard parts.count == 6 || parts.count == 7, let sum = parts.last, parts[0] == name, let generation = Int(parts[1]),
      let sequence = Int(parts[2]),
      let summaryChecksum = Int64(parts[3]), let inode = UInt64(parts[4]),
      Int64(sum) == checksum(of: parts.dropLast().joined(separator: " ").utf8)
    else { return nil }
    return Content(
      generation: generation, sequence: sequence, summaryChecksum: summaryChecksum, inode: inode,
      writtenAt: parts.count == 7 ? Int(parts[5]) : nil)
  }

  private static func checksum(of bytes: some Sequence<UInt8>) -> Int64 {
    var sum = Checksum()
    sum.add(bytes)
    return sum.value
  }
}
