import SQLite

/// Goes through a list of ranks from the most important place on, and reads no more of it than is asked for.
struct PostingCursor {
  /// How many ranks the list holds.
  let count: Int
  private var ranks: [UInt32]
  private var index = 0
  /// Where the further blocks are; nil once all are read.
  private var rest: (file: IndexFile, list: UInt32)?

  /// A list that is already here, ascending.
  init(ranks: [UInt32]) {
    self.ranks = ranks
    count = ranks.count
  }

  /// A list of which the first ranks are here, and `further` more in the blocks of a list in the file.
  init(ranks: [UInt32], further: Int, list: UInt32, in file: IndexFile) {
    self.ranks = ranks
    count = ranks.count + further
    if further > 0 { rest = (file, list) }
  }

  /// All ranks of some lists, ascending, each once.
  static func merged(_ lists: [PostingCursor]) throws(SQLiteError) -> [UInt32] {
    var ranks: [UInt32] = []
    for list in lists {
      var list = list
      while let rank = try list.next() { ranks.append(rank) }
    }
    return ascending(ranks)
  }

  /// The ranks in their order, each once.
  static func ascending(_ ranks: [UInt32]) -> [UInt32] {
    // Those of one list are so already, and so are those of a few short ones now and then.
    guard ranks.indices.dropFirst().contains(where: { ranks[$0 - 1] >= ranks[$0] }) else { return ranks }
    var kept = ranks.sorted()
    var count = 1
    for index in kept.indices.dropFirst() where kept[index] != kept[count - 1] {
      kept[count] = kept[index]
      count += 1
    }
    kept.removeLast(kept.count - count)
    return kept
  }

  mutating func next() throws(SQLiteError) -> UInt32? {
    if index == ranks.count {
      guard let last = ranks.last, try load(after: last, for: nil) else { return nil }
    }
    defer { index += 1 }
    return ranks[index]
  }

  /// The next rank that is no less; blocks between are not read.
  mutating func next(notBelow least: UInt32) throws(SQLiteError) -> UInt32? {
    if let last = ranks.last, last < least {
      guard try load(after: last, for: least) else { return nil }
    }
    while let rank = try next() { if rank >= least { return rank } }
    return nil
  }

  /// Whether the list holds a rank that is no less than those before; the next one stays the next.
  mutating func holds(_ rank: UInt32) throws(SQLiteError) -> Bool {
    if let last = ranks.last, last < rank { guard try load(after: last, for: rank) else { return false } }
    while index < ranks.count, ranks[index] < rank { index += 1 }
    return index < ranks.count && ranks[index] == rank
  }

  /// Reads the block behind a rank, or the later one in which another must stand; false where there is none.
  private mutating func load(after last: UInt32, for wanted: UInt32?) throws(SQLiteError) -> Bool {
    index = ranks.count
    guard let (file, list) = rest else { return false }
    guard let block = try file.block(of: list, after: last, for: wanted), !block.isEmpty else {
      rest = nil
      return false
    }
    ranks = block
    index = 0
    return true
  }
}
