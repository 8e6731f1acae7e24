/// A table of byte strings inside a mapped region, whose words have 64 bits.
///
/// The table begins with `count` + 1 offsets of 32 bits, two in each word, the lower half first. They state where each string begins, and
/// where the last one ends, in bytes from the beginning of the first string. The strings follow, one after another. `BlobTableSpool` writes
/// a table.
struct BlobTable {
  /// The index of the table's first word in the region.
  let start: Int
  /// The number of strings.
  let count: Int
  /// The number of words that the bytes of all strings fill.
  let words: Int

  /// The number of words that the offsets of `count` strings fill.
  static func offsetWords(_ count: Int) -> Int { count == 0 ? 0 : count / 2 + 1 }

  /// The index of the first word of the strings.
  private var firstString: Int { start + BlobTable.offsetWords(count) }
  /// The index of the word after the table.
  var end: Int { firstString + words }

  /// The bytes of all strings. The pointer is valid as long as the region.
  func bytes(in region: MappedRegion) -> UnsafeRawBufferPointer { region.bytes(from: firstString, count: words) }

  /// The offset in bytes at which the string with an index begins or, for the index `count`, at which the last one ends. A damaged offset
  /// is reduced to the end of the bytes.
  func offset(_ index: Int, in region: MappedRegion) -> Int {
    min(words * 8, Int(UInt32(truncatingIfNeeded: region[start + index / 2] >> (index % 2 == 0 ? 0 : 32))))
  }
}
