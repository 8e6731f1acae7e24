import Guarding
import PlacesAPI
import PlacesKit

// Answers that may be given again without asking anybody.

extension Engine {
  /// Monotonic seconds, as `repeatableAutocomplete` counts.
  public var now: Double { time.monotonic() }

  /// The longest time that an answer is repeated: what nobody announces, such as forgetting in what was learned, shows after it.
  private static let longestRepeat = 300.0

  /// As `autocomplete`; and until when (monotonic seconds) the same question of the same user may be given the same answer, nil
  /// where it may not: a provider failed, its terms do not allow it, or its answer is past its time already.
  public func repeatableAutocomplete(
    _ parameters: Autocomplete.Parameters, caller: EngineCaller, partial: ShowSuggestions? = nil
  ) async throws(APIError) -> (Autocomplete.Result, Double?) {
    let (result, inquiry, outcomes) = try await answer(parameters, caller: caller, partial: partial)
    return (result, repeatable(inquiry, outcomes))
  }

  private func repeatable(_ inquiry: Inquiry, _ outcomes: [Outcome]) -> Double? {
    var seconds = Self.longestRepeat
    let wall = time.wall()
    for (participant, outcome) in zip(inquiry.participants, outcomes) {
      switch outcome.word {
      case .skipped: continue
      case .ok, .empty: break
      default: return nil
      }
      let terms = participant.lane.instance.manifest.terms
      guard outcome.served != .stale, terms.isolation != .session else { return nil }
      let lifetime = outcome.word == .empty ? terms.negativeSeconds : terms.shortestLifetime
      // An answer from the future was fetched by a clock that was wrong since.
      seconds = min(seconds, lifetime, outcome.fetchedAt + lifetime - wall)
    }
    return seconds > 0 ? time.monotonic() + seconds : nil
  }

  /// What a repeated answer does beside being sent: it counts against the user's quota, takes its turn in its session, and its
  /// providers save a call. False where the long road must decide.
  public func repeats(session: SessionID?, seq: Int?, query: String, user: UInt32, providers: [String]) -> Bool {
    let now = time.monotonic()
    if let session {
      let session = openSession(session, of: user, asking: providers)
      guard let turn = session.begin(seq: seq, query: query, at: now) else { return false }
      session.end(turn, at: now)
    }
    guard quota.withLock({ $0.admit(user, at: now) }) == nil else { return false }
    let registry = registry.withLock { $0 }
    for id in providers { registry[id]?.savedSuggestions(for: user) }
    return true
  }
}

extension Terms {
  /// Seconds that a row as a whole may be kept: as long as its shortest-lived part.
  fileprivate var shortestLifetime: Double {
    min(idsSeconds ?? .infinity, coordinatesSeconds ?? .infinity, otherSeconds ?? .infinity)
  }
}
