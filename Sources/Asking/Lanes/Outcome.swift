import PlacesKit

/// What became of one provider's part of a request.
struct Outcome: Sendable {
  enum Word: String, Sendable {
    case ok, empty, timeout, error, suspended, skipped, cancelled
    case rateLimited = "rate_limited"
    case overBudget = "over_budget"
  }
  enum Served: String, Sendable { case live, cache, stale }

  var word: Word
  var answer: ProviderAnswer?
  var served: Served = .live
  /// When the answer was fetched, in seconds since 1970.
  var fetchedAt: Double = 0
  /// Seconds from the moment the provider was asked.
  var latency: Double = 0
  var cause: String?
  var message: String?
  var retryAfter: Double?

  /// Rows, or the knowledge that there are none.
  var isAnswer: Bool { word == .ok || word == .empty }

  static func answered(_ answer: ProviderAnswer, served: Served, fetchedAt: Double) -> Outcome {
    Outcome(word: answer.count == 0 ? .empty : .ok, answer: answer, served: served, fetchedAt: fetchedAt)
  }

  static func skipped(_ cause: String, _ message: String) -> Outcome { Outcome(word: .skipped, cause: cause, message: message) }

  static func timeout(_ message: String = "no answer before the deadline") -> Outcome {
    Outcome(word: .timeout, cause: ProviderError.Cause.timeout.rawValue, message: message)
  }

  static let cancelled = Outcome(word: .cancelled, cause: ProviderError.Cause.cancelled.rawValue, message: "nobody waits for the answer")

  /// How an error of a provider is told: by the word that says what to do about it.
  static func failed(_ error: ProviderError) -> Outcome {
    let word: Word =
      switch error.cause {
      case .timeout: .timeout
      case .rateLimit: .rateLimited
      case .cancelled: .cancelled
      case .unsupported: .skipped
      case .notFound: .empty
      default: .error
      }
    return Outcome(word: word, cause: error.cause.rawValue, message: error.message, retryAfter: error.retryAfterSeconds)
  }
}
