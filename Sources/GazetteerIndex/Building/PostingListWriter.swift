import SQLite

/// Writes the posting lists of sorted terms, and those of the prefixes that more than `heavy` places share. A prefix without a list has so few
/// places that reading its terms one by one is quick.
struct PostingListWriter {
  static let heavy = 64
  static let maxPrefixLength = 32

  private let database: Database
  private let scratch: Database
  private var term: [UInt8] = []
  private var ranks: [UInt32] = []
  /// `open[n]` contains the ranks of the finished terms that begin with the first n + 1 bytes of the current term, kind included.
  private var open: [[UInt32]] = []
  private var lists = 0
  private var prefixes: WordSpool

  init(_ database: Database, scratch: Database) {
    self.database = database
    self.scratch = scratch
    prefixes = WordSpool(scratch, table: "prefix")
  }

  /// Adds the next pair, in the order of terms and then of ranks.
  mutating func add(_ next: [UInt8], _ rank: UInt32) throws {
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
  mutating func finish() throws -> PrefixFilterBuilder {
    try finishTerm()
    try close(to: 0)
    try prefixes.flush()
    var filter = PrefixFilterBuilder(capacity: prefixes.count)
    let chunks = try prefixes.chunks()
    while let hashes = try chunks.next() { for hash in hashes { filter.insert(hash) } }
    return filter
  }

  private var kind: TermKind? { term.first.flatMap { TermKind(rawValue: $0) } }

  private mutating func openPrefixes(from common: Int) throws {
    let isFuzzy = kind?.isFuzzy == true
    let depth = min(term.count, PostingListWriter.maxPrefixLength + 1)
    var hash = PrefixFilter.seed
    var hashOfKind = PrefixFilter.extended(hash, term[0])
    for (index, byte) in term.enumerated().dropFirst().prefix(PrefixFilter.maxLength) {
      (hash, hashOfKind) = (PrefixFilter.extended(hash, byte), PrefixFilter.extended(hashOfKind, byte))
      guard index >= common else { continue }
      if isFuzzy { try prefixes.add(hash) }
      if index <= PrefixFilter.maxKindPrefixLength { try prefixes.add(hashOfKind) }
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
      if closed.count > PostingListWriter.heavy {
        closed.sort()
        closed = closed.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
      }
      // The kind alone is not a prefix, and no prefix spans two kinds.
      guard !open.isEmpty else { return }
      if closed.count > PostingListWriter.heavy {
        try write([term[0] | 0x20] + term[1...open.count], closed)
      }
      if open[open.count - 1].isEmpty { open[open.count - 1] = closed } else { open[open.count - 1] += closed }
    }
  }

  private mutating func write(_ term: [UInt8], _ ranks: [UInt32]) throws {
    try prefixes.add(PrefixFilter.ended(term.reduce(PrefixFilter.seed, PrefixFilter.extended)))
    let rest = ranks.dropFirst(PostingList.first)
    if !rest.isEmpty { lists += 1 }
    let statement = try scratch.statement("INSERT INTO term VALUES (?, ?, ?, ?)")
    try statement.bind(term, at: 1)
    try statement.bind(PostingList.encode(ranks.prefix(PostingList.first), after: 0), at: 2)
    try statement.bind(Int64(rest.isEmpty ? 0 : lists), at: 3)
    try statement.bind(Int64(rest.count), at: 4)
    _ = try statement.step()
    statement.reset()
    var start = rest.startIndex
    while start < rest.endIndex {
      let end = min(start + PostingList.block, rest.endIndex)
      let first = rest[start]
      try database.run(
        "INSERT INTO posting VALUES (?, ?)", .integer(PostingList.id(of: UInt32(clamping: lists), from: first)),
        .blob(PostingList.encode(rest[start..<end].dropFirst(), after: first)))
      start = end
    }
  }
}
