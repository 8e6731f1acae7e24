/// A table of byte strings inside a mapped region.
///
/// Layout: `count` + 1 offsets of 32 bits, two in each word, the lower half first: where each string begins, and where the last one ends, in
/// bytes from the first string on. Then the strings, one after another. `BlobTableSpool` writes it.
struct BlobTable {
  private let start: Int
  let count: Int
  private let words: Int

  /// - Parameters:
  ///   - start: the first word of the table.
  ///   - words: the words of all strings.
  init(from start: Int, count: Int, words: Int) {
    self.start = start
    self.count = count
    self.words = words
  }

  /// The words of the offsets of `count` strings.
  static func offsetWords(_ count: Int) -> Int { count == 0 ? 0 : count / 2 + 1 }

  private var first: Int { start + BlobTable.offsetWords(count) }
  /// The index of the word after the table.
  var end: Int { first + words }

  /// The bytes of all strings, valid as long as the region.
  func bytes(in region: MappedRegion) -> UnsafeRawBufferPointer { region.bytes(from: first, count: words) }

  /// The offset at which a string begins, or the last one ends; a damaged offset is cut to the end of the bytes.
  func offset(_ index: Int, in region: MappedRegion) -> Int {
    min(words * 8, Int(UInt32(truncatingIfNeeded: region[start + index / 2] >> (index % 2 == 0 ? 0 : 32))))
  }
}
