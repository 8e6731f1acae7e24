import Resilience
import PlacesAPI
import PlacesKit

// Answers that may be repeated without calling a provider.

extension Engine {
  /// Monotonic seconds, as `Cacheability` counts.
  public var now: Double { time.monotonic() }

  /// True if one user's request may refresh answers that other users receive.
  public var sharesAnswers: Bool {
    registry.withLock { $0.clients.contains { $0.instance.sharesAnswers && $0.instance.manifest.terms.isolation == .system } }
  }

  /// The longest time in seconds that an answer is repeated, which bounds how late changes without a notification show.
  private static let maxRepeatTime = 300.0
  /// The same if the user's choices could not be read in time: they may be known a moment later.
  private static let doubtfulRepeat = 2.0

  /// As `autocomplete`, with the conditions for repeating the answer to the same user; nil if it must not be repeated:
  /// a provider failed, its terms forbid it, its answer has expired, or partial answers were sent.
  public func repeatableAutocomplete(
    _ parameters: Autocomplete.Parameters, caller: EngineCaller, partial: ShowSuggestions? = nil
  ) async throws(APIError) -> (Autocomplete.Result, Cacheability?) {
    let (result, queryContext, outcomes) = try await answer(parameters, caller: caller, partial: partial)
    // The rows of a streamed answer stand in the order in which providers answered.
    return (result, result.revision == 1 ? cacheability(of: parameters.trimmedQuery, queryContext, outcomes) : nil)
  }

  private func cacheability(of query: String, _ queryContext: QueryContext, _ outcomes: [ProviderOutcome]) -> Cacheability? {
    // An answer from the cache alone, as under overload, lacks providers.
    guard queryContext.cache == .standard else { return nil }
    var seconds = queryContext.knowsChoices ? Self.maxRepeatTime : Self.doubtfulRepeat
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
      // An answer from the future was fetched while the clock was wrong.
      seconds = min(seconds, lifetime, outcome.fetchedAt + lifetime - now)
    }
    return seconds > 0 ? Cacheability(until: time.monotonic() + seconds, query: query, clients: clients) : nil
  }

  /// Accounts for a repeated answer: it counts against the user's quota, takes its turn in its session, and its
  /// providers save a call. False if the request must be answered by the engine.
  public func repeats(_ answer: Cacheability, session: SessionID?, seq: Int?, user: UInt32, at now: Double) -> Bool {
    guard quota.admit(user, at: now) == nil else { return false }
    if let session {
      switch sessions.pass(session, of: user, seq: seq, query: answer.query, at: now) {
      case .next: break
      case .first(let ended):
        discard(ended)
        for client in answer.clients { client.reserveAhead(for: user) }
      case .overtaken:
        // The engine counts it.
        quota.takeBack(user)
        return false
      }
    }
    for client in answer.clients { client.recordSavedSuggestions(for: user) }
    return true
  }
}

/// The conditions under which an answer may be repeated.
public final class Cacheability: Sendable {
  /// Monotonic seconds until which it may be.
  public let until: Double
  let query: String
  /// The providers whose answers it contains.
  let clients: [ProviderClient]

  init(until: Double, query: String, clients: [ProviderClient]) {
    self.until = until
    self.query = query
    self.clients = clients
  }
}

extension Terms {
  /// Seconds that a whole row may be stored: the lifetime of its shortest-lived part.
  fileprivate var shortestLifetime: Double {
    min(idsSeconds ?? .infinity, coordinatesSeconds ?? .infinity, otherSeconds ?? .infinity)
  }
}
