import QueryEngine
import PlacesAPI
import PlacesKit
import RPC

/// `places.autocomplete` with its cache of replies.
final class CachedAutocomplete: Sendable {
  private let engine: Engine
  let replyCache: ReplyCache
  private let schema = Autocomplete.schema

  /// - Parameter capacity: the maximum size of the cached replies in bytes.
  init(engine: Engine, capacity: Int) {
    self.engine = engine
    replyCache = ReplyCache(capacity: capacity)
  }

  /// The cached reply to a request; nil if there is none, if it has expired, if the user's quota does not allow it, or if a later request
  /// of the session was answered. Each user has separate entries, so that the latency of a reply does not reveal another user's queries.
  /// - Parameters:
  ///   - text: the JSON text of the request.
  ///   - outline: the positions of the request's members in the text.
  ///   - maxBytes: the maximum `CachedResult.count`.
  ///   - now: monotonic seconds.
  func cachedReply(
    to text: Span<UInt8>, _ outline: RequestOutline, maxBytes: Int, user: UInt32, at now: Double
  ) -> CachedResult? {
    // The request's session and its sequence number in the session; nil if a cached reply cannot answer the request.
    var sessionTurn: SessionTurn?
    let reply = replyCache.reply(at: now) { key in
      sessionTurn = schema.read(&key, from: text, outline, user: user)
      return sessionTurn != nil
    }
    guard let sessionTurn, let reply, reply.result.count <= maxBytes,
      engine.recordRepeat(of: reply.cacheability, session: sessionTurn.session, seq: sessionTurn.seq, user: user, at: now)
    else { return nil }
    replyCache.recordHit()
    return reply.result
  }

  /// Calls the engine, and caches the reply if the answer may be repeated.
  /// - Parameters:
  ///   - text: the parameters as the client sent them, from which the cache key is derived.
  ///   - partial: receives the partial answers; nil if the client needs none.
  /// - Returns: the encoded result.
  func answer(
    _ parameters: Autocomplete.Parameters, text: [UInt8], user: UInt32, partial: Engine.ShowSuggestions?
  ) async throws(APIError) -> [UInt8] {
    let version = replyCache.version
    let (result, cacheability): (Autocomplete.Result, Cacheability?)
    do throws(APIError) {
      (result, cacheability) = try await engine.repeatableAutocomplete(parameters, caller: EngineCaller(user: user), partial: partial)
    } catch {
      // A provider that was too slow may answer later. Its new answer is then stored, and replaces the earlier one.
      if [.allProvidersFailed, .deadlineExceeded, .cancelled].contains(error.name) { invalidateRefreshed(by: parameters, of: user) }
      throw error
    }
    invalidateRefreshed(by: parameters, of: user)
    guard let cacheability, parameters.cache == .standard, !parameters.explain,
      let key = schema.replyKey(of: text, user: user)
    else { return result.bytes }
    // The rows are encoded once, for this reply and for the cached one.
    let (bytes, repeatedBytes) = result.encoded(withRowsOf: result.fromCache)
    replyCache.store(CachedReply(result: CachedResult(repeatedBytes), cacheability: cacheability), for: key, version: version)
    return bytes
  }

  /// Invalidates replies after a request with `cache: refresh`, which replaces the providers' answers for all users who share them. The
  /// answer of a provider that answers after the deadline is replaced only then; until then, a reply may repeat the earlier answer.
  private func invalidateRefreshed(by parameters: Autocomplete.Parameters, of user: UInt32) {
    if parameters.cache == .refresh { replyCache.invalidate(engine.sharesAnswers ? .all : .user(user)) }
  }
}

extension Autocomplete.Result {
  /// The result as it is sent from the cache: each provider that answered is reported as answered from the cache.
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
