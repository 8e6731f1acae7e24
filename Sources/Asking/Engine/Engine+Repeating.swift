import Guarding
import PlacesAPI
import PlacesKit

// Answers that may be given again without asking anybody.

extension Engine {
  /// Monotonic seconds, as `Repetition` counts.
  public var now: Double { time.monotonic() }

  /// Whether a question of one user's may renew what others are told.
  public var sharesAnswers: Bool {
    registry.withLock { $0.lanes.contains { $0.instance.sharesAnswers && $0.instance.manifest.terms.isolation == .system } }
  }

  /// The longest time that an answer is repeated: what nobody announces, such as forgetting in what was learned, shows after it.
  private static let longestRepeat = 300.0
  /// The same where the user's choices are not known, as before the disk has been read or when it cannot be: they may be a moment later.
  private static let doubtfulRepeat = 2.0

  /// As `autocomplete`; and what there is to know for giving the same user the same answer to the same question, nil where it may not be
  /// given again: a provider failed, its terms do not allow it, or its answer is past its time already.
  public func repeatableAutocomplete(
    _ parameters: Autocomplete.Parameters, caller: EngineCaller, partial: ShowSuggestions? = nil
  ) async throws(APIError) -> (Autocomplete.Result, Repetition?) {
    let (result, inquiry, outcomes) = try await answer(parameters, caller: caller, partial: partial)
    return (result, repetition(of: parameters.query, inquiry, outcomes))
  }

  private func repetition(of query: String, _ inquiry: Inquiry, _ outcomes: [Outcome]) -> Repetition? {
    // Who was served from the cache alone, as under overload, has not heard of everybody.
    guard inquiry.cache == .standard else { return nil }
    var seconds = inquiry.knowsChoices ? Self.longestRepeat : Self.doubtfulRepeat
    var lanes: [Lane] = []
    let now = cache?.now ?? time.wall()
    for (participant, outcome) in zip(inquiry.participants, outcomes) {
      switch outcome.word {
      case .skipped: continue
      case .ok, .empty: lanes.append(participant.lane)
      default: return nil
      }
      let terms = participant.lane.instance.manifest.terms
      guard outcome.served != .stale, terms.isolation != .session else { return nil }
      let lifetime = outcome.word == .empty ? terms.negativeSeconds : terms.shortestLifetime
      // An answer from the future was fetched by a clock that was wrong since.
      seconds = min(seconds, lifetime, outcome.fetchedAt + lifetime - now)
    }
    return seconds > 0 ? Repetition(until: time.monotonic() + seconds, query: query, lanes: lanes) : nil
  }

  /// What a repeated answer does beside being sent: it counts against the user's quota, takes its turn in its session, and its
  /// providers save a call. False where the long road must decide.
  public func repeats(_ answer: Repetition, session: SessionID?, seq: Int?, user: UInt32, at now: Double) -> Bool {
    guard quota.admit(user, at: now) == nil else { return false }
    if let session {
      switch sessions.pass(session, of: user, seq: seq, query: answer.query, at: now) {
      case .next: break
      case .first(let ended):
        leave(ended)
        for lane in answer.lanes { lane.prepareToPay(for: user) }
      case .overtaken:
        // The long road counts it.
        quota.takeBack(user)
        return false
      }
    }
    for lane in answer.lanes { lane.savedSuggestions(for: user) }
    return true
  }
}

/// An answer that may be given again, as the engine sees it.
public final class Repetition: Sendable {
  /// Monotonic seconds until which it may be.
  public let until: Double
  let query: String
  /// Whose answers it holds.
  let lanes: [Lane]

  init(until: Double, query: String, lanes: [Lane]) {
    self.until = until
    self.query = query
    self.lanes = lanes
  }
}

extension Terms {
  /// Seconds that a row as a whole may be kept: as long as its shortest-lived part.
  fileprivate var shortestLifetime: Double {
    min(idsSeconds ?? .infinity, coordinatesSeconds ?? .infinity, otherSeconds ?? .infinity)
  }
}
