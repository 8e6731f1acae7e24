/// The rows of an index's first places, where they stand among the words of its tail: two places of 32 bits to a word, where each row begins
/// and the last one ends, then the bytes of the rows.
struct KeptRows {
  private let start: Int
  private let rows: Int
  private let words: Int

  /// `rows` rows of so many words in all, from a word on.
  init(from start: Int, rows: Int, words: Int) {
    self.start = start
    self.rows = rows
    self.words = words
  }

  /// Words of the places of so many rows.
  static func placeWords(_ rows: Int) -> Int { rows == 0 ? 0 : rows / 2 + 1 }

  private var first: Int { start + KeptRows.placeWords(rows) }
  /// The word behind the last.
  var end: Int { first + words }

  /// The row of a place; nil where none is kept.
  func row(_ rank: UInt32, in tail: MappedWords) -> [UInt8]? {
    guard rank > 0, rank <= rows else { return nil }
    let (from, to) = (place(Int(rank) - 1, in: tail), place(Int(rank), in: tail))
    guard from < to, to <= words * 8 else { return nil }
    return tail.bytes(of: first, from..<to)
  }

  private func place(_ index: Int, in tail: MappedWords) -> Int {
    Int(UInt32(truncatingIfNeeded: tail[start + index / 2] >> (index % 2 == 0 ? 0 : 32)))
  }
}
