import PlacesKit
import Synchronization

/// The cache of providers' answers, in memory and in a database that survives restarts. Each answer is stored for as long as its provider's
/// terms allow and no longer. The database also contains parts of places and users' choices. If the cache fails, requests continue without
/// it.
public final class Cache: Sendable {
  /// The answers in memory, with the record of purges and the counters of lookups.
  struct State {
    var memory: MemoryCache<AnswerKey, StoredAnswer>
    /// True if memory may contain entries of a session. If it is false, the end of a session need not visit every entry.
    var mayContainSessions = false
    var purges = PurgeHistory()
    var hits: [Counter: Int] = [:]
    var misses: [Counter: Int] = [:]
  }

  /// The key of a counter of hits or misses.
  struct Counter: Hashable {
    var provider: String
    var partition: Partition
  }

  /// The seconds between two removals of expired data, which may remain for at most one hour.
  static let expiryInterval = 600.0
  /// The seconds for which writes are collected into one transaction, so that replies are sent before the disk is used.
  static let writeDelay = 0.05
  /// Seconds after which an administrative command stops waiting for the disk.
  public static let diskTimeout = 5.0

  let inbox = CacheInbox()
  /// A filter of the answers on disk.
  let filter = AnswerFilter()
  let clock: SteadyClock
  private let currentFile = CurrentCacheFile()
  let reader: CacheReader
  /// A second connection, for reads of the whole cache, so that they do not delay lookups.
  let surveyReader: CacheReader
  let writer: CacheWriter
  let state: Mutex<State>
  private let time: any TimeSource

  /// - Parameters:
  ///   - path: the path of the database. Its directory must exist.
  ///   - diskBytes: the maximum size on disk in bytes.
  ///   - memoryBytes: the maximum size in memory in bytes.
  public convenience init(
    path: String, diskBytes: Int, memoryBytes: Int, time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.init(file: .cache(path), diskBytes: diskBytes, memoryBytes: memoryBytes, time: time, log: log)
  }

  init(
    file: StoreFile, diskBytes: Int, memoryBytes: Int, time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    clock = SteadyClock(time)
    reader = CacheReader(file, currentFile: currentFile, inbox: inbox)
    surveyReader = CacheReader(file, currentFile: currentFile, inbox: inbox)
    // An empty database already takes some pages, so the limit is at least 256 KiB.
    writer = CacheWriter(
      file, maxBytes: max(1 << 18, diskBytes), time: time, clock: clock, inbox: inbox, filter: filter, currentFile: currentFile,
      log: RateLimitedLog(time: time, log: log))
    state = Mutex(State(memory: MemoryCache(limit: memoryBytes)))
    self.time = time
  }

  /// The current time in seconds since 1970, which never decreases. The ages of answers are computed with it.
  public var now: Double { clock.now() }

  /// The reason why answers are not stored on disk now, as a sentence; nil if they are stored.
  public var diskFault: String? { writer.fault.withLock { $0 } }

  /// Opens the database, writes new entries to it and removes expired ones until the task is cancelled. Must be called once.
  public func run() async {
    _ = await removeExpired()
    await withDiscardingTaskGroup { group in
      group.addTask(name: "cache expiry") { [self] in
        while (try? await time.sleep(until: time.monotonic() + Cache.expiryInterval)) != nil { _ = await removeExpired() }
      }
      for await _ in inbox.writeSignals {
        try? await time.sleep(until: time.monotonic() + Cache.writeDelay)
        await writer.writePending()
      }
      group.cancelAll()
    }
    await writer.finish()
    await reader.close()
    await surveyReader.close()
  }

  /// Immediately removes all data whose storage the terms no longer allow. Returns nil if the disk does not respond. Then the data is
  /// removed as soon as the disk responds.
  @discardableResult
  public func expire() async -> RemovedEntries? { await withDiskTimeout("cache expiry") { await self.removeExpired() } }

  private func removeExpired() async -> RemovedEntries? {
    let now = clock.now()
    let removedFromMemory = state.withLock { $0.memory.removeAll { _, storedAnswer in !storedAnswer.isAllowed(at: now) } }
    guard let removal = await writer.perform({ $0.expire() }) else { return nil }
    // Most answers are both in memory and on disk, so the larger of the two numbers is reported.
    return RemovedEntries(answers: max(removedFromMemory, removal.answers), places: removal.places, choices: removal.choices)
  }

  /// Immediately removes everything in a scope. Returns nil if the scope cannot be removed from the disk now. Then the scope is
  /// removed from memory, and nothing is read from the disk until the scope has been removed there too.
  public func purge(_ scope: CacheScope) async -> RemovedEntries? {
    let removedFromMemory = forget(scope)
    let purgeID = currentFile.beginPurge()
    let removal = await withDiskTimeout("cache purge") { await self.writer.perform { $0.purge(scope, purgeID) } ?? nil }
    if removal == nil { currentFile.markOverdue(purgeID) }
    // Memory is cleared again, because answers may have been read from the disk before they were removed there.
    forget(scope)
    guard let removal else { return nil }
    return RemovedEntries(answers: max(removedFromMemory, removal.answers), places: removal.places, choices: removal.choices)
  }

  /// Waits for work on the disk for at most `diskTimeout` seconds.
  func withDiskTimeout<Value: Sendable>(_ name: String, _ work: @escaping @Sendable () async -> Value?) async -> Value? {
    await withTimeLimit(Cache.diskTimeout, clock: time, task: name, work)
  }

  /// Removes a scope from memory, and from now on rejects answers to requests that were sent before. Returns the number of removed
  /// answers. For a provider whose answers are in memory only, nothing else needs to be removed.
  @discardableResult
  public func forget(_ scope: CacheScope) -> Int {
    state.withLock { state in
      state.purges.add(scope)
      return state.memory.removeAll { key, _ in scope.contains(provider: key.provider, partition: key.partition) }
    }
  }

  /// The number of purges so far. It must be read before a request is sent, and passed to `store` with the answer.
  public var purgeCount: Int { state.withLock { $0.purges.count } }

  /// Removes the answers of one session of a user. The name of the session is computed only if memory may contain answers of any session.
  public func endSession(_ session: @autoclosure () -> String, of user: UInt32) {
    state.withLock { state in
      guard state.mayContainSessions else { return }
      let endedSession = "\(user)/\(session())"
      var hasOtherSessions = false
      _ = state.memory.removeAll { key, _ in
        guard case .session(let name) = key.partition else { return false }
        if name == endedSession { return true }
        hasOtherSessions = true
        return false
      }
      state.mayContainSessions = hasOtherSessions
    }
  }

  /// Statistics by provider, ordered by id; nil if the disk does not respond.
  public func statistics(_ scope: CacheScope) async -> [CacheStatistics]? {
    guard var result = await survey({ $0.statistics(scope) }) else { return nil }
    state.withLock { state in
      // Some answers are in memory only, some on disk only, and most in both. The larger of the two numbers is reported.
      var memoryCounts: [String: (answers: Int, bytes: Int)] = [:]
      state.memory.forEach { key, bytes in
        guard scope.contains(provider: key.provider, partition: key.partition) else { return }
        memoryCounts[key.provider, default: (0, 0)].answers += 1
        memoryCounts[key.provider, default: (0, 0)].bytes += bytes
      }
      for (provider, counts) in memoryCounts {
        var row = result[provider] ?? CacheStatistics(provider: provider)
        (row.answers, row.bytes) = (max(row.answers, counts.answers), max(row.bytes, counts.bytes))
        result[provider] = row
      }
      for (counters, counterPath) in [(state.hits, \CacheStatistics.hits), (state.misses, \.misses)] {
        for (counter, count) in counters where scope.contains(provider: counter.provider, partition: counter.partition) {
          result[counter.provider, default: CacheStatistics(provider: counter.provider)][keyPath: counterPath] += count
        }
      }
    }
    return result.values.sorted { $0.provider < $1.provider }
  }

  /// The answers on disk, newest first. If `text` is not nil, only those whose key contains `text`. Nil if the disk does not respond.
  public func list(_ scope: CacheScope, containing text: String? = nil, limit: Int) async -> [CacheEntry]? {
    await survey { $0.list(scope, containing: text, limit: limit) }
  }

  /// Runs `body`, which reads the whole cache, after all pending writes. Nil if the disk does not respond.
  private func survey<Value: Sendable>(_ body: @escaping @Sendable (isolated CacheReader) -> Value) async -> Value? {
    await withDiskTimeout("cache survey") { [writer, surveyReader] in
      await writer.writeNow()
      return await surveyReader.read(body)
    }
  }
}
