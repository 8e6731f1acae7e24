import Glibc
import SQLite

/// The terms of an index in ascending order, each with the first ranks of its places, in blocks of sixteen (front coding; Witten,
/// Moffat and Bell, Managing Gigabytes, 1999). A place's rank is its number in the order of descending importance (`IndexSchema`). The
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
  static let termsPerBlock = 16
  /// The maximum length of a term in bytes. A longer term is treated as damage; the builder's are shorter than half of this.
  private static let maxTermLength = 1024

  /// The stored data of a term.
  struct TermEntry {
    /// The encoded first ranks. The pointer is valid as long as the region.
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
    var foundEntry: TermEntry?
    let isSound = term.withUnsafeBytes { termBytes in
      walk(from: termBytes) { storedTerm, entry in
        if FrontCodedDictionary.order(storedTerm, termBytes) == 0 { foundEntry = entry }
        return false
      }
    }
    guard isSound else { throw FrontCodedDictionary.damage }
    return foundEntry
  }

  /// Calls the body with the entries of the terms from `first` on and before `end`, in ascending order, until the body returns false.
  /// Throws as `entry` does.
  func each(from first: [UInt8], before end: [UInt8], _ body: (TermEntry) -> Bool) throws(SQLiteError) {
    let isSound = first.withUnsafeBytes { firstBytes in
      end.withUnsafeBytes { endBytes in
        walk(from: firstBytes) { term, entry in FrontCodedDictionary.order(term, endBytes) < 0 && body(entry) }
      }
    }
    if !isSound { throw FrontCodedDictionary.damage }
  }

  /// The code 11 is SQLITE_CORRUPT.
  private static let damage = SQLiteError(code: 11, message: "a block of terms is damaged")

  /// Calls the body with each term that is not before `target`, in ascending order, until the body returns false. Returns false if a
  /// block is damaged.
  func walk(from target: UnsafeRawBufferPointer, _ body: (_ term: UnsafeRawBufferPointer, TermEntry) -> Bool) -> Bool {
    let bytes = blocks.bytes(in: region)
    guard let firstBlock = block(before: target, in: bytes) else { return false }
    return withUnsafeTemporaryAllocation(byteCount: FrontCodedDictionary.maxTermLength, alignment: 1) { termBuffer in
      for blockIndex in firstBlock..<max(firstBlock, blocks.count) {
        var reader = MappedReader(bytes, from: blocks.offset(blockIndex, in: region), to: blocks.offset(blockIndex + 1, in: region))
        var comparison = TargetComparison(target)
        while !reader.isAtEnd {
          guard let coded = CodedTerm(&reader, after: comparison.length, maxLength: termBuffer.count) else { return false }
          if comparison.isBefore {
            comparison.advance(to: coded)
            if comparison.isBefore {
              // Only the first block can contain smaller terms.
              guard blockIndex == firstBlock else { return false }
              continue
            }
            // The skipped terms were not copied to `termBuffer`. The first `sharedLength` bytes of this term equal those of `target`, so
            // they are copied from there.
            termBuffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: target[..<coded.sharedLength]))
          }
          comparison.length = coded.length
          UnsafeMutableRawBufferPointer(rebasing: termBuffer[coded.sharedLength...]).copyMemory(from: coded.suffix)
          guard body(UnsafeRawBufferPointer(rebasing: termBuffer[..<coded.length]), coded.entry) else { return true }
        }
      }
      return true
    }
  }

  /// The index of the last block whose first term is not after `target`, or 0 if there is none; nil if a block is damaged.
  private func block(before target: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Int? {
    var (low, high) = (0, blocks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      var reader = MappedReader(bytes, from: blocks.offset(middle, in: region), to: bytes.count)
      // The first term of a block shares no prefix with the term before it.
      guard reader.number() == 0, let length = reader.number(), let firstTerm = reader.raw(length) else { return nil }
      if FrontCodedDictionary.order(target, firstTerm) < 0 { high = middle } else { low = middle }
    }
    return low
  }

  /// A term as a block contains it: the number of bytes that it shares with the start of the term before it, and the other bytes.
  private struct CodedTerm {
    let sharedLength: Int
    let suffix: UnsafeRawBufferPointer
    let entry: TermEntry
    var length: Int { entry.length }

    /// Reads a term; nil if the block is damaged.
    /// - Parameters:
    ///   - lastLength: the length of the term before it.
    ///   - maxLength: the maximum length of a term.
    init?(_ reader: inout MappedReader, after lastLength: Int, maxLength: Int) {
      guard let sharedLength = reader.number(), sharedLength <= lastLength,
        let suffixLength = reader.number(), suffixLength <= maxLength - sharedLength, let suffix = reader.raw(suffixLength),
        let listNumber = reader.number(), let furtherCount = listNumber == 0 ? 0 : reader.number(),
        let ranksLength = reader.number(), let ranks = reader.raw(ranksLength), let listID = UInt32(exactly: listNumber)
      else { return nil }
      (self.sharedLength, self.suffix) = (sharedLength, suffix)
      entry = TermEntry(ranks: ranks, listID: listID, furtherCount: furtherCount, length: sharedLength + suffixLength)
    }
  }

  /// Compares the terms of a block with a target, one after the other, without copying them.
  private struct TargetComparison {
    let target: UnsafeRawBufferPointer
    /// The length of the current term.
    var length = 0
    /// Whether the current term sorts before the target.
    private(set) var isBefore = true
    /// The length of the prefix that the current term shares with the target.
    private var lengthSharedWithTarget = 0

    init(_ target: UnsafeRawBufferPointer) { self.target = target }

    /// Goes to the next term. Call it while the current term sorts before the target.
    mutating func advance(to term: CodedTerm) {
      length = term.length
      // If the term also has the byte in which the term before it differs from the target, it sorts before the target for the same reason.
      guard term.sharedLength <= lengthSharedWithTarget else { return }
      var index = term.sharedLength
      while index < min(length, target.count), term.suffix[index - term.sharedLength] == target[index] { index += 1 }
      isBefore = index < target.count && (index == length || term.suffix[index - term.sharedLength] < target[index])
      lengthSharedWithTarget = index
    }
  }

  /// The bytewise order of two terms: negative if `left` sorts before `right`, 0 if they are equal, and positive otherwise.
  private static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let shorterLength = min(left.count, right.count)
    if shorterLength > 0, let leftBytes = left.baseAddress, let rightBytes = right.baseAddress {
      let difference = memcmp(leftBytes, rightBytes, shorterLength)
      if difference != 0 { return Int(difference) }
    }
    return left.count - right.count
  }
}

/// Reads bytes and varints of at most five bytes from mapped memory. Each method returns nil if the memory ends before the value, and for a
/// longer varint.
private struct MappedReader {
  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  private let end: Int

  /// - Parameter end: the index after the last byte to read; at most the count of the bytes.
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
  /// Encodes the terms of the scratch file in blocks. Returns the blocks, which are not in the index file yet.
  static func write(termsIn scratch: Database) throws -> BlobTableSpool {
    var blocks = BlobTableSpool(scratch, table: "block")
    let terms = try scratch.statement("SELECT term, ranks, list, further FROM term ORDER BY term")
    var writer = ByteWriter()
    var previousTerm: [UInt8] = []
    var blockTermCount = 0
    while try terms.step() {
      if blockTermCount == termsPerBlock {
        try blocks.add(writer.bytes)
        writer.removeAll()
        previousTerm.removeAll()
        blockTermCount = 0
      }
      let (term, ranks, listNumber) = (terms.blob(0), terms.blob(1), terms.integer(2))
      let sharedLength = zip(previousTerm, term).prefix { $0 == $1 }.count
      writer.number(UInt64(sharedLength))
      writer.number(UInt64(term.count - sharedLength))
      writer.raw(term[sharedLength...])
      writer.number(UInt64(listNumber))
      if listNumber > 0 { writer.number(UInt64(terms.integer(3))) }
      writer.number(UInt64(ranks.count))
      writer.raw(ranks)
      previousTerm = term
      blockTermCount += 1
    }
    if blockTermCount > 0 { try blocks.add(writer.bytes) }
    try blocks.finish()
    return blocks
  }
}
