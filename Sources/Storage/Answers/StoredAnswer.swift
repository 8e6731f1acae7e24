import PlacesKit

/// An answer with its times, in seconds since 1970.
public struct StoredAnswer: Sendable, Hashable {
  public var answer: Answer
  public var storedAt: Double
  /// The answer is stale from this time on.
  public var expiresAt: Double
  /// The answer must not be served from this time on, and is removed within one hour.
  public var endsAt: Double

  /// Nil if the terms do not allow storing the answer.
  init?(_ answer: Answer, under terms: Terms, at now: Double) {
    let lifetime = answer.lifetime(under: terms)
    guard lifetime > 0 else { return nil }
    self.answer = answer
    storedAt = now
    expiresAt = now + lifetime
    let staleSeconds = terms.staleSeconds.isFinite ? max(0, terms.staleSeconds) : 0
    endsAt = expiresAt + (answer.isNegative ? 0 : staleSeconds)
  }

  init(answer: Answer, storedAt: Double, expiresAt: Double, endsAt: Double) {
    self.answer = answer
    self.storedAt = storedAt
    self.expiresAt = expiresAt
    self.endsAt = endsAt
  }

  /// True if the answer may be served, fresh or stale. An answer whose `storedAt` is in the future is not served, because
  /// the clock was wrong when the answer was stored.
  func isAllowed(at now: Double) -> Bool { storedAt <= now && now < endsAt }
}

/// The result of a lookup.
public struct FoundAnswer: Sendable, Hashable {
  public var answer: Answer
  /// When the answer was stored, in seconds since 1970.
  public var storedAt: Double
  /// True if the answer has expired but may still be served while the service is slow or unavailable.
  public var isStale: Bool
}
