import QueryEngine
import PlacesAPI
import PlacesKit
import RPC

/// The road of a cached answer, and how answers get onto it.
final class KnownAnswers: Sendable {
  private let engine: Engine
  private let cache: ReplyCache
  /// The name of the method whose answers may be known.
  private let method = Array(Autocomplete.name.utf8)

  /// - Parameter capacity: bytes of replies.
  init(engine: Engine, capacity: Int) {
    self.engine = engine
    cache = ReplyCache(capacity: capacity)
  }

  var hits: UInt64 { cache.hits }
  var bytes: Int { cache.bytes }

  /// The reply to an autocomplete request whose answer is kept, after the checks that the long road makes: the user's quota, the
  /// order of the session's requests, the answer's time. Nil sends the request along the long road.
  /// - Parameter now: as the engine counts.
  func reply(in bytes: Span<UInt8>, from start: Int, limits: Limits, user: UInt32, at now: Double) -> KnownReply? {
    // Every user has entries of his own, so that none shows what another one asked.
    let wording = Wording(of: bytes, from: start, seed: cache.seed)
    if let wording, wording.fits(limits), let answer = cache.answer(worded: wording, user: user, at: now) {
      let isGiven = gives(answer, to: wording.id, session: wording.session, seq: wording.seq, limits: limits, user: user, at: now)
      return isGiven ? KnownReply(answer.result, id: wording.id, end: wording.end + 1) : nil
    }
    return reply(byPartsOf: bytes, from: start, wording, limits: limits, user: user, at: now)
  }

  /// The same for a request that is not worded like others.
  private func reply(
    byPartsOf bytes: Span<UInt8>, from start: Int, _ wording: Wording?, limits: Limits, user: UInt32, at now: Double
  ) -> KnownReply? {
    guard let envelope = Envelope(skimming: bytes, from: start), envelope.fits(limits, from: start),
      bytes.extracting(envelope.method).equals(method)
    else { return nil }
    var reply: KnownReply?
    Autocomplete.withReplyKey(of: bytes.extracting(envelope.params), user: user) { key, asker in
      guard let answer = cache.answer(for: key, at: now) else { return }
      if let wording, wording.says(envelope, asker) { cache.note(wording, asksFor: key, user: user) }
      let isGiven = gives(answer, to: envelope.id, session: asker.session, seq: asker.seq, limits: limits, user: user, at: now)
      reply = isGiven ? KnownReply(answer.result, id: envelope.id, end: envelope.end) : nil
    }
    return reply
  }

  /// Whether an answer that was found may be sent, with all that this brings with it.
  @inline(__always) private func gives(
    _ answer: KnownAnswer, to id: Range<Int>, session: SessionID?, seq: Int?, limits: Limits, user: UInt32, at now: Double
  ) -> Bool {
    let isGiven = answer.result.fits(limits, id: id) && engine.repeats(answer.cacheability, session: session, seq: seq, user: user, at: now)
    if !isGiven { cache.takeBack() }
    return isGiven
  }

  /// Answers along the long road, and keeps what may be given again.
  func answer(_ parameters: Autocomplete.Parameters, user: UInt32, partial: Engine.ShowSuggestions?) async throws(APIError) -> [UInt8] {
    let epoch = cache.epoch
    let (result, mayRepeat): (Autocomplete.Result, Cacheability?)
    do throws(APIError) {
      (result, mayRepeat) = try await engine.repeatableAutocomplete(parameters, caller: EngineCaller(user: user), partial: partial)
    } catch {
      // Who was asked in vain may still answer, and that is kept, too.
      if [.allProvidersFailed, .deadlineExceeded, .cancelled].contains(error.name) { forgetWhatIsRenewed(by: parameters, of: user) }
      throw error
    }
    forgetWhatIsRenewed(by: parameters, of: user)
    guard let cacheability = mayRepeat, parameters.cache == .standard, !parameters.explain else { return result.bytes }
    let (bytes, kept) = result.encoded(withRowsOf: result.fromCache)
    Autocomplete.withReplyKey(of: parameters, user: user) { key in
      cache.store(KnownAnswer(result: KnownResult(kept), cacheability: cacheability), for: key, user: user, epoch: epoch)
    }
    return bytes
  }

  /// What the services are asked anew is kept in the place of what they said before, for whoever shares in that. What comes only after the
  /// deadline is not waited for: until it has come, the answer before it may be told again.
  private func forgetWhatIsRenewed(by parameters: Autocomplete.Parameters, of user: UInt32) {
    guard parameters.cache == .refresh else { return }
    if engine.sharesAnswers { forget() } else { forget(user: user) }
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
