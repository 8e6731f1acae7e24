import Glibc
import SQLite

/// The terms of an index in their order, each with its first ranks, as blocks in its region.
///
/// A block has sixteen terms: of each how many letters it has in common with the one before, how many follow, and these; the list of its
/// further ranks and how many there are; the bytes of its first ranks (`PostingList`) and how many these are. The first term of a block stands
/// there whole, so that a block is found by halving (front coding; Witten, Moffat and Bell 1999), in a fifth of what a table of SQLite takes.
struct FrontCodedDictionary {
  static let perBlock = 16
  /// The longest term that is read; those that are written are shorter by far.
  private static let longest = 1024

  /// A term that was found.
  struct TermEntry {
    /// The bytes of its first ranks, as long as the region is there.
    var ranks: UnsafeRawBufferPointer
    var list: UInt32
    var further: Int
    /// Letters of the whole term and its kind.
    var length: Int
  }

  let blocks: BlobTable

  /// What stands under a term; nil for one that is not there. Throws what SQLite throws for a damaged table where what is read is damaged.
  func entry(_ term: [UInt8], in region: MappedRegion) throws(SQLiteError) -> TermEntry? {
    var found: TermEntry?
    let isSound = term.withUnsafeBytes { term in
      walk(from: term, in: region) { text, entry in
        if FrontCodedDictionary.order(text, term) == 0 { found = entry }
        return false
      }
    }
    guard isSound else { throw FrontCodedDictionary.damage }
    return found
  }

  /// Goes through the terms from one on and before another, in their order, until the body says false. Throws as `entry` does.
  func each(from first: [UInt8], before end: [UInt8], in region: MappedRegion, _ body: (TermEntry) -> Bool) throws(SQLiteError) {
    let isSound = first.withUnsafeBytes { first in
      end.withUnsafeBytes { end in
        walk(from: first, in: region) { text, entry in FrontCodedDictionary.order(text, end) < 0 && body(entry) }
      }
    }
    if !isSound { throw FrontCodedDictionary.damage }
  }

  /// SQLITE_CORRUPT.
  private static let damage = SQLiteError(code: 11, message: "a block of terms is damaged")

  /// All terms in their order.
  func all(in region: MappedRegion) -> [[UInt8]] {
    var terms: [[UInt8]] = []
    _ = walk(from: UnsafeRawBufferPointer(start: nil, count: 0), in: region) { text, _ in
      terms.append(Array(text))
      return true
    }
    return terms
  }

  /// Goes through the terms from one on, until the body says false; false where what is read is damaged.
  private func walk(
    from term: UnsafeRawBufferPointer, in region: MappedRegion, _ body: (_ text: UnsafeRawBufferPointer, TermEntry) -> Bool
  ) -> Bool {
    let bytes = blocks.bytes(in: region)
    var (low, high) = (0, blocks.count)
    // The last block whose first term is no greater.
    while high - low > 1 {
      let middle = (low + high) / 2
      var reader = MappedReader(bytes, from: blocks.place(middle, in: region), to: bytes.count)
      guard reader.number() == 0, let count = reader.number(), let first = reader.raw(count) else { return false }
      if FrontCodedDictionary.order(term, first) < 0 { high = middle } else { low = middle }
    }
    let start = low
    return withUnsafeTemporaryAllocation(byteCount: FrontCodedDictionary.longest, alignment: 1) { room in
      while low < blocks.count {
        var reader = MappedReader(bytes, from: blocks.place(low, in: region), to: blocks.place(low + 1, in: region))
        // How many letters the text has in common with the term, and whether it stands before it.
        var (length, same, isBefore) = (0, 0, true)
        while !reader.isAtEnd {
          guard let common = reader.number(), common <= length, let count = reader.number(), count <= room.count - common,
            let rest = reader.raw(count), let list = reader.number(), let further = list == 0 ? 0 : reader.number(),
            let size = reader.number(), let ranks = reader.raw(size), let list = UInt32(exactly: list)
          else { return false }
          length = common + count
          if isBefore {
            // What has more in common with a text before the term than that with the term stands before it, too.
            if common <= same {
              same = common
              while same < min(length, term.count), rest[same - common] == term[same] { same += 1 }
              isBefore = same < term.count && (same == length || rest[same - common] < term[same])
            }
            if isBefore {
              // Behind the first block all terms are later ones.
              guard low == start else { return false }
              continue
            }
            // The texts before this one were not kept, but what it has in common with them is the term's.
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: term[..<common]))
          }
          UnsafeMutableRawBufferPointer(rebasing: room[common...]).copyMemory(from: rest)
          let entry = TermEntry(ranks: ranks, list: list, further: further, length: length)
          let text = UnsafeRawBufferPointer(rebasing: room[..<length])
          guard body(text, entry) else { return true }
        }
        low += 1
      }
      return true
    }
  }

  /// Below zero where one text comes before the other, byte by byte; zero where they are the same.
  private static func order(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    let common = min(one.count, other.count)
    if common > 0, let first = one.baseAddress, let second = other.baseAddress {
      let order = memcmp(first, second, common)
      if order != 0 { return Int(order) }
    }
    return one.count - other.count
  }
}

/// Reads numbers as `ByteWriter` writes them, of at most five bytes, where they are mapped; nil at the end and for longer ones.
private struct MappedReader {
  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  private let end: Int

  /// `end` is no further than where the bytes end.
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
  /// Encodes the terms of the scratch file, in their order, as blocks.
  static func write(termsIn scratch: Database) throws(BuildFailure) -> BlobTableSpool {
    var blocks = BlobTableSpool(scratch, table: "block")
    let terms = try BuildFailure.wrap { () throws(SQLiteError) in
      try scratch.statement("SELECT term, ranks, list, further FROM term ORDER BY term")
    }
    var writer = ByteWriter()
    var last: [UInt8] = []
    var count = 0
    while try BuildFailure.wrap(terms.step) {
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
