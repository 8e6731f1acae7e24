/// A table of byte strings inside a mapped region, whose words have 64 bits.
///
/// The table begins with `count` + 1 offsets of 32 bits, two in each word, the lower half first. They state where each string begins, and
/// where the last one ends, in bytes from the beginning of the first string. The strings follow, one after another. `BlobTableSpool` writes
/// a table.
struct BlobTable {
  /// The index of the table's first word in the region.
  let firstWord: Int
  /// The number of strings.
  let count: Int
  /// The number of words that the bytes of all strings fill.
  let stringWordCount: Int

  /// The number of words that the offsets of `count` strings fill.
  private static func offsetWordCount(_ count: Int) -> Int { count == 0 ? 0 : count / 2 + 1 }

  /// The index of the first word of the strings.
  private var firstStringWord: Int { firstWord + BlobTable.offsetWordCount(count) }
  /// The index of the word after the table.
  var endWord: Int { firstStringWord + stringWordCount }

  /// The bytes of all strings. The pointer is valid as long as the region.
  func bytes(in region: MappedRegion) -> UnsafeRawBufferPointer { region.bytes(from: firstStringWord, wordCount: stringWordCount) }

  /// The offset in bytes at which the string with an index begins or, for the index `count`, at which the last one ends. A damaged offset
  /// is reduced to the end of the bytes.
  func offset(_ index: Int, in region: MappedRegion) -> Int {
    let word = region[firstWord + index / 2]
    let storedOffset = UInt32(truncatingIfNeeded: index % 2 == 0 ? word : word >> 32)
    return min(stringWordCount * 8, Int(storedOffset))
  }
}
