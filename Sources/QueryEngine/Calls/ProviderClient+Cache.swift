import Storage
import PlacesAPI
import PlacesKit

// What is kept of this provider's answers, and given again.

extension ProviderClient {
  /// What the cache has for a call.
  enum Kept {
    case nothing
    case fresh(Outcome)
    /// For want of a better one: it is past its time, or the call pays for itself.
    case spare(Outcome)
  }

  func kept(_ key: SharedCall.Key, _ ask: ProviderRequest) async -> Kept {
    guard let cache, ask.cache == .standard || ask.cache == .only, let answerKey = answerKey(key) else { return .nothing }
    let found = await cache.find(answerKey, onDisk: instance.keepsOnDisk)
    let kept: Outcome? = if let found { Outcome(found) } else { await assembled(key, ask) }
    guard let outcome = kept else { return .nothing }
    if outcome.served == .stale || ask.cache == .standard && paysToCall(ask) { return .spare(outcome) }
    save(ask.plan.call, user: ask.user, by: .cache)
    recordSaved()
    return .fresh(outcome)
  }

  /// A fresh answer in memory.
  func remembered(_ key: SharedCall.Key) -> Outcome? {
    guard let cache, let answerKey = answerKey(key), let found = cache.lookup(answerKey), !found.isStale else { return nil }
    return Outcome(found)
  }

  /// Keeps an answer as long and for whom the terms allow, unless it was purged since the service was asked. Errors never come here.
  func keep(_ outcome: Outcome, _ key: SharedCall.Key, since purges: Int) {
    guard let cache, let answerKey = answerKey(key), let answer = Answer(outcome, to: key.call) else { return }
    let terms = instance.manifest.terms
    cache.keep(answer, for: answerKey, under: terms, onDisk: instance.keepsOnDisk, since: purges)
    guard instance.keepsOnDisk else { return }
    for place in outcome.answer?.places ?? [] {
      cache.keep(place, for: placeKey(place.id, key.call, answerKey.partition), under: terms, since: purges)
    }
  }

  /// A place put together from what earlier answers told of it, where they told all that is asked for.
  private func assembled(_ key: SharedCall.Key, _ ask: ProviderRequest) async -> Outcome? {
    guard instance.keepsOnDisk, case .details(let request) = key.call, let partition = key.audience.partition,
      let kept = await cache?.place(placeKey(request.id, key.call, partition)), request.fields.isSubset(of: kept.times.keys)
    else { return nil }
    let oldest = request.fields.compactMap { kept.times[$0] }.min() ?? 0
    return .answered(.places(Page(rows: [kept.place])), served: .cache, fetchedAt: oldest)
  }

  private func answerKey(_ key: SharedCall.Key) -> AnswerKey? {
    key.audience.partition.map {
      AnswerKey(provider: id, terms: terms, request: AnswerKey.Request(key.call), partition: $0)
    }
  }

  private func placeKey(_ id: String, _ call: ProviderCall, _ partition: Partition) -> PlaceKey {
    PlaceKey(provider: self.id, id: id, language: call.language, partition: partition)
  }
}

extension AnswerKey.Request {
  fileprivate init(_ call: ProviderCall) {
    self =
      switch call {
      case .autocomplete(let request): .autocomplete(request)
      case .search(let request): .search(request)
      case .details(let request): .details(request)
      case .reverse(let request): .reverse(request)
      case .geocode(let request): .geocode(request)
      }
  }
}

extension Answer {
  /// Nil for what is no whole answer.
  fileprivate init?(_ outcome: Outcome, to call: ProviderCall) {
    switch (outcome.answer, call) {
    case (.suggestions(let page), _): self = .suggestions(page)
    case (.places(let page), .details): if let place = page.rows.first { self = .place(place) } else { return nil }
    case (.places(let page), _): self = .places(page)
    case (nil, .details) where outcome.cause == ProviderError.Cause.notFound.rawValue: self = .notFound
    case (nil, _): return nil
    }
  }
}

extension Outcome {
  fileprivate init(_ found: FoundAnswer) {
    let answer: ProviderAnswer
    switch found.answer {
    case .suggestions(let page): answer = .suggestions(page)
    case .places(let page): answer = .places(page)
    case .place(let place): answer = .places(Page(rows: [place], exhaustive: true))
    case .notFound:
      self = .failed(ProviderError(.notFound, "the service does not know this place"))
      served = .cache
      return
    }
    self = .answered(answer, served: found.isStale ? .stale : .cache, fetchedAt: found.storedAt)
  }
}

extension ProviderCall {
  var language: String? {
    switch self {
    case .autocomplete(let request): request.language
    case .search(let request), .geocode(let request): request.language
    case .details(let request): request.language
    case .reverse(let request): request.language
    }
  }
}
