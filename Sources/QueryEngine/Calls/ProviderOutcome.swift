import Resilience
import PlacesAPI
import PlacesKit

/// The outcome of a request at one provider.
struct ProviderOutcome: Sendable {
  var status: ProviderReport.Outcome
  /// The provider's answer, which may have no rows; nil if there is none, such as after an error.
  var answer: ProviderAnswer?
  /// Where the answer came from: the service, the cache, or a stale entry of the cache.
  var served = ProviderReport.Served.live
  /// When the answer was fetched, in seconds since 1970, by the clock that measures the ages of answers.
  var fetchedAt = 0.0
  /// Seconds from the request to the outcome.
  var latency = 0.0
  /// The cost of the call, in millionths of the currency's unit; nil if no call was sent.
  var costMicros: Int?
  /// The reason why there is no answer, as a word for programs; nil if there is an answer.
  var cause: String?
  /// The same reason, as a sentence for people.
  var message: String?
  /// A more specific word for the cause; nil if there is none.
  var detail: String?
  /// Seconds after which the client should retry; nil if that is not known.
  var retryAfter: Double?
  /// The service's own error message; nil if there is none. It is shown to administrators only, because it may repeat the request.
  var serviceMessage: String?

  var isAnswer: Bool { status.isAnswer }

  /// True if the provider was not called because this user's own quota is used up.
  var isOverUsersQuota: Bool {
    status == .overBudget && cause.flatMap { BudgetRefusal.Reason(rawValue: $0) }?.isUserQuota == true
  }

  /// The report of the outcome for clients.
  /// - Parameter isLocal: true for a provider that answers from this machine. Its caches serve all users, so an exact latency could
  ///   reveal whether another user sent the same request. Therefore the latency is rounded up to 10, 100, 1000… ms.
  func report(_ provider: String, isLocal: Bool = false) -> ProviderReport {
    ProviderReport(
      provider: provider, outcome: status, count: answer?.count ?? 0,
      latencyMs: isLocal ? ProviderReport.coarseLatency(milliseconds: latency * 1_000) : (latency * 1e5).rounded() / 100,
      served: isAnswer ? served : nil, cause: isAnswer ? nil : cause, message: status == .ok ? nil : message,
      detail: isAnswer ? nil : detail,
      // The time is rounded up, so that a client that waits this long does not retry too early.
      retryAfterMs: isAnswer ? nil : retryAfter.map { Int((min(max(0, $0), 1e9) * 1000).rounded(.up)) })
  }
}

extension ProviderOutcome {
  static func answered(_ answer: ProviderAnswer, served: ProviderReport.Served, fetchedAt: Double) -> ProviderOutcome {
    ProviderOutcome(status: answer.count == 0 ? .empty : .ok, answer: answer, served: served, fetchedAt: fetchedAt)
  }

  static func skipped(_ skip: Skip) -> ProviderOutcome { ProviderOutcome(status: .skipped, cause: skip.cause, message: skip.message) }

  static func timeout(_ message: String = "no answer before the deadline") -> ProviderOutcome {
    ProviderOutcome(status: .timeout, cause: ProviderError.Cause.timeout.rawValue, message: message)
  }

  static func starting(_ provider: String) -> ProviderOutcome {
    ProviderOutcome(status: .timeout, cause: "starting", message: "\(provider) is being started, and was not ready before the deadline")
  }

  static let cancelled = ProviderOutcome(
    status: .cancelled, cause: ProviderError.Cause.cancelled.rawValue, message: "no caller waits for the answer")

  static func rateLimited(_ provider: String, retryAfter: Double) -> ProviderOutcome {
    ProviderOutcome(
      status: .rateLimited, cause: ProviderError.Cause.rateLimit.rawValue,
      message: "\(provider) has reached its rate limit, which would delay this call beyond the deadline", retryAfter: retryAfter)
  }

  static func queueFull(_ provider: String, retryAfter: Double) -> ProviderOutcome {
    ProviderOutcome(
      status: .rateLimited, cause: "queue", message: "too many calls to \(provider) are waiting; try again in a moment",
      retryAfter: retryAfter)
  }

  static func overloaded(_ provider: String, retryAfter: Double) -> ProviderOutcome {
    ProviderOutcome(
      status: .rateLimited, cause: "overload",
      message:
        "\(provider) was not called, because the daemon has too many requests at once, and the cache has no answer; try again in a moment",
      retryAfter: retryAfter)
  }

  static func overBudget(_ refusal: BudgetRefusal, wall: Double) -> ProviderOutcome {
    guard refusal.reason != .cancelled else { return .cancelled }
    return ProviderOutcome(
      status: .overBudget, cause: refusal.reason.rawValue, message: refusal.message, retryAfter: refusal.resumesAt.map { max(0, $0 - wall) }
    )
  }

  /// The outcome of a suspended provider. The provider's own message is for administrators only, because it may concern another user's
  /// call.
  static func suspended(_ suspension: Suspension, now: Double) -> ProviderOutcome {
    ProviderOutcome(
      status: .suspended, cause: suspension.cause.rawValue, message: suspension.cause.sentence,
      retryAfter: suspension.until.map { max(0, $0 - now) })
  }

  /// The outcome of an error. Its status determines what the client can do.
  static func failed(_ error: ProviderError) -> ProviderOutcome {
    let status: ProviderReport.Outcome =
      switch error.cause {
      case .timeout: .timeout
      case .rateLimit: .rateLimited
      case .cancelled: .cancelled
      case .unsupported: .skipped
      case .notFound: .empty
      default: .error
      }
    return ProviderOutcome(
      status: status, cause: error.cause.rawValue, message: error.message, detail: error.detail, retryAfter: error.retryAfterSeconds)
  }
}
