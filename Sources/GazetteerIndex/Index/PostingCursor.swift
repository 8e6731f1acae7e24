import SQLite

/// Goes through a list of ranks from the most important place on, and reads no more of it than is asked for.
struct PostingCursor {
  /// How many ranks the list holds.
  let count: Int
  /// Ranks that are here in full, and those that are here as they are kept; a list has either.
  private let ranks: [UInt32]
  private var index = 0
  private var block: PostingList.Reader
  /// A rank that was looked at and is still to be given.
  private var seen: UInt32?
  /// Where the further blocks are; nil once all are read.
  private var rest: (file: IndexFile, list: UInt32)?

  /// A list that is already here, ascending.
  init(ranks: [UInt32]) {
    self.ranks = ranks
    count = ranks.count
    block = PostingList.Reader([], after: 0)
  }

  /// A list of which the first ranks are here as they are kept, and `further` more in the blocks of a list in the file.
  init(_ first: UnsafeRawBufferPointer, further: Int, list: UInt32, in file: IndexFile) {
    ranks = []
    count = PostingList.count(first) + further
    block = PostingList.Reader(Array(first), after: 0)
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
    if let rank = nextHere(notBelow: 0) { return rank }
    return try load(for: nil) ? nextHere(notBelow: 0) : nil
  }

  /// The next rank that is no less; blocks between are not read.
  mutating func next(notBelow least: UInt32) throws(SQLiteError) -> UInt32? {
    repeat {
      if let rank = nextHere(notBelow: least) { return rank }
    } while try load(for: least)
    return nil
  }

  /// Whether the list holds a rank that is no less than those before; the next one stays the next.
  mutating func holds(_ rank: UInt32) throws(SQLiteError) -> Bool {
    seen = try next(notBelow: rank)
    return seen == rank
  }

  private mutating func nextHere(notBelow least: UInt32) -> UInt32? {
    if let rank = seen.take(), rank >= least { return rank }
    while index < ranks.count {
      let rank = ranks[index]
      index += 1
      if rank >= least { return rank }
    }
    return block.next(notBelow: least)
  }

  /// Reads the block behind the ranks that were here, or the later one in which another must stand; false where there is none.
  private mutating func load(for wanted: UInt32?) throws(SQLiteError) -> Bool {
    guard let (file, list) = rest else { return false }
    guard let next = try file.block(of: list, after: block.last, for: wanted) else {
      rest = nil
      return false
    }
    (seen, block) = (next.first, next.further)
    return true
  }
}
