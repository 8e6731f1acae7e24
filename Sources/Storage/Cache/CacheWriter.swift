import Resilience
import PlacesKit
import SQLite
import Synchronization

/// The only connection that writes the cache. It has its own executor. If a write fails, the daemon continues without the disk cache, logs
/// the reason at intervals, and tries again.
actor CacheWriter {
  /// The seconds after which a file that could not be opened or written is tried again.
  static let retryInterval = 30.0
  /// The seconds after which a damaged file that was set aside is deleted, because the terms apply to its contents too.
  static let asideLifetime = 3_600.0

  nonisolated let executor = StoreExecutor("placesd.cache.writer")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let file: StoreFile
  private let maxBytes: Int
  private let time: any TimeSource
  private let clock: SteadyClock
  private let inbox: CacheInbox
  private let filter: AnswerFilter
  private let currentFile: CurrentCacheFile
  private let log: RateLimitedLog
  private var database: Database?
  /// After a failure, the time in monotonic seconds before which the file is not tried again.
  private var retryAt = -Double.infinity
  /// The reason why nothing is stored on disk now; nil if data is stored, or if there was nothing to store yet.
  nonisolated let fault = Mutex<String?>(nil)
  /// True if data was removed that the write-ahead log may still contain.
  private var mustTruncate = false
  /// Purges that could not be applied because the database could not be written.
  private var pendingPurges: [CacheScope] = []

  /// - Parameter maxBytes: the maximum size of the pages in use.
  init(
    _ file: StoreFile, maxBytes: Int, time: any TimeSource, clock: SteadyClock, inbox: CacheInbox, filter: AnswerFilter,
    currentFile: CurrentCacheFile, log: RateLimitedLog
  ) {
    self.file = file
    self.maxBytes = maxBytes
    self.time = time
    self.clock = clock
    self.inbox = inbox
    self.filter = filter
    self.currentFile = currentFile
    self.log = log
  }

  /// True if the database is open.
  var isOpen: Bool { database != nil }

  /// Opens the database if it is not open. Returns false if that is not possible now.
  @discardableResult
  func open() -> Bool { withDatabase(writing: false) { _ in } != nil }

  /// Performs the pending writes in one transaction. The writer itself takes the writes from the inbox. If its caller took them, a purge
  /// could run first, and the writes would then store answers that were purged.
  func writePending() {
    let (writes, droppedCount) = inbox.take()
    defer { inbox.finishWriting() }
    if droppedCount > 0 { log.write(.warning, "inbox", "the disk of the cache is too slow: \(droppedCount) answers were not stored") }
    guard !writes.isEmpty else { return }
    if writes.contains(where: { if case .checkFile = $0 { true } else { false } }) { reopen() }
    let now = clock.now()
    withDatabase { database throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        for write in writes { try apply(write, to: database, now: now) }
        try CacheWriter.limitChoices(of: writes, in: database)
        try CacheWriter.recordTime(now, in: database)
      }
      try evict(database)
    }
  }

  /// Performs the pending writes, and returns afterwards or as soon as the calling task is cancelled.
  nonisolated func writeNow() async { await perform { $0.writePending() } }

  /// Runs `body` on the writer and returns its result. Returns nil as soon as the calling task is cancelled, but `body` runs in any case.
  @discardableResult
  nonisolated func perform<Value: Sendable>(_ body: @escaping @Sendable (isolated CacheWriter) -> Value) async -> Value? {
    let promise = Promise<Value>()
    executor.perform { promise.fulfil(self.assumeIsolated { body($0) }) }
    return await promise.value()
  }

  /// Performs one write. Data that must no longer be served is not written.
  private func apply(_ write: CacheWrite, to database: Database, now: Double) throws(SQLiteError) {
    switch write {
    case .answer(let key, let storedAnswer):
      guard storedAnswer.endsAt > now, let row = AnswerRow(key, storedAnswer) else { return }
      filter.add(row.id)
      try row.write(to: database, usedAt: now)
    case .place(let key, let place, let terms, let at):
      for row in PlacePartRow.rows(place, key, under: terms, at: at) where row.endsAt > now { try row.write(to: database, usedAt: now) }
    case .choice(let choice, let endsAt): try choice.write(to: database, endsAt: endsAt)
    case .recordUse(let id, let at): try database.run("UPDATE answers SET used = ? WHERE id = ?", .real(at), .integer(id))
    case .removeDamaged(let id): try database.run("DELETE FROM answers WHERE id = ?", .integer(id))
    case .checkFile: break
    }
  }

  /// For each user with new choices, deletes the oldest choices beyond `maxChoicesPerUser`.
  private static func limitChoices(of writes: [CacheWrite], in database: Database) throws(SQLiteError) {
    for user in Set(writes.compactMap { if case .choice(let choice, _) = $0 { choice.user } else { nil } }) {
      try database.run(
        """
        DELETE FROM uses WHERE (user, prefix, place) IN
          (SELECT user, prefix, place FROM uses WHERE user = ? ORDER BY at DESC LIMIT -1 OFFSET ?)
        """, Value(Int(user)), Value(Cache.maxChoicesPerUser))
    }
  }

  /// Records the current time, so that a later run notices if the clock was set back.
  private static func recordTime(_ now: Double, in database: Database) throws(SQLiteError) {
    try database.run("INSERT OR REPLACE INTO clock (only, latest) VALUES (1, ?)", .real(now))
  }

  /// Removes data whose storage the terms no longer allow. The content is overwritten, and the write-ahead log is truncated.
  @discardableResult
  func expire() -> RemovedEntries {
    writePending()
    file.removeSetAsideCopies(before: time.wall() - CacheWriter.asideLifetime)
    if database != nil, !Files.exists(file.path) {
      log.write(.warning, "gone", "\(file.path) was removed; creating a new file")
      close()
    }
    let now = clock.now()
    return withDatabase { database throws(SQLiteError) in
      // Data with a future time was stored while the clock was wrong. It is removed, because it would be stored for too long.
      var removal = try CacheWriter.remove(from: database, where: "ends <= ?1 OR stored > ?1", [.real(now)])
      removal.choices = try database.run("DELETE FROM uses WHERE ends <= ?", .real(now))
      try CacheWriter.recordTime(now, in: database)
      if removal.answers + removal.places + removal.choices > 0 { mustTruncate = true }
      try evict(database)
      try shrink(database)
      if filter.isOverfull { try fillFilter(from: database) }
      return removal
    } ?? RemovedEntries(answers: 0, places: 0)
  }

  /// Removes the entries of a scope. Returns nil if the database cannot be written now. Then nothing is read until the database is opened
  /// again, which first removes these entries.
  func purge(_ scope: CacheScope, _ purgeID: CurrentCacheFile.PurgeID) -> RemovedEntries? {
    defer { currentFile.endPurge(purgeID) }
    writePending()
    let removal = withDatabase { database throws(SQLiteError) in try remove(scope, from: database) }
    // Damaged files that were set aside may contain such entries too.
    file.removeSetAsideCopies(before: .infinity)
    if let removal { return removal }
    currentFile.advance(isUsable: false)
    // The list is bounded: if it is full, one purge of everything replaces it.
    pendingPurges = pendingPurges.count < 64 ? pendingPurges + [scope] : [.all]
    return nil
  }

  /// Removes the entries of a scope, also from the write-ahead log. Returns their numbers.
  private func remove(_ scope: CacheScope, from database: Database) throws(SQLiteError) -> RemovedEntries {
    let (condition, values) = scope.condition
    var removal = try CacheWriter.remove(from: database, where: condition, values)
    if scope.includesChoices {
      let deletion = try database.statement("DELETE FROM uses WHERE " + scope.choicesCondition + " RETURNING 1")
      defer { deletion.reset() }
      try deletion.bind(values)
      while try deletion.step() { removal.choices += 1 }
    }
    mustTruncate = true
    try shrink(database)
    return removal
  }

  /// Removes a user's choices of one place, or all of them if `place` is nil, also from the write-ahead log. Returns their number; nil if
  /// the database cannot be written now.
  func forgetChoices(of user: UInt32, place: String?) -> Int? {
    writePending()
    return withDatabase { database throws(SQLiteError) in
      let count = try database.run(
        "DELETE FROM uses WHERE user = ?1 AND (?2 IS NULL OR place = ?2)", Value(Int(user)), place.map { .text($0) } ?? .null)
      if count > 0 { mustTruncate = true }
      try shrink(database)
      return count
    }
  }

  /// Removes the answers and the parts of places for which an SQL condition holds. Returns the numbers of answers and of places.
  private static func remove(from database: Database, where condition: String, _ values: [Value]) throws(SQLiteError) -> RemovedEntries {
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
      return RemovedEntries(answers: answers, places: places)
    }
  }

  /// If the pages in use exceed the limit, removes expired entries, then the least recently used ones, and finally the oldest choices,
  /// until the pages take at most nine tenths of the limit.
  private func evict(_ database: Database) throws(SQLiteError) {
    func bytes() throws(SQLiteError) -> Int {
      let pages = try (database.integer("PRAGMA page_count") ?? 0) - (database.integer("PRAGMA freelist_count") ?? 0)
      return pages * (try database.integer("PRAGMA page_size") ?? 4_096)
    }
    guard try bytes() > maxBytes else { return }
    mustTruncate = true
    let now = clock.now()
    try database.run("DELETE FROM answers WHERE expires <= ?", .real(now))
    try database.run("DELETE FROM places WHERE ends <= ?", .real(now))
    if try bytes() <= maxBytes / 10 * 9 { return }
    // The number of rounds is limited, in case the pages in use do not become fewer.
    for _ in 0..<10_000 {
      let answers = try database.run("DELETE FROM answers WHERE id IN (SELECT id FROM answers ORDER BY used LIMIT 16)")
      let places = try database.run(
        """
        DELETE FROM places WHERE (provider, user, place, language, part) IN
          (SELECT provider, user, place, language, part FROM places ORDER BY used LIMIT 16)
        """)
      var choices = 0
      if answers + places == 0 {
        choices = try database.run(
          "DELETE FROM uses WHERE (user, prefix, place) IN (SELECT user, prefix, place FROM uses ORDER BY at LIMIT 16)")
      }
      let remainingBytes = try bytes()
      if answers + places + choices == 0 || remainingBytes <= maxBytes / 10 * 9 { return }
    }
  }

  /// If `mustTruncate`, returns free pages to the file system and truncates the write-ahead log. If a reader prevents the truncation, the
  /// next call repeats it.
  private func shrink(_ database: Database) throws(SQLiteError) {
    guard mustTruncate else { return }
    try database.execute("PRAGMA incremental_vacuum")
    mustTruncate = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0
  }

  /// Performs the pending writes, truncates the write-ahead log and closes the file.
  func finish() {
    writePending()
    let now = clock.now()
    withDatabase { database throws(SQLiteError) in
      try CacheWriter.recordTime(now, in: database)
      _ = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    close()
  }

  private func close() {
    database = nil
    filter.clear()
    currentFile.advance(isUsable: false)
  }

  /// Closes the file and opens it again, to check its pages on disk. The open connection might only check pages in its memory.
  private func reopen() {
    close()
    open()
  }

  // MARK: Handling failures

  /// Runs `body` with the open database. Returns nil if the database cannot be opened or `body` fails. If the file turns out to be damaged,
  /// `body` runs once more with a new file, so that only the contents of the damaged file are lost.
  /// - Parameter writing: true if the success of `body` shows that the database can be written.
  @discardableResult
  private func withDatabase<Result>(writing: Bool = true, _ body: (Database) throws(SQLiteError) -> Result) -> Result? {
    for _ in 0..<2 {
      do throws(StoreError) { return try attempt(writing, body) } catch {
        guard replaceIfDamaged(after: error) else { return nil }
      }
    }
    return nil
  }

  /// Runs `body` once with the open database. If `writing` is true and `body` succeeds, clears the fault.
  private func attempt<Result>(_ writing: Bool, _ body: (Database) throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    let database = try openDatabase()
    do throws(SQLiteError) {
      let result = try body(database)
      if writing {
        fault.withLock { $0 = nil }
        log.resolve("disk", "writing the cache to disk again")
      }
      return result
    } catch { throw StoreError(error, path: file.path) }
  }

  /// The open database. Opens it if necessary; a damaged file is set aside.
  private func openDatabase() throws(StoreError) -> Database {
    if let database { return database }
    guard time.monotonic() >= retryAt else { throw .unavailable("not retried yet") }
    let database: Database
    do throws(StoreError) { database = try file.open(checkingPages: true) } catch {
      guard case .unusable = error else { throw error }
      try setFileAside(because: error)
      database = try file.open(checkingPages: false)
    }
    do throws(SQLiteError) {
      try restoreClock(database)
      for scope in pendingPurges { _ = try remove(scope, from: database) }
      try fillFilter(from: database)
    } catch { throw StoreError(error, path: file.path) }
    pendingPurges = []
    self.database = database
    currentFile.advance(isUsable: true)
    return database
  }

  /// Advances the clock to the latest time that an earlier run recorded. If that time is more than an hour in the future, the clock was
  /// wrong then or is wrong now. The age of the data is then not known, and everything is removed.
  private func restoreClock(_ database: Database) throws(SQLiteError) {
    let statement = try database.statement("SELECT latest FROM clock")
    let latestTime = try statement.step() ? statement.real(0) : 0
    statement.reset()
    if latestTime > clock.now() + 3_600 {
      log.write(.warning, "clock", "the clock was set back: the cache starts empty, and users' choices are lost")
      try database.execute("DELETE FROM answers; DELETE FROM places; DELETE FROM uses; DELETE FROM clock")
      mustTruncate = true
      try shrink(database)
    } else {
      clock.advance(to: latestTime)
    }
  }

  /// Fills the filter with all answers in the database.
  private func fillFilter(from database: Database) throws(SQLiteError) {
    let statement = try database.statement("SELECT id FROM answers")
    defer { statement.reset() }
    var rowIDs: [Int64] = []
    while try statement.step() { rowIDs.append(Int64(statement.integer(0))) }
    filter.fill(rowIDs)
  }

  /// Sets the file aside and logs its new name.
  private func setFileAside(because error: StoreError) throws(StoreError) {
    close()
    let newPath = try file.setAside(at: time.wall())
    log.write(.error, "aside", "\(error.message); it was renamed to \(newPath), and the cache starts empty: users' choices are lost")
  }

  /// Sets a damaged file aside. Returns false if the file is not damaged or cannot be set aside now. In both cases, the next attempt is
  /// postponed, unless it has been postponed already.
  private func replaceIfDamaged(after error: StoreError) -> Bool {
    guard time.monotonic() >= retryAt else { return false }
    do throws(StoreError) {
      guard case .unusable = error else { throw error }
      try setFileAside(because: error)
      return true
    } catch {
      scheduleRetry(after: error)
      return false
    }
  }

  private func scheduleRetry(after error: StoreError) {
    let sentence = "answers are not stored on disk: \(error.message)"
    fault.withLock { $0 = sentence }
    log.write(.warning, "disk", sentence)
    database = nil
    retryAt = time.monotonic() + CacheWriter.retryInterval
  }
}

/// Tells the readers which database file is current. Its generation increases when the writer opens or closes the file, or cannot apply a
/// purge. A reader that has opened a file of another generation closes that file. While a purge is overdue, there is no current file, and
/// nothing is read.
final class CurrentCacheFile: Sendable {
  /// Identifies a purge.
  typealias PurgeID = Int
  private struct State {
    var generation = 0
    var isUsable = false
    var latestPurgeID = 0
    /// The purges in progress. The value is true if the purge is overdue: its caller has stopped waiting.
    var purges: [PurgeID: Bool] = [:]
  }
  private let state = Mutex(State())

  /// Begins a new generation, so that readers close their files. If `isUsable` is false, nothing is read until the next call.
  func advance(isUsable: Bool) {
    state.withLock { state in
      state.generation += 1
      state.isUsable = isUsable
    }
  }

  /// The generation of the current file; nil if there is none to read.
  var generation: Int? { state.withLock { $0.isUsable && !$0.purges.values.contains(true) ? $0.generation : nil } }

  func beginPurge() -> PurgeID {
    state.withLock { state in
      state.latestPurgeID += 1
      state.purges[state.latestPurgeID] = false
      return state.latestPurgeID
    }
  }

  /// Marks a purge as overdue, which prevents reads until it has ended.
  func markOverdue(_ purgeID: PurgeID) { state.withLock { if $0.purges[purgeID] != nil { $0.purges[purgeID] = true } } }

  func endPurge(_ purgeID: PurgeID) { state.withLock { $0.purges[purgeID] = nil } }
}

extension CacheScope {
  /// An SQL condition for the rows of the scope, by the columns `provider` and `user`, and the values of its parameters.
  var condition: (String, [Value]) {
    (
      "(?1 IS NULL OR provider = ?1) AND (?2 IS NULL OR user = ?2)",
      [provider.map { .text($0) } ?? .null, user.map { Value(Int($0)) } ?? .null]
    )
  }

  /// An SQL condition for the rows of the scope in the table `uses`, where the id of a place begins with its provider. The
  /// values of its parameters are those of `condition`.
  var choicesCondition: String {
    "(?1 IS NULL OR substr(place, 1, length(?1) + 1) = ?1 || ':') AND (?2 IS NULL OR user = ?2)"
  }
}
