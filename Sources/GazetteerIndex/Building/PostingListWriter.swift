import SQLite
import Text

/// Writes the posting lists of the terms, and those of the prefixes that many places share. A posting list has the ranks of the places with
/// a term. A prefix without a list has so few places that reading its terms one by one is quick. A term is a byte for its kind and then its
/// text.
struct PostingListWriter {
  /// A prefix has its own list only if more than this number of places share it.
  static let maxUnlistedPlaces = 64
  /// The maximum length in bytes, without the byte of the kind, of a prefix that has a list.
  static let maxPrefixLength = 32

  private let index: Database
  private let scratch: Database
  /// The current term, and the ranks of its places so far.
  private var term: [UInt8] = []
  private var ranks: [UInt32] = []
  /// `openLists[n]` is the list of the first n + 1 bytes of the current term. The ranks of a finished term are added to the list of its
  /// longest prefix. When a list is closed, its ranks are added to the list of the next shorter prefix.
  private var openLists: [[UInt32]] = []
  /// The id of the latest list that has blocks in the table `posting`; ids begin at 1.
  private var lastListID = 0
  /// The hashes that the filter of prefixes and terms will contain (`PrefixFilter`).
  private var hashes: IntegerSpool

  private init(index: Database, scratch: Database) {
    self.index = index
    self.scratch = scratch
    hashes = IntegerSpool(scratch, table: "prefix")
  }

  /// Sorts the pairs of term and place, and writes the lists. Returns the filter of prefixes and terms.
  static func writeAll(index: Database, scratch: Database, _ meter: inout ProgressMeter) throws -> PrefixFilterBuilder {
    meter.begin(.indexing)
    var writer = PostingListWriter(index: index, scratch: scratch)
    let total = try scratch.integer("SELECT max(rowid) FROM pair") ?? 0
    let statement = try scratch.statement("SELECT term, rank FROM pair ORDER BY term, rank")
    var done = 0
    while try statement.step() {
      try meter.tick(done, of: total)
      done += 1
      try writer.add(statement.blob(0), UInt32(clamping: statement.integer(1)))
    }
    return try writer.finish()
  }

  /// Adds the next pair. Pairs come sorted by term and then by rank.
  private mutating func add(_ nextTerm: [UInt8], _ rank: UInt32) throws {
    if nextTerm != term {
      try finishTerm()
      let sharedLength = zip(term, nextTerm).prefix { $0 == $1 }.count
      try closeLists(longerThan: sharedLength)
      term = nextTerm
      if kind?.hasPrefixes == true { try openPrefixes(longerThan: sharedLength) }
    }
    if ranks.last != rank { ranks.append(rank) }
  }

  /// Writes the remaining lists. Returns the filter of prefixes and terms.
  private mutating func finish() throws -> PrefixFilterBuilder {
    try finishTerm()
    try closeLists(longerThan: 0)
    try hashes.flush()
    var filter = PrefixFilterBuilder(capacity: hashes.count)
    try hashes.each { chunk in for hash in chunk { filter.insert(hash) } }
    return filter
  }

  /// The kind of the current term; nil before the first term.
  private var kind: TermKind? { term.first.flatMap { TermKind(rawValue: $0) } }

  /// Opens the lists of the prefixes of the current term that the previous term did not have, and adds the hashes of these prefixes.
  /// - Parameter sharedLength: the number of bytes with which both terms begin.
  private mutating func openPrefixes(longerThan sharedLength: Int) throws {
    // The search for mistyped words looks up prefixes without their kind.
    let isFuzzy = kind?.isFuzzy == true
    let listCount = min(term.count, PostingListWriter.maxPrefixLength + 1)
    var hash = PrefixFilter.seed
    var hashWithKind = PrefixFilter.extended(hash, term[0])
    for (position, byte) in term.enumerated().dropFirst().prefix(PrefixFilter.maxLength) {
      (hash, hashWithKind) = (PrefixFilter.extended(hash, byte), PrefixFilter.extended(hashWithKind, byte))
      // The previous term added the hashes of the prefixes that both terms have.
      guard position >= sharedLength else { continue }
      if isFuzzy { try hashes.add(hash) }
      if position <= PrefixFilter.maxKindPrefixLength { try hashes.add(hashWithKind) }
    }
    while openLists.count < listCount { openLists.append([]) }
  }

  /// Writes the list of the current term, and adds its ranks to the list of its longest prefix.
  private mutating func finishTerm() throws {
    guard !ranks.isEmpty else { return }
    try write(term, ranks)
    if !openLists.isEmpty { openLists[openLists.count - 1] += ranks }
    ranks.removeAll(keepingCapacity: true)
  }

  /// Closes the lists of the prefixes that are longer than `length` bytes, the byte of the kind included, and writes those with more than
  /// `maxUnlistedPlaces` places.
  private mutating func closeLists(longerThan length: Int) throws {
    while openLists.count > length, var closed = openLists.popLast() {
      // A place that has several terms with this prefix is in the list several times.
      if closed.count > PostingListWriter.maxUnlistedPlaces { closed = PostingCursor.sortedUnique(closed) }
      // The kind alone is not a prefix, and no prefix spans two kinds.
      guard !openLists.isEmpty else { return }
      if closed.count > PostingListWriter.maxUnlistedPlaces, let kind {
        try write([kind.prefixByte] + term[1...openLists.count], closed)
      }
      openLists[openLists.count - 1] += closed
    }
  }

  /// Writes a term or prefix with its first ranks to the scratch file, and its other ranks in blocks to the index.
  private mutating func write(_ termOrPrefix: [UInt8], _ listedRanks: [UInt32]) throws {
    try hashes.add(PrefixFilter.hashOfWhole(FNV1a.hash(termOrPrefix)))
    let furtherRanks = listedRanks.dropFirst(PostingList.inlineCount)
    if !furtherRanks.isEmpty { lastListID += 1 }
    try scratch.run(
      "INSERT INTO term VALUES (?, ?, ?, ?)", .blob(termOrPrefix),
      .blob(PostingList.encode(listedRanks.prefix(PostingList.inlineCount), after: 0)),
      Value(furtherRanks.isEmpty ? 0 : lastListID), Value(furtherRanks.count))
    var start = furtherRanks.startIndex
    while start < furtherRanks.endIndex {
      let end = min(start + PostingList.blockSize, furtherRanks.endIndex)
      let firstRank = furtherRanks[start]
      try index.run(
        "INSERT INTO posting VALUES (?, ?)", .integer(PostingList.id(of: UInt32(clamping: lastListID), from: firstRank)),
        .blob(PostingList.encode(furtherRanks[start..<end].dropFirst(), after: firstRank)))
      start = end
    }
  }
}
