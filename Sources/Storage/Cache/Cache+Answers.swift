import PlacesKit

extension Cache {
  /// Keeps an answer for as long as the terms allow; not at all where they don't. Errors and partial answers must not come here.
  /// Returns whether it was kept. Without `onDisk` it is kept in memory alone, for answers that are quicker asked for than read.
  /// `earlier` is what `purges` was when the service was asked: what was purged since is not kept. Left out, nothing was.
  @discardableResult
  public func keep(
    _ answer: Answer, for key: AnswerKey, under terms: Terms, onDisk: Bool = true, since earlier: Int = .max
  ) -> Bool {
    guard key.terms == terms.fingerprint, let kept = KeptAnswer(answer, under: terms, at: clock.now()) else { return false }
    return state.withLock { state in
      guard !state.purges.concern(provider: key.provider, partition: key.partition, since: earlier) else { return false }
      state.memory.insert(kept, for: key, bytes: answer.weight + 256)
      if case .session = key.partition { state.holdsSessions = true }
      // Under the lock, so that a purge finds it in the inbox or comes before it.
      if onDisk, key.partition.column != nil { inbox.add(.answer(key, kept)) }
      return true
    }
  }

  /// Looks into memory alone: no waiting, no disk.
  public func lookup(_ key: AnswerKey) -> FoundAnswer? {
    let now = clock.now()
    return state.withLock { state in
      guard let kept = state.memory.find(key) else { return nil }
      guard kept.isAllowed(at: now) else {
        state.memory.remove(key)
        return nil
      }
      count(hit: true, key, &state)
      return FoundAnswer(kept, at: now)
    }
  }

  /// Looks into memory, then on disk; finds nothing as soon as the task is cancelled. Never gives what the terms no longer allow; what is past its time to live comes as stale.
  /// Without `onDisk` the disk, where such answers are not kept, is not asked.
  public func find(_ key: AnswerKey, onDisk: Bool = true) async -> FoundAnswer? {
    if let found = lookup(key) { return found }
    let earlier = purges
    let kept = onDisk && mayBeOnDisk(key) ? await read { $0.answer(key, now: $1) } : nil
    let now = clock.now()
    return state.withLock { state in
      guard let kept, kept.isAllowed(at: now),
        !state.purges.concern(provider: key.provider, partition: key.partition, since: earlier)
      else {
        count(hit: false, key, &state)
        return nil
      }
      state.memory.insert(kept, for: key, bytes: kept.answer.weight + 256)
      count(hit: true, key, &state)
      return FoundAnswer(kept, at: now)
    }
  }

  private func mayBeOnDisk(_ key: AnswerKey) -> Bool { key.canonical.map { filter.mayHold(AnswerRow.number(of: $0)) } ?? false }

  func read<Value: Sendable>(_ body: @escaping @Sendable (isolated CacheReader, Double) -> Value?) async -> Value? {
    let now = clock.now()
    return await reader.read { body($0, now) } ?? nil
  }

  private func count(hit: Bool, _ key: AnswerKey, _ state: inout State) {
    // Sessions come and go; their figures are counted for nobody, so that they cannot pile up.
    guard key.partition.column != nil else { return }
    let counter = Counter(provider: key.provider, partition: key.partition)
    if hit { state.hits[counter, default: 0] += 1 } else { state.misses[counter, default: 0] += 1 }
  }
}

extension FoundAnswer {
  init(_ kept: KeptAnswer, at now: Double) {
    self.init(answer: kept.answer, storedAt: kept.storedAt, isStale: now >= kept.expiresAt)
  }
}
