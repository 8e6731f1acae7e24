import Glibc
import PlacesKit
import SQLite

/// An index file opened for reading, with what every query needs at hand. One task at a time may use it.
final class IndexFile {
  let database: Database
  let path: String
  let mapped: MappedSection
  let areas: AreaTable
  let types: TypeTable
  let names: AreaNameCache
  let rendered: RenderedPlaceCache
  /// Whether some place has an address, which only maps tell.
  let hasAddresses: Bool
  private let limit = CallDeadlineCheck()
  private let identity: FileIdentity
  var knownSources: [Int: StoredSource]?

  private let nextBlockStatement: Statement
  private let blockStatement: Statement
  private let placeStatement: Statement

  init(_ path: String, sharing shared: SharedMappedSection, rendered: RenderedPlaceCache) throws(GazetteerError) {
    self.path = path
    self.rendered = rendered
    guard let identity = FileIdentity(path) else { throw .missing(path: path) }
    self.identity = identity
    do {
      // The builder never changes a file that readers can see: it makes a new one and renames it.
      database = try Database(path, mode: .immutable)
      guard try database.integer("PRAGMA application_id") == IndexSchema.applicationID else {
        throw GazetteerError.damaged(path: path, reason: "it is no gazetteer index")
      }
      guard let version = try database.integer("PRAGMA user_version"), version == IndexSchema.version else {
        throw GazetteerError.damaged(path: path, reason: "another version of placesd made it")
      }
      // Pages are read where the kernel keeps them anyway, instead of being copied to a cache of our own.
      try database.execute("PRAGMA mmap_size = 2147418112; PRAGMA cache_size = -512")
      // The file never changes, so that one transaction is enough: to begin and end one costs a look as much as the look itself.
      try database.execute("BEGIN")
      guard let places = try IndexFile.number("places", database), let prefixes = try IndexFile.number("prefixes", database),
        let blocks = try IndexFile.number("blocks", database), let blockWords = try IndexFile.number("block_words", database),
        let sum = try IndexFile.number("mapped_checksum", database).flatMap({ UInt64(exactly: $0) })
      else { throw GazetteerError.damaged(path: path, reason: "it is not finished") }
      let size = MappedSection.Size(places: places, prefixes: prefixes, blocks: blocks, blockWords: blockWords)
      let offset = try database.mappedSectionOffset()
      guard let mapped = shared.mapped(sum, { MappedSection(path: path, offset: offset, size: size, sum: sum) }) else {
        throw GazetteerError.damaged(path: path, reason: "it does not hold the \(places) places that it tells")
      }
      self.mapped = mapped
      areas = AreaTable(database)
      types = TypeTable(database)
      names = AreaNameCache()
      let addressWord = TermKind.addressWord.rawValue
      var hasAddresses = false
      try mapped.entries(from: [addressWord], before: [addressWord + 1]) { _ in
        hasAddresses = true
        return false
      }
      self.hasAddresses = hasAddresses
      nextBlockStatement = try database.statement("SELECT id, ranks FROM posting WHERE id > ? AND id <= ? ORDER BY id LIMIT 1")
      blockStatement = try database.statement("SELECT id, ranks FROM posting WHERE id > ? AND id <= ? ORDER BY id DESC LIMIT 1")
      placeStatement = try database.statement("SELECT id, record FROM place WHERE rank = ?")
      database.interrupt(every: 4_096) { [limit] in limit.isOver }
    } catch let error as SQLiteError {
      throw IndexFile.told(IndexFile.problem(error, path), path)
    } catch let error as GazetteerError {
      throw IndexFile.told(error, path)
    } catch {
      throw .damaged(path: path, reason: "\(error)")
    }
  }

  /// A build is no advice for what it would not write over.
  private static func told(_ error: GazetteerError, _ path: String) -> GazetteerError {
    if case .damaged = error, !IndexSignature.mayBeReplaced(path) { return .foreign(path: path) }
    return error
  }

  /// Whether the file's pages may be read as they are mapped. Where somebody writes over the file in place, as `cp` does, there may be no
  /// memory behind the mapping but a signal that ends the program, so each call looks first, unless its caller just `seen` what is there;
  /// a file that was replaced lives on.
  func isUnchanged(_ seen: FileIdentity?) -> Bool {
    guard let now = seen ?? FileIdentity(path) else { return true }
    return now == identity || !now.isSameFile(as: identity)
  }

  /// Reads until the caller waits no more. What SQLite finds wrong becomes an error that says what to do.
  func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(GazetteerError) -> Result {
    limit.deadline = CallDeadline.current ?? .infinity
    do { return try body() } catch { throw IndexFile.problem(error, path) }
  }

  private static func problem(_ error: SQLiteError, _ path: String) -> GazetteerError {
    if error.isInterrupted { return .late }
    return error.isCorrupt ? .damaged(path: path, reason: error.message) : .unreadable(path: path, reason: error.message)
  }

  /// The places under a whole term; nil where there are none.
  func places(_ kind: TermKind, _ text: String) throws(SQLiteError) -> PostingCursor? {
    mapped.prefixes.mayHold(kind.rawValue, text) ? try list(kind.term(text)) : nil
  }

  /// The places under all terms of a kind that start with a text; nil where there are none.
  func places(_ kind: TermKind, startingWith text: String) throws(SQLiteError) -> PostingCursor? {
    if let list = try listed(kind, startingWith: text) { return list }
    return try scan(kind, text, longest: nil)
  }

  /// The places under the terms of a kind of which a text is most, at least two letters of three; nil where there are none, and for
  /// a text with which so many terms begin that it means none of them.
  func places(_ kind: TermKind, nearly text: String) throws(SQLiteError) -> PostingCursor? {
    guard try listed(kind, startingWith: text) == nil else { return nil }
    return try scan(kind, text, longest: 1 + IndexFile.longest(nearly: text.utf8.count))
  }

  /// The list that is kept of a prefix which many places share; nil where none is.
  private func listed(_ kind: TermKind, startingWith text: String) throws(SQLiteError) -> PostingCursor? {
    mapped.prefixes.mayHold(kind.prefixed, text) ? try list(kind.prefixTerm(text)) : nil
  }

  /// The length up to which a text is nearly whole when so much of it is typed.
  static func longest(nearly typed: Int) -> Int { typed * 3 / 2 }

  private func scan(_ kind: TermKind, _ text: String, longest: Int?) throws(SQLiteError) -> PostingCursor? {
    guard mapped.prefixes.mayBegin(kind, text) else { return nil }
    try limit.look()
    let term = kind.term(text)
    var ranks: [UInt32] = []
    var lists: [PostingCursor] = []
    // No byte of UTF-8 is 255.
    try mapped.entries(from: term, before: term + [0xFF]) { entry in
      if let longest, entry.length > longest { return true }
      // Nearly all ranks stand beside their terms, and need no cursor.
      if entry.further > 0 { lists.append(cursor(entry)) } else { PostingList.decode(entry.ranks, after: 0, into: &ranks) }
      return true
    }
    for list in lists { ranks += try PostingCursor.merged([list]) }
    return ranks.isEmpty ? nil : PostingCursor(ranks: PostingCursor.ascending(ranks))
  }

  private func list(_ term: [UInt8]) throws(SQLiteError) -> PostingCursor? {
    try limit.look()
    return try mapped.entry(term).map { cursor($0) }
  }

  private func cursor(_ entry: FrontCodedDictionary.TermEntry) -> PostingCursor {
    PostingCursor(entry.ranks, further: entry.further, list: entry.list, in: self)
  }

  /// How many places stand under the numbers of a kind; counts no further once it has so many.
  func count(_ kind: TermKind, _ numbers: [ClosedRange<UInt16>], upTo end: Int) throws(SQLiteError) -> Int {
    var count = 0
    try entries(kind, numbers) { entry in
      count += PostingList.count(entry.ranks) + entry.further
      return count < end
    }
    return count
  }

  /// The lists of places under the numbers of a kind.
  func lists(_ kind: TermKind, _ numbers: [ClosedRange<UInt16>]) throws(SQLiteError) -> [PostingCursor] {
    var lists: [PostingCursor] = []
    try entries(kind, numbers) { entry in
      lists.append(cursor(entry))
      return true
    }
    return lists
  }

  private func entries(
    _ kind: TermKind, _ numbers: [ClosedRange<UInt16>], _ body: (FrontCodedDictionary.TermEntry) -> Bool
  ) throws(SQLiteError) {
    var isWanted = true
    for range in numbers where isWanted {
      try limit.look()
      try mapped.entries(from: kind.term(range.lowerBound), before: kind.term(range.upperBound) + [0]) { entry in
        isWanted = body(entry)
        return isWanted
      }
    }
  }

  private static func number(_ key: String, _ database: Database) throws(SQLiteError) -> Int? {
    try database.integer("SELECT value FROM meta WHERE key = ?", .text(key))
  }

  /// A block of a list: its first rank, and those behind it.
  typealias Block = (first: UInt32, further: PostingList.Reader)

  /// The block of a list that begins behind a rank: the later one in which another rank must stand, where one is wanted, else the next. Nil
  /// behind the last block.
  func block(of list: UInt32, after last: UInt32, for wanted: UInt32?) throws(SQLiteError) -> Block? {
    if let wanted, let block = try block(blockStatement, of: list, after: last, to: wanted) { return block }
    return try block(nextBlockStatement, of: list, after: last, to: .max)
  }

  private func block(_ statement: Statement, of list: UInt32, after last: UInt32, to end: UInt32) throws(SQLiteError) -> Block? {
    defer { statement.reset() }
    try statement.bind(PostingList.id(of: list, from: last), at: 1)
    try statement.bind(PostingList.id(of: list, from: end), at: 2)
    guard try statement.step() else { return nil }
    let first = UInt32(truncatingIfNeeded: statement.integer(0))
    return (first, PostingList.Reader(statement.blob(1), after: first))
  }

  /// A place's id and what is stored of it; nil for a rank that no place has.
  func place(_ rank: UInt32) throws(SQLiteError) -> (id: String, stored: [UInt8])? {
    defer { placeStatement.reset() }
    try placeStatement.bind(Int64(rank), at: 1)
    return try placeStatement.step() ? (placeStatement.text(0), placeStatement.blob(1)) : nil
  }

  /// The rank of the place with an id; nil where there is none.
  func rank(ofID id: String) throws(SQLiteError) -> UInt32? {
    try database.integer("SELECT rank FROM identifier WHERE id = ?", .text(id)).flatMap { UInt32(exactly: $0) }
  }
}

/// How long the call may go on that uses an index file now.
private final class CallDeadlineCheck {
  var deadline = Double.infinity
  private var looks = 0

  var isOver: Bool { Task.isCancelled || SystemTime().monotonic() >= deadline }

  /// Called for every look at the terms; throws what an interrupted statement throws, after some that are too late.
  func look() throws(SQLiteError) {
    looks &+= 1
    guard looks & 63 == 0, isOver else { return }
    throw SQLiteError(code: CallDeadlineCheck.interrupted, message: "interrupted")
  }

  /// SQLITE_INTERRUPT.
  private static let interrupted: Int32 = 9
}
