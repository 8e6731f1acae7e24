import SQLite

/// Goes through a list of ranks from the most important place on, and reads no more of it than is asked for.
struct PostingCursor {
  private var ranks: [UInt32]
  private var index = 0
  private var file: IndexFile?
  private var nextBlock = 0
  private var blocksLeft = 0

  /// A list that is already here, ascending.
  init(ranks: [UInt32]) { self.ranks = ranks }

  init(ranks: [UInt32], file: IndexFile, next: Int, blocks: Int) {
    self.ranks = ranks
    self.file = file
    nextBlock = next
    blocksLeft = blocks
  }

  mutating func next() throws(SQLiteError) -> UInt32? {
    if index == ranks.count {
      guard blocksLeft > 0, let file, let last = ranks.last else { return nil }
      ranks.removeAll(keepingCapacity: true)
      index = 0
      try file.block(nextBlock, after: last, into: &ranks)
      nextBlock += 1
      blocksLeft -= 1
      guard !ranks.isEmpty else { return nil }
    }
    defer { index += 1 }
    return ranks[index]
  }

  /// The next rank that is no less; those between are passed over.
  mutating func next(notBelow least: UInt32) throws(SQLiteError) -> UInt32? {
    while let rank = try next() { if rank >= least { return rank } }
    return nil
  }
}
