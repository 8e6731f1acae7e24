import Resilience
import PlacesKit
import SQLite
import Synchronization

/// A connection that reads the cache. It has its own executor, so that a lookup never waits for a slow write.
actor CacheReader {
  nonisolated let executor = StoreExecutor("placesd.cache.reader")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let file: StoreFile
  private let currentFile: CurrentCacheFile
  private let inbox: CacheInbox
  private var database: Database?
  /// The value of `currentFile.generation` when the open file was opened; nil if no file is open.
  private var openGeneration: Int?
  /// The read in progress, identified by its promise, and the handle that interrupts it; nil if there is none.
  private let currentRead = Mutex<(readID: ObjectIdentifier, interrupter: Database.Interrupter?)?>(nil)

  init(_ file: StoreFile, currentFile: CurrentCacheFile, inbox: CacheInbox) {
    self.file = file
    self.currentFile = currentFile
    self.inbox = inbox
  }

  /// Runs a read on the reader's executor and returns its result. Returns nil as soon as the calling task is cancelled, however long the
  /// disk takes. A read whose caller was cancelled is not started. A read in progress is interrupted, so that it does not delay the next
  /// one.
  nonisolated func read<Value: Sendable>(_ body: @escaping @Sendable (isolated CacheReader) -> Value) async -> Value? {
    let promise = Promise<Value>()
    let readID = ObjectIdentifier(promise)
    // Only the caller retains the promise, so the weak reference is nil if the caller was cancelled and has stopped waiting.
    executor.perform { [weak promise] in
      guard let promise else { return }
      promise.fulfil(self.assumeIsolated { $0.run(body, readID) })
    }
    return await withTaskCancellationHandler {
      await promise.value()
    } onCancel: {
      // The lock is held during the interruption. Otherwise this read could end first, and the next one would be interrupted.
      currentRead.withLock { if $0?.readID == readID { $0?.interrupter?.interrupt() } }
    }
  }

  private func run<Value>(_ body: (isolated CacheReader) -> Value, _ readID: ObjectIdentifier) -> Value {
    currentRead.withLock { $0 = (readID, database?.interrupter) }
    defer { currentRead.withLock { $0 = nil } }
    return body(self)
  }

  /// The answer with this key; nil if it does not exist or is damaged. The caller checks whether it may still be served.
  func answer(_ key: AnswerKey, now: Double) -> StoredAnswer? {
    guard let canonical = key.canonical else { return nil }
    let id = AnswerRow.id(of: canonical)
    let result = withDatabase { database throws(SQLiteError) -> (row: AnswerRow?, usedAt: Double)? in
      let statement = try database.statement("SELECT \(AnswerRow.columns), used FROM answers WHERE id = ?")
      defer { statement.reset() }
      try statement.bind(id, at: 1)
      return try statement.step() ? (AnswerRow(statement), statement.real(11)) : nil
    }
    // The outer optional is nil if the read failed, and the inner one if there is no such row.
    guard case .some(.some(let (row, usedAt))) = result else { return nil }
    guard let row, let storedAnswer = row.storedAnswer else {
      inbox.add(.removeDamaged(id))
      return nil
    }
    guard row.key == canonical else { return nil }
    // Uses are recorded at most once an hour, because each record is a write.
    if now - usedAt > 3_600 { inbox.add(.recordUse(id, at: now)) }
    return storedAnswer
  }

  /// The parts of a place that may still be served; nil if there are none.
  func place(_ key: PlaceKey, now: Double) -> StoredPlace? {
    guard let user = key.partition.column else { return nil }
    return withDatabase { database throws(SQLiteError) -> StoredPlace? in
      let statement = try database.statement(
        "SELECT \(PlacePartRow.columns) FROM places WHERE provider = ? AND user = ? AND place = ? AND language = ? AND ends > ? AND stored <= ?"
      )
      defer { statement.reset() }
      try statement.bind([.text(key.provider), Value(user), .text(key.id), .text(key.language), .real(now), .real(now)])
      var storedPlace = StoredPlace(place: Place(id: key.id), times: [:])
      var isEmpty = true
      while try statement.step() {
        // The checksum covers the place's id, so a row that was moved to another place is not served.
        guard let row = PlacePartRow(statement), row.placeID == key.id, row.endsAt > now else { continue }
        storedPlace.place.set(row.part, from: row.value)
        if case .field(let field) = row.part { storedPlace.times[field] = row.storedAt }
        isEmpty = false
      }
      return isEmpty ? nil : storedPlace
    } ?? nil
  }

  /// The choices of a user, latest first; nil if the file cannot be read now.
  func choices(of user: UInt32, now: Double, limit: Int) -> [UserChoice]? {
    withDatabase { database throws(SQLiteError) in
      let statement = try database.statement(
        "SELECT \(UserChoice.columns) FROM uses WHERE user = ? AND ends > ? ORDER BY at DESC LIMIT ?")
      defer { statement.reset() }
      try statement.bind([Value(Int(user)), .real(now), Value(limit)])
      var choices: [UserChoice] = []
      while try statement.step() {
        if let choice = UserChoice(statement), choice.user == user { choices.append(choice) }
      }
      return choices
    }
  }

  /// Statistics by provider.
  func statistics(_ scope: CacheScope) -> [String: CacheStatistics] {
    withDatabase { database throws(SQLiteError) in
      let (condition, values) = scope.condition
      var result: [String: CacheStatistics] = [:]
      for (sql, countPath) in [
        (
          "SELECT provider, count(*), sum(length(key) + length(value)) FROM answers WHERE \(condition) GROUP BY provider",
          \CacheStatistics.answers
        ),
        (
          """
          SELECT provider, count(DISTINCT user || '/' || language || '/' || place), sum(length(value)) FROM places WHERE \(condition)
          GROUP BY provider
          """, \CacheStatistics.places
        ),
        (
          """
          SELECT substr(place, 1, instr(place, ':') - 1) AS provider, count(*), 0 FROM uses WHERE \(scope.choicesCondition) GROUP BY provider
          """, \CacheStatistics.choices
        ),
      ] {
        let statement = try database.statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {
          let provider = statement.text(0)
          result[provider, default: CacheStatistics(provider: provider)][keyPath: countPath] = statement.integer(1)
          result[provider]?.bytes += statement.integer(2)
        }
      }
      return result
    } ?? [:]
  }

  /// The stored answers, newest first. If `text` is not nil, only those whose key contains `text`.
  func list(_ scope: CacheScope, containing text: String?, limit: Int) -> [CacheEntry] {
    withDatabase { database throws(SQLiteError) in
      let (condition, values) = scope.condition
      let statement = try database.statement(
        """
        SELECT provider, call, key, user, rows, length(value), stored, expires FROM answers WHERE \(condition)
        AND (?4 IS NULL OR instr(key, ?4)) ORDER BY stored DESC, id LIMIT ?3
        """)
      defer { statement.reset() }
      try statement.bind(values + [Value(limit), text.map { Value.blob(Array($0.utf8)) } ?? .null])
      var entries: [CacheEntry] = []
      while try statement.step() {
        guard let call = Call(rawValue: statement.text(1)) else { continue }
        entries.append(
          CacheEntry(
            provider: statement.text(0), call: call, key: String(decoding: statement.blob(2), as: UTF8.self),
            partition: Partition(column: statement.integer(3)), rows: statement.integer(4), bytes: statement.integer(5),
            storedAt: statement.real(6), expiresAt: statement.real(7)))
      }
      return entries
    } ?? []
  }

  /// Closes the file.
  func close() {
    database = nil
    openGeneration = nil
  }

  /// Runs `body` with the current file; nil if there is no file or `body` fails.
  func withDatabase<Result>(_ body: (Database) throws(SQLiteError) -> Result) -> Result? {
    guard let currentGeneration = currentFile.generation else {
      close()
      return nil
    }
    do throws(SQLiteError) {
      if openGeneration != currentGeneration { close() }
      if database == nil {
        guard let newDatabase = try? file.openForReading() else { return nil }
        (database, openGeneration) = (newDatabase, currentGeneration)
        currentRead.withLock { $0?.interrupter = newDatabase.interrupter }
      }
      guard let database else { return nil }
      return try body(database)
    } catch  where error.isInterrupted {
      return nil
    } catch {
      if error.isCorrupt { inbox.add(.checkFile) }
      // The file may have been set aside. It is opened again at the next read.
      close()
      return nil
    }
  }
}
