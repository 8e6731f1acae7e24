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
  func result(_ params: Span<UInt8>, user: UInt32) -> [UInt8]? {
    var key: [UInt8] = []
    key.reserveCapacity(params.count + 8)
    guard let request = Autocomplete.scan(params, key: &key), request.cache == .standard, !request.explain else { return nil }
    Self.add(user, to: &key)
    guard let answer = cache.answer(for: key, at: engine.now),
      engine.repeats(session: request.session, seq: request.seq, query: answer.query, user: user, providers: answer.providers)
    else { return nil }
    return answer.result
  }

  /// Answers along the long road, and keeps what may be given again.
  func answer(_ parameters: Autocomplete.Parameters, user: UInt32, partial: Engine.ShowSuggestions?) async throws(APIError) -> [UInt8] {
    let epoch = cache.epoch
    let (result, repeatable) = try await engine.repeatableAutocomplete(parameters, caller: EngineCaller(user: user), partial: partial)
    if let repeatable, parameters.cache == .standard, !parameters.explain {
      var key = Autocomplete.schema.canonical(parameters)
      Self.add(user, to: &key)
      let providers = result.providers.filter(\.outcome.isAnswer).map(\.provider)
      let answer = KnownAnswer(result: result.fromCache.bytes, query: parameters.query, providers: providers)
      cache.store(answer, for: key, user: user, until: repeatable, epoch: epoch)
    }
    return result.bytes
  }

  /// Every user has entries of his own, so that none shows what another one asked.
  private static func add(_ user: UInt32, to key: inout [UInt8]) { withUnsafeBytes(of: user) { key.append(contentsOf: $0) } }

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
