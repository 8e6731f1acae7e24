import PlacesKit

extension Cache {
  /// The estimated size in memory of an entry without its answer, in bytes. Most of it is the key.
  private static let entryOverhead = 256

  /// Stores an answer for as long as the terms allow. Errors and partial answers must not be passed. Returns false if the answer was not
  /// stored.
  /// - Parameters:
  ///   - onDisk: false for answers that are computed faster than they are read from disk.
  ///   - purgeCount: the `purgeCount` that was read before the request was sent. If the answer's provider and partition were purged since,
  ///     the answer is not stored. By default, earlier purges are ignored.
  @discardableResult
  public func store(
    _ answer: Answer, for key: AnswerKey, under terms: Terms, onDisk: Bool = true, unlessPurgedSince purgeCount: Int = .max
  ) -> Bool {
    guard key.termsFingerprint == terms.fingerprint else { return false }
    guard let storedAnswer = StoredAnswer(answer, under: terms, at: clock.now()) else { return false }
    return state.withLock { state in
      guard !state.purges.containsPurge(ofProvider: key.provider, partition: key.partition, after: purgeCount) else { return false }
      state.memory.insert(storedAnswer, for: key, bytes: answer.approximateBytes + Cache.entryOverhead)
      if case .session = key.partition { state.mayContainSessions = true }
      // The write is added inside the lock, so that a purge that follows finds it in the inbox.
      if onDisk, key.partition.column != nil { inbox.add(.answer(key, storedAnswer)) }
      return true
    }
  }

  /// Returns an answer from memory, without a wait for the disk; nil if memory has no answer that may be served. Counts a hit, but not a
  /// miss, because the answer may still be found on disk.
  public func lookup(_ key: AnswerKey) -> FoundAnswer? {
    let now = clock.now()
    return state.withLock { state in
      guard let storedAnswer = state.memory.find(key) else { return nil }
      guard storedAnswer.isAllowed(at: now) else {
        state.memory.remove(key)
        return nil
      }
      recordLookup(hit: true, key, &state)
      return FoundAnswer(storedAnswer, at: now)
    }
  }

  /// Searches memory and then, if `onDisk` is true, the disk. Returns nil if the answer is in neither, and as soon as the task is
  /// cancelled. Never returns an answer that the terms no longer allow. Expired answers are marked as stale.
  public func find(_ key: AnswerKey, onDisk: Bool = true) async -> FoundAnswer? {
    if let answer = lookup(key) { return answer }
    let countBefore = purgeCount
    let storedAnswer = onDisk && mayBeOnDisk(key) ? await read { $0.answer(key, now: $1) } : nil
    return remember(storedAnswer, for: key, readAfter: countBefore)
  }

  /// Inserts an answer from the disk into memory, and returns it. If memory has a newer answer that was stored during the read, returns the
  /// newer one. Returns nil if `storedAnswer` is nil, or if it may not be served.
  /// - Parameter purgeCount: the `purgeCount` before the read.
  func remember(_ storedAnswer: StoredAnswer?, for key: AnswerKey, readAfter purgeCount: Int) -> FoundAnswer? {
    let now = clock.now()
    return state.withLock { state in
      guard let storedAnswer, storedAnswer.isAllowed(at: now),
        !state.purges.containsPurge(ofProvider: key.provider, partition: key.partition, after: purgeCount)
      else {
        recordLookup(hit: false, key, &state)
        return nil
      }
      recordLookup(hit: true, key, &state)
      if let newerAnswer = state.memory.find(key), newerAnswer.storedAt > storedAnswer.storedAt, newerAnswer.isAllowed(at: now) {
        return FoundAnswer(newerAnswer, at: now)
      }
      state.memory.insert(storedAnswer, for: key, bytes: storedAnswer.answer.approximateBytes + Cache.entryOverhead)
      return FoundAnswer(storedAnswer, at: now)
    }
  }

  private func mayBeOnDisk(_ key: AnswerKey) -> Bool { key.canonical.map { filter.mayContain(AnswerRow.id(of: $0)) } ?? false }

  /// Reads from the disk. `body` receives the current time.
  func read<Value: Sendable>(_ body: @escaping @Sendable (isolated CacheReader, Double) -> Value?) async -> Value? {
    let now = clock.now()
    return await reader.read { body($0, now) } ?? nil
  }

  /// Counts a lookup as a hit or a miss.
  private func recordLookup(hit: Bool, _ key: AnswerKey, _ state: inout State) {
    // Lookups for sessions are not counted, because each session would add a counter.
    guard key.partition.column != nil else { return }
    let counter = Counter(provider: key.provider, partition: key.partition)
    if hit { state.hits[counter, default: 0] += 1 } else { state.misses[counter, default: 0] += 1 }
  }
}

extension FoundAnswer {
  init(_ storedAnswer: StoredAnswer, at now: Double) {
    self.init(answer: storedAnswer.answer, storedAt: storedAnswer.storedAt, isStale: now >= storedAnswer.expiresAt)
  }
}
