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
    var request = CanonicalRequest()
    guard request.read(0..<params.count, of: params, user: user) else { return nil }
    guard let kept = cache.result(for: request.key, at: engine.now) else { return nil }
    let query = request.session == nil ? "" : params.text(request.query)
    guard engine.repeats(session: request.session, seq: request.seq, query: query, user: user, providers: kept.providers) else {
      return nil
    }
    return kept.result
  }

  /// Answers along the long road, and keeps what may be given again.
  func answer(_ parameters: Autocomplete.Parameters, user: UInt32, partial: Engine.ShowSuggestions?) async throws(APIError) -> [UInt8] {
    let epoch = cache.epoch
    let (result, repeatable) = try await engine.repeatableAutocomplete(parameters, caller: EngineCaller(user: user), partial: partial)
    if let repeatable, parameters.cache == .standard, !parameters.explain, let key = Self.key(of: parameters, user: user) {
      cache.store(
        result.fromCache.bytes, for: key, user: user, until: repeatable, epoch: epoch,
        providers: result.providers.filter(\.outcome.isAnswer).map(\.provider))
    }
    return result.bytes
  }

  /// What this user is given may have changed.
  func forget(user: UInt32) { cache.forget(user: user) }

  /// What anybody is given may have changed.
  func forget() { cache.beginEpoch() }

  /// The key of a request is made from its canonical spelling by the same code that reads requests, so that both agree.
  private static func key(of parameters: Autocomplete.Parameters, user: UInt32) -> [UInt8]? {
    let params = JSONValue.object(Autocomplete.schema.encode(parameters)).bytes
    var request = CanonicalRequest()
    return request.read(0..<params.count, of: params.span, user: user) ? request.key : nil
  }
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
