import Resilience
import PlacesAPI
import PlacesKit

/// What became of one provider's part of a request.
struct Outcome: Sendable {
  var word: ProviderReport.Outcome
  var answer: ProviderAnswer?
  var served = ProviderReport.Served.live
  /// When the answer was fetched, in seconds since 1970, by the clock that tells the ages of answers.
  var fetchedAt = 0.0
  /// Seconds from the moment the provider was asked.
  var latency = 0.0
  /// What a call cost that was sent for it, in millionths of the currency's unit, by the account where one is kept; nil where none was sent.
  var costMicros: Int?
  var cause: String?
  var message: String?
  /// The provider's closer word for the cause.
  var detail: String?
  /// Seconds.
  var retryAfter: Double?

  var isAnswer: Bool { word.isAnswer }

  /// Whether the provider was not asked because of what this user has cost already.
  var isOverUsersQuota: Bool {
    word == .overBudget && cause.flatMap { BudgetRefusal.Reason(rawValue: $0) }?.isUsersOwn == true
  }

  /// The outcome as clients see it.
  func report(_ provider: String) -> ProviderReport {
    ProviderReport(
      provider: provider, outcome: word, count: answer?.count ?? 0, latencyMs: (latency * 1e5).rounded() / 100,
      served: isAnswer ? served : nil, cause: isAnswer ? nil : cause, message: isAnswer ? nil : message, detail: isAnswer ? nil : detail,
      // Rounded up: who comes back after so many milliseconds must not come too early.
      retryAfterMs: isAnswer ? nil : retryAfter.map { Int((min(max(0, $0), 1e9) * 1000).rounded(.up)) })
  }
}

extension Outcome {
  static func answered(_ answer: ProviderAnswer, served: ProviderReport.Served, fetchedAt: Double) -> Outcome {
    Outcome(word: answer.count == 0 ? .empty : .ok, answer: answer, served: served, fetchedAt: fetchedAt)
  }

  static func skipped(_ skip: Skip) -> Outcome { Outcome(word: .skipped, cause: skip.cause, message: skip.message) }

  static func timeout(_ message: String = "no answer before the deadline") -> Outcome {
    Outcome(word: .timeout, cause: ProviderError.Cause.timeout.rawValue, message: message)
  }

  /// A provider that was not ready to be asked before the deadline.
  static func starting(_ provider: String) -> Outcome {
    Outcome(word: .timeout, cause: "starting", message: "\(provider) is being started, and was not ready before the deadline")
  }

  static let cancelled = Outcome(word: .cancelled, cause: ProviderError.Cause.cancelled.rawValue, message: "nobody waits for the answer")

  static func rateLimited(_ provider: String, retryAfter: Double) -> Outcome {
    Outcome(
      word: .rateLimited, cause: ProviderError.Cause.rateLimit.rawValue,
      message: "\(provider) may not be asked more often; its turn would come after the deadline", retryAfter: retryAfter)
  }

  static func full(_ provider: String) -> Outcome {
    Outcome(
      word: .rateLimited, cause: "queue", message: "too many calls to \(provider) are waiting; ask again in a moment", retryAfter: 1)
  }

  static func overloaded(_ provider: String, retryAfter: Double) -> Outcome {
    Outcome(
      word: .rateLimited, cause: "overload",
      message: "too many requests at once, so that \(provider) was not asked, and nothing is kept for this one; ask again in a moment",
      retryAfter: retryAfter)
  }

  static func overBudget(_ refusal: BudgetRefusal, wall: Double) -> Outcome {
    guard refusal.reason != .cancelled else { return .cancelled }
    return Outcome(
      word: .overBudget, cause: refusal.reason.rawValue, message: refusal.message, retryAfter: refusal.resumesAt.map { max(0, $0 - wall) })
  }

  /// The provider's own words stay with who administers it: they were said of somebody else's call.
  static func suspended(_ suspension: Suspension, now: Double) -> Outcome {
    Outcome(
      word: .suspended, cause: suspension.cause.rawValue, message: suspension.cause.sentence,
      retryAfter: suspension.until.map { max(0, $0 - now) })
  }

  /// How an error of a provider is told: by the word that says what to do about it.
  static func failed(_ error: ProviderError) -> Outcome {
    let word: ProviderReport.Outcome =
      switch error.cause {
      case .timeout: .timeout
      case .rateLimit: .rateLimited
      case .cancelled: .cancelled
      case .unsupported: .skipped
      case .notFound: .empty
      default: .error
      }
    return Outcome(
      word: word, cause: error.cause.rawValue, message: error.message, detail: error.detail, retryAfter: error.retryAfterSeconds)
  }
}
