import PlacesKit
import Synchronization

/// What may be kept of providers' answers: in memory, and behind it in a database that survives restarts. Every answer lives as long
/// as its provider's terms allow and no longer; nothing here ever fails a request.
public final class Cache: Sendable {
  struct State {
    var memory: MemoryCache<AnswerKey, KeptAnswer>
    /// Whether something in memory is one session's alone: few terms want that, and to look for it takes a walk through all.
    var holdsSessions = false
    var purges = Purges()
    var hits: [Counter: Int] = [:]
    var misses: [Counter: Int] = [:]
  }

  struct Counter: Hashable {
    var provider: String
    var partition: Partition
  }

  /// Seconds between two rounds of expiry; an hour late is what contracts are told.
  static let expiryInterval = 600.0
  /// Seconds in which answers gather before they are written in one transaction: the replies that they belong to go first.
  static let gathering = 0.05
  /// Seconds that whoever asks for a survey or a purge waits for the disk.
  public static let patience = 5.0

  let inbox = CacheInbox()
  /// Which answers the database may hold.
  let filter = AnswerFilter()
  let clock: SteadyClock
  private let epoch = CacheEpoch()
  let reader: CacheReader
  /// Reads what goes through everything, so that no lookup waits for it.
  private let surveyor: CacheReader
  let writer: CacheWriter
  let state: Mutex<State>
  private let time: any TimeSource

  /// `path` is the database's; its folder must exist. `diskBytes` and `memoryBytes` are the most that answers may take.
  public convenience init(
    path: String, diskBytes: Int, memoryBytes: Int, time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.init(file: .cache(path), diskBytes: diskBytes, memoryBytes: memoryBytes, time: time, log: log)
  }

  init(
    file: StoreFile, diskBytes: Int, memoryBytes: Int, time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    clock = SteadyClock(time)
    reader = CacheReader(file, epoch: epoch, inbox: inbox)
    surveyor = CacheReader(file, epoch: epoch, inbox: inbox)
    writer = CacheWriter(
      file, limit: max(1 << 18, diskBytes), time: time, clock: clock, inbox: inbox, filter: filter, epoch: epoch,
      log: OccasionalLog(time: time, log: log))
    state = Mutex(State(memory: MemoryCache(limit: memoryBytes)))
    self.time = time
  }

  /// Now, in seconds since 1970, and never earlier than before: the clock that ages of answers are told by.
  public var now: Double { clock.now() }

  /// Opens the database, writes what is kept and removes what has expired, until the task is cancelled. Runs once.
  public func run() async {
    _ = await removeExpired()
    await withDiscardingTaskGroup { group in
      group.addTask(name: "cache expiry") { [self] in
        while (try? await time.sleep(until: time.monotonic() + Cache.expiryInterval)) != nil { _ = await removeExpired() }
      }
      for await _ in inbox.signals {
        try? await time.sleep(until: time.monotonic() + Cache.gathering)
        await writer.drain()
      }
      group.cancelAll()
    }
    await writer.finish()
    await reader.close()
    await surveyor.close()
  }

  /// Removes everything that terms no longer allow to keep, at once and for good. Nil where the disk does not answer: it is done as soon as
  /// it does.
  @discardableResult
  public func expire() async -> CacheRemoval? { await patiently("cache expiry") { await self.removeExpired() } }

  private func removeExpired() async -> CacheRemoval? {
    let now = clock.now()
    let inMemory = state.withLock { $0.memory.removeAll { _, kept in !kept.isAllowed(at: now) } }
    guard let removal = await writer.perform({ $0.expire() }) else { return nil }
    return CacheRemoval(answers: max(inMemory, removal.answers), places: removal.places, choices: removal.choices)
  }

  /// Forgets what belongs to a share, at once and for good. Nil where the disk could not be cleared now: memory is, and the disk's
  /// answers are out of reach as long as it fails.
  public func purge(_ share: CacheShare) async -> CacheRemoval? {
    let inMemory = forget(share)
    let ticket = epoch.beginPurge()
    let removal = await patiently("cache purge") { await self.writer.perform { $0.purge(share, ticket) } ?? nil }
    if removal == nil { epoch.isLate(ticket) }
    // Again, for what was read from the disk before it was cleared.
    forget(share)
    guard let removal else { return nil }
    return CacheRemoval(answers: max(inMemory, removal.answers), places: removal.places, choices: removal.choices)
  }

  /// Does what waits for the disk, and waits no longer than people do.
  func patiently<Value: Sendable>(_ name: String, _ work: @escaping @Sendable () async -> Value?) async -> Value? {
    await within(Cache.patience, of: time, name, work)
  }

  /// Clears memory of a share, and lets nothing back in that is older than this; returns how many answers went. For a provider that never
  /// leaves the machine that is all, since none of its answers is on the disk.
  @discardableResult
  public func forget(_ share: CacheShare) -> Int {
    state.withLock { state in
      state.purges.add(share)
      return state.memory.removeAll { key, _ in share.holds(provider: key.provider, partition: key.partition) }
    }
  }

  /// Where the purges stand: taken before a service is asked, and given back with what it answers.
  public var purges: Int { state.withLock { $0.purges.count } }

  /// Forgets what was kept for one session of a user; its name is made only where anything is kept for a session.
  public func endSession(_ session: @autoclosure () -> String, of user: UInt32) {
    state.withLock { state in
      guard state.holdsSessions else { return }
      let ended = "\(user)/\(session())"
      var isHoldingOthers = false
      _ = state.memory.removeAll { key, _ in
        guard case .session(let name) = key.partition else { return false }
        if name == ended { return true }
        isHoldingOthers = true
        return false
      }
      state.holdsSessions = isHoldingOthers
    }
  }

  /// Counts by provider, in the order of their ids; nil where the disk does not answer.
  public func statistics(_ share: CacheShare) async -> [CacheStatistics]? {
    guard var result = await survey({ $0.statistics(share) }) else { return nil }
    state.withLock { state in
      // Some answers are kept in memory alone; what is on disk too is counted once.
      var inMemory: [String: (answers: Int, bytes: Int)] = [:]
      state.memory.forEach { key, bytes in
        guard share.holds(provider: key.provider, partition: key.partition) else { return }
        inMemory[key.provider, default: (0, 0)].answers += 1
        inMemory[key.provider, default: (0, 0)].bytes += bytes
      }
      for (provider, kept) in inMemory {
        var row = result[provider] ?? CacheStatistics(provider: provider)
        (row.answers, row.bytes) = (max(row.answers, kept.answers), max(row.bytes, kept.bytes))
        result[provider] = row
      }
      for (counters, path) in [(state.hits, \CacheStatistics.hits), (state.misses, \.misses)] {
        for (counter, count) in counters where share.holds(provider: counter.provider, partition: counter.partition) {
          result[counter.provider, default: CacheStatistics(provider: counter.provider)][keyPath: path] += count
        }
      }
    }
    return result.values.sorted { $0.provider < $1.provider }
  }

  /// Answers on disk, newest first; where a text is given, those whose key holds it. Nil where the disk does not answer.
  public func list(_ share: CacheShare, containing text: String? = nil, limit: Int) async -> [CacheEntry]? {
    await survey { $0.list(share, containing: text, limit: limit) }
  }

  /// Reads what goes through everything, once all that waits is written.
  private func survey<Value: Sendable>(_ body: @escaping @Sendable (isolated CacheReader) -> Value) async -> Value? {
    await patiently("cache survey") { [writer, surveyor] in
      await writer.writeNow()
      return await surveyor.read(body)
    }
  }
}
