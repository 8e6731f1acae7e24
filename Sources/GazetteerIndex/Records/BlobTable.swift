/// Pieces of bytes where they stand among the words of an index's region: two places of 32 bits to a word, where each piece begins and the last
/// one ends, then the bytes of the pieces.
struct BlobTable {
  private let start: Int
  let count: Int
  private let words: Int

  /// `count` pieces of so many words in all, from a word on.
  init(from start: Int, count: Int, words: Int) {
    self.start = start
    self.count = count
    self.words = words
  }

  /// Words of the places of so many pieces.
  static func placeWords(_ count: Int) -> Int { count == 0 ? 0 : count / 2 + 1 }

  private var first: Int { start + BlobTable.placeWords(count) }
  /// The word behind the last.
  var end: Int { first + words }

  /// The bytes of all pieces, as long as the region is there.
  func bytes(in region: MappedRegion) -> UnsafeRawBufferPointer { region.bytes(from: first, count: words) }

  /// Where a piece begins among the bytes, or the last one ends; no further than where they end.
  func place(_ index: Int, in region: MappedRegion) -> Int {
    min(words * 8, Int(UInt32(truncatingIfNeeded: region[start + index / 2] >> (index % 2 == 0 ? 0 : 32))))
  }

  /// A piece; nil where none is, or an empty one.
  func piece(_ index: Int, in region: MappedRegion) -> [UInt8]? {
    guard index >= 0, index < count else { return nil }
    let (from, to) = (place(index, in: region), place(index + 1, in: region))
    return from < to ? Array(bytes(in: region)[from..<to]) : nil
  }
}
