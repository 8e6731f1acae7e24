import Glibc
import PlacesKit
import SQLite

/// An index file that is open for reading, with its tables and statements.
/// `@unchecked Sendable`: one task at a time uses it (`GazetteerReader.idleFiles`).
final class IndexFile: @unchecked Sendable {
  let database: Database
  let path: String
  /// The section of the file after the database. It contains the attributes of the places (`PlaceColumns`), the filter and the terms.
  let mapped: MappedSection
  let areas: AreaTable
  let types: TypeTable
  /// The names of the areas that earlier rows contain.
  let areaNames: AreaNameCache
  /// The cache of rendered places, which all open files of the reader share.
  let renderedPlaces: RenderedPlaceCache
  /// Whether any place has an address. GeoNames data has none.
  let hasAddresses: Bool
  private let deadlineCheck = CallDeadlineCheck()
  private let identity: FileIdentity
  /// The sources by number; nil until they are read from the file.
  var cachedSources: [Int: GazetteerInfo.Source]?

  /// Selects the first block of a list between two ranks.
  private let nextBlockStatement: Statement
  /// Selects the last block of a list between two ranks.
  private let lastBlockStatement: Statement
  private let placeStatement: Statement

  /// Opens the file: checks that it is a complete index of this version, maps its section, and prepares the statements.
  /// - Parameters:
  ///   - shared: the reader's mapped section, which is used if it belongs to the same file.
  ///   - renderedPlaces: the reader's cache of rendered places.
  init(_ path: String, sharing shared: SharedMappedSection, renderedPlaces: RenderedPlaceCache) throws(GazetteerError) {
    self.path = path
    self.renderedPlaces = renderedPlaces
    guard let identity = FileIdentity(path) else { throw .missing(path: path) }
    self.identity = identity
    do {
      let database = try IndexFile.openedDatabase(path)
      self.database = database
      let mapped = try IndexFile.mappedSection(of: database, path, sharing: shared)
      self.mapped = mapped
      areas = AreaTable(database)
      types = TypeTable(database)
      areaNames = AreaNameCache()
      hasAddresses = try IndexFile.hasAddresses(mapped.terms)
      nextBlockStatement = try database.statement("SELECT id, ranks FROM posting WHERE id > ? AND id <= ? ORDER BY id LIMIT 1")
      lastBlockStatement = try database.statement("SELECT id, ranks FROM posting WHERE id > ? AND id <= ? ORDER BY id DESC LIMIT 1")
      placeStatement = try database.statement("SELECT id, record FROM place WHERE rank = ?")
      database.interrupt(every: 4_096) { [deadlineCheck] in deadlineCheck.isOver }
    } catch {
      let problem = (error as? SQLiteError).map { IndexFile.gazetteerError($0, path) } ?? error as? GazetteerError
      // The builder would not replace a file that is not recognisable as an index, so no build is suggested.
      if case .damaged = problem, !IndexSignature.mayBeReplaced(path) { throw .foreign(path: path) }
      throw problem ?? .damaged(path: path, reason: "\(error)")
    }
  }

  /// Opens the database of an index, checks that it is an index of this version, and begins the transaction of all reads.
  private static func openedDatabase(_ path: String) throws -> Database {
    // The file can be opened as immutable, because the builder never changes a file that readers can see: it makes a new one and renames it.
    let database = try Database(path, mode: .immutable)
    guard try database.integer("PRAGMA application_id") == IndexSchema.applicationID else {
      throw GazetteerError.damaged(path: path, reason: "it is not a gazetteer index")
    }
    guard let version = try database.integer("PRAGMA user_version"), version == IndexSchema.version else {
      throw GazetteerError.damaged(path: path, reason: "it was made by another version of placesd")
    }
    // SQLite reads pages in the kernel's page cache instead of copying them to its own cache, which can therefore be small (512 KiB). The
    // size of the mapping is SQLite's maximum.
    try database.execute("PRAGMA mmap_size = 2147418112; PRAGMA cache_size = -512")
    // The file never changes, so one transaction is enough. Beginning and ending one costs as much as a look-up.
    try database.execute("BEGIN")
    return database
  }

  /// The section of the file after the database: the reader's section if it belongs to this file, otherwise a new one.
  private static func mappedSection(
    of database: Database, _ path: String, sharing shared: SharedMappedSection
  ) throws -> MappedSection {
    func number(_ key: String) throws -> Int {
      if let value = try database.integer("SELECT value FROM meta WHERE key = ?", .text(key)) { return value }
      throw GazetteerError.damaged(path: path, reason: "its table `meta` lacks `\(key)`")
    }
    let size = try MappedSection.Size(
      places: number("places"), filterWords: number("prefixes"), blocks: number("blocks"), blockWords: number("block_words"))
    let checksum = UInt64(truncatingIfNeeded: try number("mapped_checksum"))
    let offset = try database.mappedSectionOffset()
    guard let mapped = shared.mapped(checksum, { MappedSection(path: path, offset: offset, size: size, checksum: checksum) }) else {
      throw GazetteerError.damaged(path: path, reason: "it does not contain the \(size.places) places that its table `meta` states")
    }
    return mapped
  }

  /// Whether any place has an address: whether there is a term of the kind for words of addresses.
  private static func hasAddresses(_ terms: FrontCodedDictionary) throws(SQLiteError) -> Bool {
    let addressWord = TermKind.addressWord.rawValue
    var isFound = false
    try terms.each(from: [addressWord], before: [addressWord + 1]) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Whether the mapped pages may be read. If another program overwrites the file in place, as `cp` does, reading beyond the new end raises
  /// SIGBUS, so each call checks the file first. If the file was removed, or another file was renamed over it, the open file stays
  /// readable.
  /// - Parameter currentFile: the identity of the file that is at the path now; nil if it must be read.
  func isSafeToRead(_ currentFile: FileIdentity?) -> Bool {
    guard let currentFile = currentFile ?? FileIdentity(path) else { return true }
    return currentFile == identity || !currentFile.isSameFile(as: identity)
  }

  /// Runs the body, which is interrupted at the deadline of the current call. Converts SQLite's errors to `GazetteerError`.
  func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(GazetteerError) -> Result {
    deadlineCheck.deadline = CallDeadline.current ?? .infinity
    do { return try body() } catch { throw IndexFile.gazetteerError(error, path) }
  }

  private static func gazetteerError(_ error: SQLiteError, _ path: String) -> GazetteerError {
    if error.isInterrupted { return .late }
    return error.isCorrupt ? .damaged(path: path, reason: error.message) : .unreadable(path: path, reason: error.message)
  }

  /// The places that have a text as a whole term of a kind; nil if there are none.
  func places(_ kind: TermKind, _ text: String) throws(SQLiteError) -> PostingCursor? {
    mapped.prefixes.mayHaveTerm(kind.rawValue, text) ? try list(kind.term(text)) : nil
  }

  /// The places of all terms of a kind that start with a text; nil if there are none.
  func places(_ kind: TermKind, startingWith text: String) throws(SQLiteError) -> PostingCursor? {
    if let list = try storedList(kind, startingWith: text) { return list }
    return try scan(kind, text, maxTermLength: nil)
  }

  /// The places of the terms of which a text is a prefix and the greater part (`maxLength`). Nil if there are none, or if the text has its
  /// own list, because then it is a prefix of too many terms to mean one of them.
  func places(_ kind: TermKind, mostOf text: String) throws(SQLiteError) -> PostingCursor? {
    guard try storedList(kind, startingWith: text) == nil else { return nil }
    // A term has one byte for its kind before its text.
    return try scan(kind, text, maxTermLength: 1 + IndexFile.maxLength(withMostTyped: text.utf8.count))
  }

  /// The stored list of a prefix that many places share; nil if there is none.
  private func storedList(_ kind: TermKind, startingWith text: String) throws(SQLiteError) -> PostingCursor? {
    mapped.prefixes.mayHaveTerm(kind.prefixByte, text) ? try list(kind.prefixTerm(text)) : nil
  }

  /// The maximum length in bytes of a text that counts as mostly typed: one and a half times the number of bytes that the user typed.
  static func maxLength(withMostTyped typedLength: Int) -> Int { typedLength * 3 / 2 }

  /// The places of all terms of a kind that start with a text, read term by term; nil if there are none.
  /// - Parameter maxTermLength: the maximum length of a term in bytes, kind included; nil for any length.
  private func scan(_ kind: TermKind, _ text: String, maxTermLength: Int?) throws(SQLiteError) -> PostingCursor? {
    guard mapped.prefixes.mayHavePrefix(kind, text) else { return nil }
    try deadlineCheck.countLookup()
    let term = kind.term(text)
    var ranks: [UInt32] = []
    var lists: [PostingCursor] = []
    // No byte of UTF-8 is 255, so the range ends after the last term with this prefix.
    try mapped.terms.each(from: term, before: term + [0xFF]) { entry in
      if let maxTermLength, entry.length > maxTermLength { return true }
      // Nearly all terms have all their ranks in the dictionary, and need no cursor.
      if entry.furtherCount > 0 { lists.append(cursor(entry)) } else { PostingList.decode(entry.ranks, after: 0, into: &ranks) }
      return true
    }
    for list in lists { ranks += try PostingCursor.merged([list]) }
    return ranks.isEmpty ? nil : PostingCursor(ranks: PostingCursor.sortedUnique(ranks))
  }

  /// The list of a term; nil if the term does not exist.
  private func list(_ term: [UInt8]) throws(SQLiteError) -> PostingCursor? {
    try deadlineCheck.countLookup()
    return try mapped.terms.entry(term).map { cursor($0) }
  }

  private func cursor(_ entry: FrontCodedDictionary.TermEntry) -> PostingCursor {
    PostingCursor(entry.ranks, furtherCount: entry.furtherCount, listID: entry.listID, in: self)
  }

  /// Counts the places of all terms of a kind with a number in the ranges, such as the cells of a rectangle. Stops counting at `limit` or
  /// more.
  func count(_ kind: TermKind, _ numbers: [ClosedRange<UInt16>], upTo limit: Int) throws(SQLiteError) -> Int {
    var count = 0
    try eachEntry(kind, numbers) { entry in
      count += PostingList.count(entry.ranks) + entry.furtherCount
      return count < limit
    }
    return count
  }

  /// The lists of all terms of a kind with a number in the ranges.
  func lists(_ kind: TermKind, _ numbers: [ClosedRange<UInt16>]) throws(SQLiteError) -> [PostingCursor] {
    var lists: [PostingCursor] = []
    try eachEntry(kind, numbers) { entry in
      lists.append(cursor(entry))
      return true
    }
    return lists
  }

  /// Calls the body with the entry of each term of a kind that has a number in the ranges, until the body returns false.
  private func eachEntry(
    _ kind: TermKind, _ numbers: [ClosedRange<UInt16>], _ body: (FrontCodedDictionary.TermEntry) -> Bool
  ) throws(SQLiteError) {
    var wantsMore = true
    for range in numbers where wantsMore {
      try deadlineCheck.countLookup()
      try mapped.terms.each(from: kind.term(range.lowerBound), before: kind.term(range.upperBound) + [0]) { entry in
        wantsMore = body(entry)
        return wantsMore
      }
    }
  }

  /// A block of a list: its first rank, and a reader of the other ranks.
  typealias Block = (firstRank: UInt32, otherRanks: PostingList.Reader)

  /// The first block of a list that begins after the rank `lastRank`; nil if there is none. If `wantedRank` is given, blocks before the block
  /// that would contain it are skipped.
  func block(of listID: UInt32, after lastRank: UInt32, for wantedRank: UInt32?) throws(SQLiteError) -> Block? {
    if let wantedRank, let block = try block(lastBlockStatement, of: listID, after: lastRank, to: wantedRank) { return block }
    return try block(nextBlockStatement, of: listID, after: lastRank, to: .max)
  }

  /// The block that one of the two statements selects among those whose first rank is after `lastRank` and at most `maxRank`.
  private func block(_ statement: Statement, of listID: UInt32, after lastRank: UInt32, to maxRank: UInt32) throws(SQLiteError) -> Block? {
    defer { statement.reset() }
    try statement.bind(PostingList.id(of: listID, from: lastRank), at: 1)
    try statement.bind(PostingList.id(of: listID, from: maxRank), at: 2)
    guard try statement.step() else { return nil }
    // The lower half of a block's id is its first rank (`PostingList.id`).
    let firstRank = UInt32(truncatingIfNeeded: statement.integer(0))
    return (firstRank, PostingList.Reader(statement.blob(1), after: firstRank))
  }

  /// A place's id and its stored bytes; nil if no place has the rank.
  func place(_ rank: UInt32) throws(SQLiteError) -> (id: String, stored: [UInt8])? {
    defer { placeStatement.reset() }
    try placeStatement.bind(Int64(rank), at: 1)
    return try placeStatement.step() ? (placeStatement.text(0), placeStatement.blob(1)) : nil
  }

  /// The rank of the place with an id: its own id, or its id in other data. Nil if there is none.
  func rank(ofID id: String) throws(SQLiteError) -> UInt32? {
    try database.integer("SELECT rank FROM identifier WHERE id = ?", .text(id)).flatMap { UInt32(exactly: $0) }
  }
}

/// Checks the deadline of the call that uses an index file.
private final class CallDeadlineCheck {
  /// The deadline on the monotonic clock, in seconds.
  var deadline = Double.infinity
  private var lookups = 0

  /// Whether the deadline has passed or the task was cancelled.
  var isOver: Bool { Task.isCancelled || SystemTime().monotonic() >= deadline }

  /// Call it at every look-up of a term. Every 64th call throws the error of an interrupted statement if the deadline has passed or the
  /// task was cancelled.
  func countLookup() throws(SQLiteError) {
    lookups &+= 1
    guard lookups & 63 == 0, isOver else { return }
    throw SQLiteError(code: CallDeadlineCheck.interrupted, message: "interrupted")
  }

  /// The result code SQLITE_INTERRUPT.
  private static let interrupted: Int32 = 9
}
