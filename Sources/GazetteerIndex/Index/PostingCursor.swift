import SQLite

/// Iterates over a list of ranks, the most important place first. Blocks are read from the file when they are needed.
struct PostingCursor {
  /// The number of ranks in the list.
  let count: Int
  /// The ranks of a list in memory; empty for a stored list.
  private let ranks: [UInt32]
  /// The index of the next rank in `ranks`.
  private var nextIndex = 0
  /// The first ranks of a stored list, or the block that was read last; empty for a list in memory.
  private var block: PostingList.Reader
  /// A rank that was read but not returned yet.
  private var pendingRank: UInt32?
  /// The file and the list of the blocks that follow; nil if there are none, or after the last one was read.
  private var furtherBlocks: (file: IndexFile, listID: UInt32)?

  /// A list in memory.
  /// - Parameter ranks: the ranks in ascending order.
  init(ranks: [UInt32]) {
    self.ranks = ranks
    count = ranks.count
    block = PostingList.Reader([], after: 0)
  }

  /// A stored list.
  /// - Parameters:
  ///   - firstRanks: the first ranks, encoded.
  ///   - furtherCount: the number of ranks in the blocks of the list `listID` in the file.
  init(_ firstRanks: UnsafeRawBufferPointer, furtherCount: Int, listID: UInt32, in file: IndexFile) {
    ranks = []
    count = PostingList.count(firstRanks) + furtherCount
    block = PostingList.Reader(Array(firstRanks), after: 0)
    if furtherCount > 0 { furtherBlocks = (file, listID) }
  }

  /// The ranks that are in any of the lists, in ascending order.
  static func merged(_ lists: [PostingCursor]) throws(SQLiteError) -> [UInt32] {
    var ranks: [UInt32] = []
    for list in lists {
      var list = list
      while let rank = try list.next() { ranks.append(rank) }
    }
    return sortedUnique(ranks)
  }

  /// The ranks in ascending order, each once.
  static func sortedUnique(_ ranks: [UInt32]) -> [UInt32] {
    // The ranks of one list are in order already, and often those of a few short lists one after another are, too.
    guard ranks.indices.dropFirst().contains(where: { ranks[$0 - 1] >= ranks[$0] }) else { return ranks }
    var sorted = ranks.sorted()
    var count = 1
    for index in sorted.indices.dropFirst() where sorted[index] != sorted[count - 1] {
      sorted[count] = sorted[index]
      count += 1
    }
    sorted.removeLast(sorted.count - count)
    return sorted
  }

  /// The next rank; nil at the end.
  mutating func next() throws(SQLiteError) -> UInt32? {
    if let rank = nextInMemory(notBelow: 0) { return rank }
    return try loadBlock(for: nil) ? nextInMemory(notBelow: 0) : nil
  }

  /// The next rank that is at least `least`; nil if there is none. Blocks that end before `least` are not read.
  mutating func next(notBelow least: UInt32) throws(SQLiteError) -> UInt32? {
    repeat {
      if let rank = nextInMemory(notBelow: least) { return rank }
    } while try loadBlock(for: least)
    return nil
  }

  /// Whether the list contains a rank. The cursor advances to this rank, so later calls must not ask for lower ranks.
  mutating func contains(_ rank: UInt32) throws(SQLiteError) -> Bool {
    pendingRank = try next(notBelow: rank)
    return pendingRank == rank
  }

  /// The next rank that is at least `least` among the ranks that are in memory; nil if there is none.
  private mutating func nextInMemory(notBelow least: UInt32) -> UInt32? {
    if let rank = pendingRank.take(), rank >= least { return rank }
    while nextIndex < ranks.count {
      let rank = ranks[nextIndex]
      nextIndex += 1
      if rank >= least { return rank }
    }
    return block.next(notBelow: least)
  }

  /// Reads the next block or, if `wantedRank` is given, the block that would contain it. Returns false if there are no further blocks.
  private mutating func loadBlock(for wantedRank: UInt32?) throws(SQLiteError) -> Bool {
    guard let (file, listID) = furtherBlocks else { return false }
    guard let nextBlock = try file.block(of: listID, after: block.last, for: wantedRank) else {
      furtherBlocks = nil
      return false
    }
    (pendingRank, block) = (nextBlock.firstRank, nextBlock.otherRanks)
    return true
  }
}

extension [PostingCursor] {
  /// Whether any of the lists contains the rank. The cursors do not advance.
  func anyContains(_ rank: UInt32) throws(SQLiteError) -> Bool {
    for list in self {
      var list = list
      if try list.contains(rank) { return true }
    }
    return false
  }
}
