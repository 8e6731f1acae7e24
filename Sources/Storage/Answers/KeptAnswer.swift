import PlacesKit

/// An answer with its times, in seconds since 1970.
public struct KeptAnswer: Sendable, Hashable {
  public var answer: Answer
  public var storedAt: Double
  /// From here on it is stale.
  public var expiresAt: Double
  /// From here on it must not be given at all, and is removed within the hour.
  public var endsAt: Double

  /// Nil where the terms do not allow to keep it at all.
  init?(_ answer: Answer, under terms: Terms, at now: Double) {
    let lifetime = answer.lifetime(under: terms)
    guard lifetime > 0 else { return nil }
    self.answer = answer
    storedAt = now
    expiresAt = now + lifetime
    let stale = terms.staleSeconds.isFinite ? max(0, terms.staleSeconds) : 0
    endsAt = expiresAt + (answer.isNegative ? 0 : stale)
  }

  init(answer: Answer, storedAt: Double, expiresAt: Double, endsAt: Double) {
    self.answer = answer
    self.storedAt = storedAt
    self.expiresAt = expiresAt
    self.endsAt = endsAt
  }

  /// Whether it may be given, fresh or stale. One from the future was kept by a clock that was wrong.
  func isAllowed(at now: Double) -> Bool { storedAt <= now && now < endsAt }
}

/// An answer as it is found.
public struct FoundAnswer: Sendable, Hashable {
  public var answer: Answer
  /// Seconds since 1970.
  public var storedAt: Double
  /// Past its time to live, but still allowed while the service is slow or down.
  public var isStale: Bool
}
