import Resilience
import PlacesAPI
import PlacesKit

// Answers that may be repeated without asking a provider.

extension Engine {
  /// Monotonic seconds, as `Cacheability` counts.
  public var now: Double { time.monotonic() }

  /// Whether a question of one user's may renew what others are told.
  public var sharesAnswers: Bool {
    registry.withLock { $0.clients.contains { $0.instance.sharesAnswers && $0.instance.manifest.terms.isolation == .system } }
  }

  /// The longest time that an answer is repeated: what nobody announces, such as forgetting in what was learned, shows after it.
  private static let longestRepeat = 300.0
  /// The same where the user's choices are not known, as before the disk has been read or when it cannot be: they may be a moment later.
  private static let doubtfulRepeat = 2.0

  /// As `autocomplete`; and what there is to know for giving the same user the same answer to the same question, nil where it may not be
  /// given again: a provider failed, its terms do not allow it, its answer has expired already, or partial answers were shown.
  public func repeatableAutocomplete(
    _ parameters: Autocomplete.Parameters, caller: EngineCaller, partial: ShowSuggestions? = nil
  ) async throws(APIError) -> (Autocomplete.Result, Cacheability?) {
    let (result, queryContext, outcomes) = try await answer(parameters, caller: caller, partial: partial)
    // The rows of a streamed answer stand in the order in which providers answered.
    return (result, result.revision == 1 ? cacheability(of: parameters.query, queryContext, outcomes) : nil)
  }

  private func cacheability(of query: String, _ queryContext: QueryContext, _ outcomes: [Outcome]) -> Cacheability? {
    // Who was served from the cache alone, as under overload, has not heard of everybody.
    guard queryContext.cache == .standard else { return nil }
    var seconds = queryContext.knowsChoices ? Self.longestRepeat : Self.doubtfulRepeat
    var clients: [ProviderClient] = []
    let now = cache?.now ?? time.wall()
    for (candidate, outcome) in zip(queryContext.candidates, outcomes) {
      switch outcome.word {
      case .skipped: continue
      case .ok, .empty: clients.append(candidate.client)
      default: return nil
      }
      let terms = candidate.client.instance.manifest.terms
      guard outcome.served != .stale, terms.isolation != .session else { return nil }
      let lifetime = outcome.word == .empty ? terms.negativeSeconds : terms.shortestLifetime
      // An answer from the future was fetched by a clock that was wrong since.
      seconds = min(seconds, lifetime, outcome.fetchedAt + lifetime - now)
    }
    return seconds > 0 ? Cacheability(until: time.monotonic() + seconds, query: query, clients: clients) : nil
  }

  /// What a repeated answer does beside being sent: it counts against the user's quota, takes its turn in its session, and its
  /// providers save a call. False where the long road must decide.
  public func repeats(_ answer: Cacheability, session: SessionID?, seq: Int?, user: UInt32, at now: Double) -> Bool {
    guard quota.admit(user, at: now) == nil else { return false }
    if let session {
      switch sessions.pass(session, of: user, seq: seq, query: answer.query, at: now) {
      case .next: break
      case .first(let ended):
        leave(ended)
        for client in answer.clients { client.reserveAhead(for: user) }
      case .overtaken:
        // The long road counts it.
        quota.takeBack(user)
        return false
      }
    }
    for client in answer.clients { client.recordSavedSuggestions(for: user) }
    return true
  }
}

/// An answer that may be given again, as the engine sees it.
public final class Cacheability: Sendable {
  /// Monotonic seconds until which it may be.
  public let until: Double
  let query: String
  /// Whose answers it holds.
  let clients: [ProviderClient]

  init(until: Double, query: String, clients: [ProviderClient]) {
    self.until = until
    self.query = query
    self.clients = clients
  }
}

extension Terms {
  /// Seconds that a row as a whole may be kept: as long as its shortest-lived part.
  fileprivate var shortestLifetime: Double {
    min(idsSeconds ?? .infinity, coordinatesSeconds ?? .infinity, otherSeconds ?? .infinity)
  }
}
