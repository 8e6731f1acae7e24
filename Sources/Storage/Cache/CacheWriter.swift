import Resilience
import PlacesKit
import SQLite
import Synchronization

/// The one connection that writes the cache, on a thread of its own. Whatever fails here fails without harm: the daemon goes on
/// without a cache, says so once in a while, and tries again.
actor CacheWriter {
  /// Seconds before a file that could not be opened or written is tried again.
  static let patience = 30.0
  /// Seconds for which a copy that was set aside is kept: terms bind it too.
  static let asideSeconds = 3_600.0

  private let executor = StoreExecutor("placesd.cache.writer")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let file: StoreFile
  private let limit: Int
  private let time: any TimeSource
  private let clock: SteadyClock
  private let inbox: CacheInbox
  private let filter: AnswerFilter
  private let epoch: CacheEpoch
  private let log: OccasionalLog
  private var database: Database?
  private var retryAt = -Double.infinity
  private var mustTruncate = false
  /// What was to be purged while the database could not be written.
  private var owed: [CacheShare] = []

  /// `limit` is the most bytes that pages in use may take.
  init(
    _ file: StoreFile, limit: Int, time: any TimeSource, clock: SteadyClock, inbox: CacheInbox, filter: AnswerFilter, epoch: CacheEpoch,
    log: OccasionalLog
  ) {
    self.file = file
    self.limit = limit
    self.time = time
    self.clock = clock
    self.inbox = inbox
    self.filter = filter
    self.epoch = epoch
    self.log = log
  }

  /// Whether the database can be used now.
  var isOpen: Bool { database != nil }

  /// Opens the database, or sees that it is open; false where that is not possible now.
  @discardableResult
  func open() -> Bool { perform(writing: false) { _ in } != nil }

  /// Writes what waits, in one transaction. The inbox is emptied here and not by the caller, so that nothing that waits can be
  /// written after a purge that came later.
  func drain() {
    let (writes, dropped) = inbox.take()
    defer { inbox.written() }
    if dropped > 0 { log.say(.warning, "inbox", "the cache's disk is too slow: \(dropped) answers were not kept") }
    guard !writes.isEmpty else { return }
    if writes.contains(where: { if case .suspect = $0 { true } else { false } }) { inspect() }
    let now = clock.now()
    perform { database throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        for write in writes { try apply(write, to: database, now: now) }
        try CacheWriter.limitUses(of: writes, in: database)
        try CacheWriter.note(now, in: database)
      }
      try evict(database)
    }
  }

  /// Has what waits written, and waits for it, though no longer than the waiting task is wanted, however long the disk takes.
  nonisolated func writeNow() async { await perform { $0.drain() } }

  /// Does something in its turn; nil as soon as the waiting task is cancelled, however long the disk takes: it is done all the same.
  @discardableResult
  nonisolated func perform<Value: Sendable>(_ body: @escaping @Sendable (isolated CacheWriter) -> Value) async -> Value? {
    let promise = Promise<Value>()
    executor.perform { promise.fulfil(self.assumeIsolated { body($0) }) }
    return await promise.value()
  }

  private func apply(_ write: CacheWrite, to database: Database, now: Double) throws(SQLiteError) {
    switch write {
    case .answer(let key, let kept):
      guard kept.endsAt > now, let row = AnswerRow(key, kept) else { return }
      filter.add(row.id)
      try row.write(to: database, used: now)
    case .place(let key, let place, let terms, let at):
      for row in PlaceRow.rows(place, key, under: terms, at: at) where row.ends > now { try row.write(to: database, used: now) }
    case .use(let use, let endsAt): try use.write(to: database, endsAt: endsAt)
    case .touch(let id, let at): try database.run("UPDATE answers SET used = ? WHERE id = ?", .real(at), .integer(id))
    case .drop(let id): try database.run("DELETE FROM answers WHERE id = ?", .integer(id))
    case .suspect: break
    }
  }

  /// Forgets what those who chose something just now chose longest ago, beyond what is ever read of it.
  private static func limitUses(of writes: [CacheWrite], in database: Database) throws(SQLiteError) {
    for user in Set(writes.compactMap { if case .use(let use, _) = $0 { use.user } else { nil } }) {
      try database.run(
        """
        DELETE FROM uses WHERE (user, prefix, place) IN (SELECT user, prefix, place FROM uses WHERE user = ? ORDER BY at DESC LIMIT -1 OFFSET ?)
        """, Value(Int(user)), Value(Cache.mostUses))
    }
  }

  /// Remembers how late it is, for a run that finds the clock set back.
  private static func note(_ now: Double, in database: Database) throws(SQLiteError) {
    try database.run("INSERT OR REPLACE INTO clock (only, latest) VALUES (1, ?)", .real(now))
  }

  /// Removes what terms no longer allow to keep, for good: deleted content is overwritten, and the write-ahead log emptied.
  @discardableResult
  func expire() -> CacheRemoval {
    drain()
    file.removeAside(before: time.wall() - CacheWriter.asideSeconds)
    if database != nil, !Files.exists(file.path) {
      log.say(.warning, "gone", "\(file.path) was removed; a new one is made")
      close()
    }
    let now = clock.now()
    return perform { database throws(SQLiteError) in
      // What was kept by a clock that ran ahead would be kept too long.
      var removal = try CacheWriter.remove(from: database, where: "ends <= ?1 OR stored > ?1", [.real(now)])
      removal.choices = try database.run("DELETE FROM uses WHERE ends <= ?", .real(now))
      try CacheWriter.note(now, in: database)
      if removal.answers + removal.places + removal.choices > 0 { mustTruncate = true }
      try evict(database)
      try shrink(database)
      if filter.isCrowded { try fill(from: database) }
      return removal
    } ?? CacheRemoval(answers: 0, places: 0)
  }

  /// Removes what belongs to the share, for good. Nil where the database cannot be written now: then nothing of it is read any
  /// more either, and the first thing that is done when it can be opened again is to remove it.
  func purge(_ share: CacheShare, _ ticket: CacheEpoch.Ticket) -> CacheRemoval? {
    defer { epoch.end(ticket) }
    drain()
    let removal = perform { database throws(SQLiteError) in try remove(share, from: database) }
    // Copies that were set aside hold it too, and are there for curiosity only.
    file.removeAside(before: .infinity)
    if let removal { return removal }
    epoch.advance(isUsable: false)
    owed = owed.count < 64 ? owed + [share] : [.all]
    return nil
  }

  private func remove(_ share: CacheShare, from database: Database) throws(SQLiteError) -> CacheRemoval {
    let (condition, values) = share.condition
    var removal = try CacheWriter.remove(from: database, where: condition, values)
    if share.holdsUses {
      let uses = try database.statement("DELETE FROM uses WHERE " + share.usesCondition + " RETURNING 1")
      defer { uses.reset() }
      try uses.bind(values)
      while try uses.step() { removal.choices += 1 }
    }
    mustTruncate = true
    try shrink(database)
    return removal
  }

  /// Removes a user's choices of one place, or all of them, for good; nil if the database cannot be written now.
  func forgetUses(of user: UInt32, place: String?) -> Int? {
    drain()
    return perform { database throws(SQLiteError) in
      let count = try database.run(
        "DELETE FROM uses WHERE user = ?1 AND (?2 IS NULL OR place = ?2)", Value(Int(user)), place.map { .text($0) } ?? .null)
      if count > 0 { mustTruncate = true }
      try shrink(database)
      return count
    }
  }

  private static func remove(from database: Database, where condition: String, _ values: [Value]) throws(SQLiteError) -> CacheRemoval {
    func run(_ sql: String) throws(SQLiteError) -> Int? {
      let statement = try database.statement(sql)
      defer { statement.reset() }
      try statement.bind(values)
      return try statement.step() ? statement.integer(0) : nil
    }
    return try database.transaction { () throws(SQLiteError) in
      let answers = try run("SELECT count(*) FROM answers WHERE " + condition) ?? 0
      let places = try run("SELECT count(*) FROM (SELECT DISTINCT provider, user, place, language FROM places WHERE \(condition))") ?? 0
      _ = try run("DELETE FROM answers WHERE " + condition)
      _ = try run("DELETE FROM places WHERE " + condition)
      return CacheRemoval(answers: answers, places: places)
    }
  }

  /// Lets what has expired go, then the least recently used, and what was chosen longest ago last, until the pages in use take nine tenths
  /// of the limit.
  private func evict(_ database: Database) throws(SQLiteError) {
    func bytes() throws(SQLiteError) -> Int {
      let pages = try (database.integer("PRAGMA page_count") ?? 0) - (database.integer("PRAGMA freelist_count") ?? 0)
      return pages * (try database.integer("PRAGMA page_size") ?? 4_096)
    }
    guard try bytes() > limit else { return }
    mustTruncate = true
    let now = clock.now()
    try database.run("DELETE FROM answers WHERE expires <= ?", .real(now))
    try database.run("DELETE FROM places WHERE ends <= ?", .real(now))
    if try bytes() <= limit / 10 * 9 { return }
    for _ in 0..<10_000 {
      let answers = try database.run("DELETE FROM answers WHERE id IN (SELECT id FROM answers ORDER BY used LIMIT 16)")
      let places = try database.run(
        """
        DELETE FROM places WHERE (provider, user, place, language, part) IN
          (SELECT provider, user, place, language, part FROM places ORDER BY used LIMIT 16)
        """)
      var uses = 0
      if answers + places == 0 {
        uses = try database.run(
          "DELETE FROM uses WHERE (user, prefix, place) IN (SELECT user, prefix, place FROM uses ORDER BY at LIMIT 16)")
      }
      let left = try bytes()
      if answers + places + uses == 0 || left <= limit / 10 * 9 { return }
    }
  }

  /// Gives free pages back and empties the write-ahead log; a reader at work puts it off to the next time.
  private func shrink(_ database: Database) throws(SQLiteError) {
    guard mustTruncate else { return }
    try database.execute("PRAGMA incremental_vacuum")
    mustTruncate = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0
  }

  /// Empties the log and lets go of the file.
  func finish() {
    drain()
    let now = clock.now()
    perform { database throws(SQLiteError) in
      try CacheWriter.note(now, in: database)
      _ = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    close()
  }

  private func close() {
    database = nil
    filter.forget()
    epoch.advance(isUsable: false)
  }

  /// Opens the file anew, which checks its pages: those that this connection remembers may be better than the file's.
  private func inspect() {
    close()
    open()
  }

  // MARK: Failing without harm

  /// Does something with the open database; nil where it cannot be opened or fails. Where the file proves damaged only now, it is done
  /// once more with the one that takes its place, so that nothing is lost but what the damaged file held.
  @discardableResult
  private func perform<Result>(writing: Bool = true, _ body: (Database) throws(SQLiteError) -> Result) -> Result? {
    for _ in 0..<2 {
      do throws(StoreError) { return try attempt(writing, body) } catch {
        guard isReplaced(after: error) else { return nil }
      }
    }
    return nil
  }

  private func attempt<Result>(_ writing: Bool, _ body: (Database) throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    let database = try opened()
    do throws(SQLiteError) {
      let result = try body(database)
      if writing { log.settle("disk", "the cache is written again") }
      return result
    } catch { throw StoreError(error, path: file.path) }
  }

  private func opened() throws(StoreError) -> Database {
    if let database { return database }
    guard time.monotonic() >= retryAt else { throw .unavailable("not tried again yet") }
    let database: Database
    do throws(StoreError) { database = try file.open(checkingPages: true) } catch {
      guard case .unusable = error else { throw error }
      try replace(because: error)
      database = try file.open(checkingPages: false)
    }
    do throws(SQLiteError) {
      try checkClock(database)
      for share in owed { _ = try remove(share, from: database) }
      try fill(from: database)
    } catch { throw StoreError(error, path: file.path) }
    owed = []
    self.database = database
    epoch.advance(isUsable: true)
    return database
  }

  /// What an earlier run kept when the clock was ahead of today's has no age that anybody knows: it goes.
  private func checkClock(_ database: Database) throws(SQLiteError) {
    let statement = try database.statement("SELECT latest FROM clock")
    let latest = try statement.step() ? statement.real(0) : 0
    statement.reset()
    if latest > clock.now() + 3_600 {
      log.say(.warning, "clock", "the clock was set back: the cache starts empty, and with it what users chose is forgotten")
      try database.execute("DELETE FROM answers; DELETE FROM places; DELETE FROM uses; DELETE FROM clock")
      mustTruncate = true
      try shrink(database)
    } else {
      clock.advance(to: latest)
    }
  }

  /// Has every answer that is there known to those who look for one.
  private func fill(from database: Database) throws(SQLiteError) {
    let statement = try database.statement("SELECT id FROM answers")
    defer { statement.reset() }
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(Int64(statement.integer(0))) }
    filter.fill(numbers)
  }

  private func replace(because error: StoreError) throws(StoreError) {
    close()
    let aside = try file.setAside(at: time.wall())
    log.say(.error, "aside", "\(error.message); it was set aside as \(aside) and the cache starts empty: what users chose is forgotten")
  }

  /// Sets a damaged file aside; false where no other can take its place now.
  private func isReplaced(after error: StoreError) -> Bool {
    guard time.monotonic() >= retryAt else { return false }
    do throws(StoreError) {
      guard case .unusable = error else { throw error }
      try replace(because: error)
      return true
    } catch {
      postpone(error)
      return false
    }
  }

  private func postpone(_ error: StoreError) {
    log.say(.warning, "disk", "answers are not kept on disk: \(error.message)")
    database = nil
    retryAt = time.monotonic() + CacheWriter.patience
  }
}

/// Which database file is current, so that readers notice that another one has taken its place; none while a purge is late.
final class CacheEpoch: Sendable {
  typealias Ticket = Int
  private struct State {
    var number = 0
    var isUsable = false
    var nextTicket = 0
    /// The purges under way, and whether each was given up by who waits for it.
    var purges: [Ticket: Bool] = [:]
  }
  private let state = Mutex(State())

  func advance(isUsable: Bool) {
    state.withLock { state in
      state.number += 1
      state.isUsable = isUsable
    }
  }

  var current: Int? { state.withLock { $0.isUsable && !$0.purges.values.contains(true) ? $0.number : nil } }

  func beginPurge() -> Ticket {
    state.withLock { state in
      state.nextTicket += 1
      state.purges[state.nextTicket] = false
      return state.nextTicket
    }
  }

  /// Lets nothing be read before a purge has ended that takes too long.
  func isLate(_ ticket: Ticket) { state.withLock { if $0.purges[ticket] != nil { $0.purges[ticket] = true } } }

  func end(_ ticket: Ticket) { state.withLock { $0.purges[ticket] = nil } }
}

extension CacheShare {
  /// The share as an SQL condition on the columns `provider` and `user`, with its values.
  var condition: (String, [Value]) {
    (
      "(?1 IS NULL OR provider = ?1) AND (?2 IS NULL OR user = ?2)",
      [provider.map { .text($0) } ?? .null, user.map { Value(Int($0)) } ?? .null]
    )
  }

  /// The same for `uses`, whose places begin with their provider.
  var usesCondition: String {
    "(?1 IS NULL OR substr(place, 1, length(?1) + 1) = ?1 || ':') AND (?2 IS NULL OR user = ?2)"
  }
}
