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

  let inbox = CacheInbox()
  /// Which answers the database may hold.
  let filter = AnswerFilter()
  let clock: SteadyClock
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
    let epoch = CacheEpoch()
    clock = SteadyClock(time)
    reader = CacheReader(file, epoch: epoch, inbox: inbox)
    surveyor = CacheReader(file, epoch: epoch, inbox: inbox)
    writer = CacheWriter(
      file, limit: max(1 << 18, diskBytes), time: time, clock: clock, inbox: inbox, filter: filter, epoch: epoch,
      log: OccasionalLog(time: time, log: log))
    state = Mutex(State(memory: MemoryCache(limit: memoryBytes)))
    self.time = time
  }

  /// Opens the database, writes what is kept and removes what has expired, until the task is cancelled. Runs once.
  public func run() async {
    await expire()
    await withDiscardingTaskGroup { group in
      group.addTask(name: "cache expiry") { [self] in
        while (try? await time.sleep(until: time.monotonic() + Cache.expiryInterval)) != nil { await expire() }
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

  /// Removes everything that terms no longer allow to keep, at once and for good.
  @discardableResult
  public func expire() async -> CacheRemoval {
    let now = clock.now()
    let inMemory = state.withLock { $0.memory.removeAll { _, kept in !kept.isAllowed(at: now) } }
    let removal = await writer.expire()
    return CacheRemoval(answers: max(inMemory, removal.answers), places: removal.places, choices: removal.choices)
  }

  /// Forgets what belongs to a share, at once and for good. Nil where the disk could not be cleared now: memory is, and the disk's
  /// answers are out of reach as long as it fails.
  public func purge(_ share: CacheShare) async -> CacheRemoval? {
    let inMemory = forget(share)
    let removal = await writer.purge(share)
    // Again, for what was read from the disk before it was cleared.
    forget(share)
    guard let removal else { return nil }
    return CacheRemoval(answers: max(inMemory, removal.answers), places: removal.places, choices: removal.choices)
  }

  /// Clears memory of a share, and lets nothing back in that is older than this; returns how many answers went.
  @discardableResult
  private func forget(_ share: CacheShare) -> Int {
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

  /// Counts by provider, in the order of their ids.
  public func statistics(_ share: CacheShare) async -> [CacheStatistics] {
    await writer.drain()
    var result = await surveyor.statistics(share)
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

  /// Answers on disk, newest first; where a text is given, those whose key holds it.
  public func list(_ share: CacheShare, containing text: String? = nil, limit: Int) async -> [CacheEntry] {
    await writer.drain()
    return await surveyor.list(share, containing: text, limit: limit)
  }
}
