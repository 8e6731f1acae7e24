import Storage
import PlacesAPI
import PlacesKit

// The cache of this provider's answers.

extension ProviderClient {
  /// Looks up the answer to a call. Returns nil if there is none, or if the request does not allow cached answers. `isFallback` is true if
  /// the answer is stale, or if the call saves more than it costs. The caller uses a fallback only if it gets no fresh answer in time.
  func cached(_ key: SharedCall.Key, _ request: ProviderRequest) async -> (outcome: ProviderOutcome, isFallback: Bool)? {
    guard let cache, request.cache == .standard || request.cache == .only, let answerKey = answerKey(key) else { return nil }
    let foundAnswer = await cache.find(answerKey, onDisk: instance.keepsOnDisk)
    let cachedOutcome: ProviderOutcome? = if let foundAnswer { ProviderOutcome(foundAnswer) } else { await assembledPlace(key) }
    guard let outcome = cachedOutcome else { return nil }
    if outcome.served == .stale || request.cache == .standard && callLowersSessionPrice(request) { return (outcome, true) }
    recordAvoidedCall(micros: tablePrice(of: key.call), user: request.user, by: .cache)
    return (outcome, false)
  }

  /// The fresh answer that the cache has in memory; nil if there is none.
  func freshInMemory(_ key: SharedCall.Key) -> ProviderOutcome? {
    guard let cache, let answerKey = answerKey(key), let foundAnswer = cache.lookup(answerKey), !foundAnswer.isStale else { return nil }
    return ProviderOutcome(foundAnswer)
  }

  /// True if an answer may be stored for later requests. Every row contains text, so the terms must allow text to be stored: `otherSeconds`
  /// is the maximum age of text, and nil means no limit.
  func isStorable(_ partition: Partition?) -> Bool {
    cache != nil && partition != nil && instance.manifest.terms.otherSeconds.map { $0 > 0 } ?? true
  }

  /// Stores an answer for the time and the users that the terms allow, unless the cache was purged after `purgeCount` was read. Of the
  /// errors, only `notFound` is stored.
  func store(_ outcome: ProviderOutcome, _ key: SharedCall.Key, unlessPurgedSince purgeCount: Int) {
    guard let cache, let answerKey = answerKey(key), let answer = Answer(outcome, to: key.call) else { return }
    let terms = instance.manifest.terms
    cache.store(answer, for: answerKey, under: terms, onDisk: instance.keepsOnDisk, unlessPurgedSince: purgeCount)
    guard instance.keepsOnDisk else { return }
    for place in outcome.answer?.places ?? [] {
      cache.store(place, for: placeKey(place.id, key.call, answerKey.partition), under: terms, unlessPurgedSince: purgeCount)
    }
  }

  /// A place assembled from the fields of earlier answers; nil if a requested field is missing.
  private func assembledPlace(_ key: SharedCall.Key) async -> ProviderOutcome? {
    guard instance.keepsOnDisk, case .details(let request) = key.call, let partition = key.partition,
      let storedPlace = await cache?.place(placeKey(request.id, key.call, partition)), request.fields.isSubset(of: storedPlace.times.keys)
    else { return nil }
    let oldest = request.fields.compactMap { storedPlace.times[$0] }.min() ?? 0
    return .answered(.places(Page(rows: [storedPlace.place])), served: .cache, fetchedAt: oldest)
  }

  /// Nil for a call whose answers are never stored.
  private func answerKey(_ key: SharedCall.Key) -> AnswerKey? {
    guard let partition = key.partition, key.call.kind != .photo else { return nil }
    return AnswerKey(provider: id, termsFingerprint: termsFingerprint, call: key.call, partition: partition)
  }

  private func placeKey(_ id: String, _ call: ProviderCall, _ partition: Partition) -> PlaceKey {
    PlaceKey(provider: self.id, id: id, language: call.language, partition: partition)
  }
}

extension Answer {
  /// Nil for an outcome that is not stored: a photo, an error other than `notFound`, or details without a place.
  fileprivate init?(_ outcome: ProviderOutcome, to call: ProviderCall) {
    switch (outcome.answer, call) {
    case (.suggestions(let page), _): self = .suggestions(page)
    case (.places(let page), .details): if let place = page.rows.first { self = .place(place) } else { return nil }
    case (.places(let page), _): self = .places(page)
    case (nil, .details) where outcome.cause == ProviderError.Cause.notFound.rawValue: self = .notFound
    case (.photo, _), (nil, _): return nil
    }
  }
}

extension ProviderOutcome {
  fileprivate init(_ foundAnswer: FoundAnswer) {
    let answer: ProviderAnswer
    switch foundAnswer.answer {
    case .suggestions(let page): answer = .suggestions(page)
    case .places(let page): answer = .places(page)
    case .place(let place): answer = .places(Page(rows: [place], exhaustive: true))
    case .notFound:
      self = .failed(ProviderError(.notFound, "the service does not know this place"))
      served = .cache
      return
    }
    self = .answered(answer, served: foundAnswer.isStale ? .stale : .cache, fetchedAt: foundAnswer.storedAt)
  }
}
