import Resilience
import PlacesAPI
import PlacesKit

// The conditions under which the reply cache may repeat an answer.

extension Engine {
  /// The time in monotonic seconds, for `Cacheability.expiresAt`.
  public var now: Double { time.monotonic() }

  /// True if one user's request may refresh answers that other users receive.
  public var sharesAnswers: Bool {
    registry.withLock { $0.clients.contains { $0.instance.sharesAnswers && $0.instance.manifest.terms.isolation == .system } }
  }

  /// The maximum time in seconds for which an answer is repeated. A change that does not invalidate the reply cache takes effect after this
  /// time at the latest.
  private static let maxRepeatTime = 300.0
  /// The maximum time in seconds for which an answer is repeated if the user's choices could not be read in time. It is short because the
  /// order of rows may change when the choices are known.
  private static let maxRepeatTimeWithoutChoices = 2.0

  /// Returns suggestions like `autocomplete`, and the conditions for repeating the answer to the same user. The conditions are nil if the
  /// answer must not be repeated: a provider failed, its terms forbid it, its answer has expired, or partial answers were sent.
  public func repeatableAutocomplete(
    _ parameters: Autocomplete.Parameters, caller: EngineCaller, partial: ShowSuggestions? = nil
  ) async throws(APIError) -> (Autocomplete.Result, Cacheability?) {
    let (result, queryContext, outcomes) = try await answer(parameters, caller: caller, partial: partial)
    // The order of rows in a streamed answer depends on the order in which providers answered.
    return (result, result.revision == 1 ? cacheability(of: parameters.trimmedQuery, queryContext, outcomes) : nil)
  }

  private func cacheability(of query: String, _ queryContext: QueryContext, _ outcomes: [ProviderOutcome]) -> Cacheability? {
    // With `cache: only`, or if the daemon is overloaded, the answer may lack providers.
    guard queryContext.cache == .standard else { return nil }
    var seconds = queryContext.knowsChoices ? Self.maxRepeatTime : Self.maxRepeatTimeWithoutChoices
    var clients: [ProviderClient] = []
    let now = cache?.now ?? time.wall()
    for (candidate, outcome) in zip(queryContext.candidates, outcomes) {
      switch outcome.status {
      case .skipped: continue
      case .ok, .empty: clients.append(candidate.client)
      default: return nil
      }
      let terms = candidate.client.instance.manifest.terms
      guard outcome.served != .stale, terms.isolation != .session else { return nil }
      let lifetime = outcome.status == .empty ? terms.negativeSeconds : terms.shortestLifetime
      // The fetch time may be in the future, because the clock was wrong. Then the time is at most the lifetime.
      seconds = min(seconds, lifetime, outcome.fetchedAt + lifetime - now)
    }
    return seconds > 0 ? Cacheability(expiresAt: time.monotonic() + seconds, query: query, clients: clients) : nil
  }

  /// Records in the user's quota and session that an answer is repeated, and counts an avoided call of each provider. Returns false if the
  /// answer must not be repeated: the quota is used up, or a newer request has begun. Then the caller passes the request to the engine,
  /// which rejects it.
  public func recordRepeat(of answer: Cacheability, session: SessionID?, seq: Int?, user: UInt32, at now: Double) -> Bool {
    guard quota.admit(user, at: now) == nil else { return false }
    if let session {
      switch sessions.recordAnswered(session, of: user, seq: seq, query: answer.query, at: now) {
      case .laterRequest: break
      case .firstRequest(let endedSessions): discardAnswers(of: endedSessions)
      case .superseded:
        // The caller passes the request to the engine, which takes another token of the quota for it.
        quota.returnToken(of: user)
        return false
      }
    }
    for client in answer.clients { client.recordAvoidedCall(micros: client.autocompletePrice, user: user, by: .cache) }
    return true
  }
}

/// The conditions under which an answer may be repeated.
public final class Cacheability: Sendable {
  /// When the answer may no longer be repeated, in monotonic seconds.
  public let expiresAt: Double
  let query: String
  /// The clients of the providers whose rows are in the answer, or that answered without rows.
  let clients: [ProviderClient]

  init(expiresAt: Double, query: String, clients: [ProviderClient]) {
    self.expiresAt = expiresAt
    self.query = query
    self.clients = clients
  }
}

extension Terms {
  /// The shortest lifetime of a row's parts, in seconds.
  fileprivate var shortestLifetime: Double {
    min(idsSeconds ?? .infinity, coordinatesSeconds ?? .infinity, otherSeconds ?? .infinity)
  }
}
