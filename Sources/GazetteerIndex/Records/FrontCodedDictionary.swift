import Glibc
import SQLite

/// The terms of an index in ascending order, each with the first ranks of its places, in blocks of sixteen (front coding; Witten,
/// Moffat and Bell, Managing Gigabytes, 1999). A place's rank is its number in the order of falling importance (`IndexSchema`). The
/// dictionary takes a fifth of the space of an SQLite table. A block is found by binary search over the first terms.
///
/// Layout of a term in a block, where a number is an LEB128 varint (`ByteWriter`):
///
///     number           the length of the prefix that the term shares with the term before; 0 for the first term of a block
///     number, bytes    the length of the term's remaining bytes; these bytes
///     number           the id of the list of the further ranks in the table `posting`; 0 if there are none
///     number           how many further ranks there are; missing if the id is 0
///     number, bytes    the length of the first ranks in bytes; the first ranks (PostingList)
struct FrontCodedDictionary {
  /// The number of terms in a block.
  static let perBlock = 16
  /// A longer term is treated as damage. All terms that the builder writes are shorter than half of this.
  private static let maxTermLength = 1024

  /// The stored data of a term.
  struct TermEntry {
    /// The encoded first ranks, which are valid as long as the region.
    var ranks: UnsafeRawBufferPointer
    /// The id of the list of the further ranks in the table `posting`; 0 if there are none.
    var listID: UInt32
    /// The number of further ranks.
    var furtherCount: Int
    /// The length of the term in bytes, its kind included.
    var length: Int
  }

  let blocks: BlobTable
  /// The memory that contains the blocks.
  let region: MappedRegion

  /// The entry of a term; nil if the term does not exist. Throws SQLITE_CORRUPT for a damaged block.
  func entry(_ term: [UInt8]) throws(SQLiteError) -> TermEntry? {
    var found: TermEntry?
    let isSound = term.withUnsafeBytes { term in
      walk(from: term) { stored, entry in
        if FrontCodedDictionary.order(stored, term) == 0 { found = entry }
        return false
      }
    }
    guard isSound else { throw FrontCodedDictionary.damage }
    return found
  }

  /// Calls the body with the entries of the terms from `first` on and before `end`, in ascending order, until the body returns false.
  /// Throws as `entry` does.
  func each(from first: [UInt8], before end: [UInt8], _ body: (TermEntry) -> Bool) throws(SQLiteError) {
    let isSound = first.withUnsafeBytes { first in
      end.withUnsafeBytes { end in
        walk(from: first) { term, entry in FrontCodedDictionary.order(term, end) < 0 && body(entry) }
      }
    }
    if !isSound { throw FrontCodedDictionary.damage }
  }

  /// SQLITE_CORRUPT.
  private static let damage = SQLiteError(code: 11, message: "a block of terms is damaged")

  /// Calls the body with each term that is not before `target`, in ascending order, until the body returns false. Returns false if a
  /// block is damaged.
  func walk(from target: UnsafeRawBufferPointer, _ body: (_ term: UnsafeRawBufferPointer, TermEntry) -> Bool) -> Bool {
    let bytes = blocks.bytes(in: region)
    var (low, high) = (0, blocks.count)
    // Binary search for the last block whose first term is not greater than `target`.
    while high - low > 1 {
      let middle = (low + high) / 2
      var reader = MappedReader(bytes, from: blocks.offset(middle, in: region), to: bytes.count)
      guard reader.number() == 0, let count = reader.number(), let first = reader.raw(count) else { return false }
      if FrontCodedDictionary.order(target, first) < 0 { high = middle } else { low = middle }
    }
    let firstBlock = low
    var block = firstBlock
    return withUnsafeTemporaryAllocation(byteCount: FrontCodedDictionary.maxTermLength, alignment: 1) { room in
      while block < blocks.count {
        var reader = MappedReader(bytes, from: blocks.offset(block, in: region), to: blocks.offset(block + 1, in: region))
        // The length of the current term of the block, the length of the prefix that it shares with `target`, and whether it sorts before
        // `target`.
        var (length, shared, isBefore) = (0, 0, true)
        while !reader.isAtEnd {
          // The term is the first `common` bytes of the term before it, and the suffix.
          guard let common = reader.number(), common <= length, let count = reader.number(), count <= room.count - common,
            let suffix = reader.raw(count), let list = reader.number(), let furtherCount = list == 0 ? 0 : reader.number(),
            let size = reader.number(), let ranks = reader.raw(size), let listID = UInt32(exactly: list)
          else { return false }
          length = common + count
          if isBefore {
            // The term before sorts before `target`. If this term also has the byte in which the term before differs from `target`, it
            // sorts before `target` for the same reason.
            if common <= shared {
              shared = common
              while shared < min(length, target.count), suffix[shared - common] == target[shared] { shared += 1 }
              isBefore = shared < target.count && (shared == length || suffix[shared - common] < target[shared])
            }
            if isBefore {
              // Only the first block can contain smaller terms.
              guard block == firstBlock else { return false }
              continue
            }
            // The skipped terms were not copied to `room`. The first `common` bytes of this term equal those of `target`, so they are
            // copied from there.
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: target[..<common]))
          }
          UnsafeMutableRawBufferPointer(rebasing: room[common...]).copyMemory(from: suffix)
          let entry = TermEntry(ranks: ranks, listID: listID, furtherCount: furtherCount, length: length)
          let term = UnsafeRawBufferPointer(rebasing: room[..<length])
          guard body(term, entry) else { return true }
        }
        block += 1
      }
      return true
    }
  }

  /// The bytewise order: negative, zero or positive.
  private static func order(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    let common = min(one.count, other.count)
    if common > 0, let first = one.baseAddress, let second = other.baseAddress {
      let order = memcmp(first, second, common)
      if order != 0 { return Int(order) }
    }
    return one.count - other.count
  }
}

/// Reads bytes and varints of at most five bytes from mapped memory. Each method returns nil if the memory ends before the value, and for a
/// longer varint.
private struct MappedReader {
  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  private let end: Int

  /// - Parameter end: at most the count of the bytes.
  init(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
    self.bytes = bytes
    position = start
    self.end = end
  }

  var isAtEnd: Bool { position >= end }

  mutating func number() -> Int? {
    var (value, shift) = (0, 0)
    while position < end, shift < 35 {
      let byte = bytes[position]
      position += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  mutating func raw(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count <= end - position else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
  }
}

extension FrontCodedDictionary {
  /// Encodes the terms of the scratch file in blocks.
  static func write(termsIn scratch: Database) throws -> BlobTableSpool {
    var blocks = BlobTableSpool(scratch, table: "block")
    let terms = try scratch.statement("SELECT term, ranks, list, further FROM term ORDER BY term")
    var writer = ByteWriter()
    var last: [UInt8] = []
    var count = 0
    while try terms.step() {
      if count == perBlock {
        try blocks.add(writer.bytes)
        writer.removeAll()
        last.removeAll()
        count = 0
      }
      let (term, ranks, list) = (terms.blob(0), terms.blob(1), terms.integer(2))
      let common = zip(last, term).prefix { $0 == $1 }.count
      writer.number(UInt64(common))
      writer.number(UInt64(term.count - common))
      writer.raw(term[common...])
      writer.number(UInt64(list))
      if list > 0 { writer.number(UInt64(terms.integer(3))) }
      writer.number(UInt64(ranks.count))
      writer.raw(ranks)
      last = term
      count += 1
    }
    if count > 0 { try blocks.add(writer.bytes) }
    try blocks.finish()
    return blocks
  }
}
