import SQLite

/// Iterates over the ranks that all of several ascending lists contain.
struct CommonRanks {
  private var lists: [PostingCursor]

  init(_ lists: consuming [PostingCursor]) { self.lists = lists }

  /// Whether all lists contain a rank; false if there are no lists. Call it with ascending ranks.
  mutating func contains(_ rank: UInt32) throws(SQLiteError) -> Bool {
    guard !lists.isEmpty else { return false }
    for index in lists.indices { guard try lists[index].contains(rank) else { return false } }
    return true
  }

  /// The next rank that all lists contain; nil at the end.
  mutating func next() throws(SQLiteError) -> UInt32? {
    guard !lists.isEmpty, var candidate = try lists[0].next() else { return nil }
    if lists.count == 1 { return candidate }
    // The lists are read in turn. This is the number of successive lists, ending with the one before `index`, that contain the candidate.
    var agreeingCount = 1
    var index = 1
    while agreeingCount < lists.count {
      index %= lists.count
      guard let rank = try lists[index].next(notBelow: candidate) else { return nil }
      agreeingCount = rank == candidate ? agreeingCount + 1 : 1
      candidate = rank
      index += 1
    }
    return candidate
  }
}

/// Checks whether a place has each of some words in its names or its address, the last one as a prefix unless it is complete. All words must
/// be terms of one kind. The kinds (`TermLookup.latinWords`) are tried in turn; the lists of a kind are read only if the place does not have
/// the words in the kinds before it.
///
/// This is a class, so that all walks for one text share the lists.
final class AlignedWords {
  private let words: ArraySlice<String>
  private let lastWordIsComplete: Bool
  private let file: IndexFile
  /// For each kind that was needed so far, the lists of the words, at their beginning; nil if a word has no places in the kind.
  private var lists: [CommonRanks?] = []
  /// The same lists at the position that the current walk has reached.
  private var cursors: [CommonRanks?] = []

  init(_ words: ArraySlice<String>, lastWordIsComplete: Bool, in file: IndexFile) {
    self.words = words
    self.lastWordIsComplete = lastWordIsComplete
    self.file = file
  }

  /// Call it before the first rank of a walk.
  func restart() { cursors = lists }

  /// Whether the place with a rank has all of the words. Call it with ascending ranks, after `restart`.
  func hasAllWords(_ rank: UInt32) throws(SQLiteError) -> Bool {
    for (index, kind) in TermLookup.latinWords.enumerated() {
      if index == lists.count {
        lists.append(try commonList(of: kind))
        cursors.append(lists[index])
      }
      if try cursors[index]?.contains(rank) == true { return true }
    }
    return false
  }

  /// The places that have all of the words as terms of a kind; nil if a word has no places.
  private func commonList(of kind: TermKind) throws(SQLiteError) -> CommonRanks? {
    var wordLists: [PostingCursor] = []
    for (index, word) in zip(words.indices, words) {
      let isWhole = lastWordIsComplete || index < words.endIndex - 1
      guard let list = try isWhole ? file.places(kind, word) : file.places(kind, startingWith: word) else { return nil }
      wordLists.append(list)
    }
    return CommonRanks(wordLists)
  }
}
