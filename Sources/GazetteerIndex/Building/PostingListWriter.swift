import SQLite
import Text

/// Writes the posting lists of the terms, and those of the prefixes that many places share. A prefix without a list has so few places that
/// reading its terms one by one is quick.
struct PostingListWriter {
  /// A prefix has a list if more places than this share it.
  static let maxUnlistedPlaces = 64
  /// The length in bytes, without the kind, up to which a prefix can have a list.
  static let maxPrefixLength = 32

  private let database: Database
  private let scratch: Database
  /// The current term, and the ranks of its places so far.
  private var term: [UInt8] = []
  private var ranks: [UInt32] = []
  /// `open[n]` contains the ranks of the finished terms that begin with the first n + 1 bytes of the current term, kind included.
  private var open: [[UInt32]] = []
  /// The number of lists with blocks in the table `posting`.
  private var lists = 0
  /// The hashes of the prefixes and terms for the filter.
  private var hashes: WordSpool

  private init(_ database: Database, scratch: Database) {
    self.database = database
    self.scratch = scratch
    hashes = WordSpool(scratch, table: "prefix")
  }

  /// Sorts the pairs of term and place, and writes the lists. Returns the filter of prefixes and terms.
  static func writeAll(index: Database, scratch: Database, _ meter: inout ProgressMeter) throws -> PrefixFilterBuilder {
    meter.begin(.indexing)
    var writer = PostingListWriter(index, scratch: scratch)
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
  private mutating func add(_ next: [UInt8], _ rank: UInt32) throws {
    if next != term {
      try finishTerm()
      let common = zip(term, next).prefix { $0 == $1 }.count
      try close(to: common)
      term = next
      if kind?.hasPrefixes == true { try openPrefixes(from: common) }
    }
    if ranks.last != rank { ranks.append(rank) }
  }

  /// Returns the filter of prefixes and terms.
  private mutating func finish() throws -> PrefixFilterBuilder {
    try finishTerm()
    try close(to: 0)
    try hashes.flush()
    var filter = PrefixFilterBuilder(capacity: hashes.count)
    let chunks = try hashes.chunks()
    while let hashes = try chunks.next() { for hash in hashes { filter.insert(hash) } }
    return filter
  }

  private var kind: TermKind? { term.first.flatMap { TermKind(rawValue: $0) } }

  /// Opens the prefixes of the current term that are longer than `common` bytes, which it shares with the term before, and adds their
  /// hashes.
  private mutating func openPrefixes(from common: Int) throws {
    let isFuzzy = kind?.isFuzzy == true
    let depth = min(term.count, PostingListWriter.maxPrefixLength + 1)
    var hash = PrefixFilter.seed
    var hashOfKind = PrefixFilter.extended(hash, term[0])
    for (index, byte) in term.enumerated().dropFirst().prefix(PrefixFilter.maxLength) {
      (hash, hashOfKind) = (PrefixFilter.extended(hash, byte), PrefixFilter.extended(hashOfKind, byte))
      guard index >= common else { continue }
      if isFuzzy { try hashes.add(hash) }
      if index <= PrefixFilter.maxKindPrefixLength { try hashes.add(hashOfKind) }
    }
    while open.count < depth { open.append([]) }
  }

  private mutating func finishTerm() throws {
    guard !ranks.isEmpty else { return }
    try write(term, ranks)
    if !open.isEmpty { open[open.count - 1] += ranks }
    ranks.removeAll(keepingCapacity: true)
  }

  /// Writes the lists of the open prefixes that are longer than `length` bytes.
  private mutating func close(to length: Int) throws {
    while open.count > length, var closed = open.popLast() {
      // A long list may contain a rank once for each of several terms.
      if closed.count > PostingListWriter.maxUnlistedPlaces { closed = PostingCursor.ascending(closed) }
      // The kind alone is not a prefix, and no prefix spans two kinds.
      guard !open.isEmpty else { return }
      if closed.count > PostingListWriter.maxUnlistedPlaces, let kind {
        try write([kind.prefixed] + term[1...open.count], closed)
      }
      if open[open.count - 1].isEmpty { open[open.count - 1] = closed } else { open[open.count - 1] += closed }
    }
  }

  /// Writes a term or prefix with its first ranks, and the further ranks in blocks.
  private mutating func write(_ term: [UInt8], _ ranks: [UInt32]) throws {
    try hashes.add(PrefixFilter.ended(FNV1a.hash(term)))
    let further = ranks.dropFirst(PostingList.first)
    if !further.isEmpty { lists += 1 }
    let statement = try scratch.statement("INSERT INTO term VALUES (?, ?, ?, ?)")
    try statement.bind(term, at: 1)
    try statement.bind(PostingList.encode(ranks.prefix(PostingList.first), after: 0), at: 2)
    try statement.bind(Int64(further.isEmpty ? 0 : lists), at: 3)
    try statement.bind(Int64(further.count), at: 4)
    _ = try statement.step()
    statement.reset()
    var start = further.startIndex
    while start < further.endIndex {
      let end = min(start + PostingList.block, further.endIndex)
      let first = further[start]
      try database.run(
        "INSERT INTO posting VALUES (?, ?)", .integer(PostingList.id(of: UInt32(clamping: lists), from: first)),
        .blob(PostingList.encode(further[start..<end].dropFirst(), after: first)))
      start = end
    }
  }
}
