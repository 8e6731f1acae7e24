import Asking
import PlacesAPI
import PlacesKit
import RPC

/// The road of a cached answer, and how answers get onto it.
final class KnownAnswers: Sendable {
  private let engine: Engine
  private let cache: ReplyCache

  /// - Parameter capacity: bytes of replies.
  init(engine: Engine, capacity: Int) {
    self.engine = engine
    cache = ReplyCache(capacity: capacity)
  }

  var hits: UInt64 { cache.hits }
  var bytes: Int { cache.bytes }

  /// The result of an autocomplete request whose answer is kept, after the checks that the long road makes: the user's quota, the
  /// order of the session's requests, the answer's time. Nil sends the request along the long road.
  /// - Parameter now: as the engine counts.
  func result(_ params: Span<UInt8>, user: UInt32, at now: Double) -> KnownResult? {
    var result: KnownResult?
    // Every user has entries of his own, so that none shows what another one asked.
    Autocomplete.withReplyKey(of: params, user: user) { key, asker in
      guard let answer = cache.answer(for: key, at: now),
        engine.repeats(answer.repetition, session: asker.session, seq: asker.seq, user: user, at: now)
      else { return }
      result = answer.result
    }
    return result
  }

  /// Answers along the long road, and keeps what may be given again.
  func answer(_ parameters: Autocomplete.Parameters, user: UInt32, partial: Engine.ShowSuggestions?) async throws(APIError) -> [UInt8] {
    let epoch = cache.epoch
    let (result, mayRepeat) = try await engine.repeatableAutocomplete(parameters, caller: EngineCaller(user: user), partial: partial)
    guard let repetition = mayRepeat, parameters.cache == .standard, !parameters.explain else { return result.bytes }
    let (bytes, kept) = result.encoded(withRowsOf: result.fromCache)
    Autocomplete.withReplyKey(of: parameters, user: user) { key in
      cache.store(KnownAnswer(KnownResult(kept), repetition, for: key), for: key, user: user, epoch: epoch)
    }
    return bytes
  }

  /// What this user is given may have changed.
  func forget(user: UInt32) { cache.forget(user: user) }

  /// What anybody is given may have changed.
  func forget() { cache.beginEpoch() }
}

extension Autocomplete.Result {
  /// The result as it is when asked for again.
  fileprivate var fromCache: Autocomplete.Result {
    var result = self
    result.revision = 1
    for index in result.providers.indices where result.providers[index].outcome.isAnswer {
      result.providers[index].served = .cache
      result.providers[index].latencyMs = 0
    }
    return result
  }
}
