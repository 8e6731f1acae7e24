/// Limits retries, so that an outage does not multiply the load. Retries are at most a tenth of the first attempts of the last minute (AWS
/// Builders' Library, "Timeouts, retries and backoff with jitter"). Idle time does not accumulate retries.
public struct RetryBudget: Sendable {
  /// The calls and retries of one second.
  private struct Second: Sendable {
    var number: Int
    var callCount = 0
    var retryCount = 0
  }

  /// The number of seconds in which calls and retries are compared.
  static let window = 60

  private let maxRatio: Double
  /// The counts of the latest seconds in which there were calls or retries, oldest first.
  private var seconds: [Second] = []

  /// - Parameter maxRatio: the maximum number of retries per first attempt.
  public init(maxRatio: Double = 0.1) { self.maxRatio = maxRatio }

  /// Records that a call, which may be a retry, was sent at `now` (monotonic seconds).
  public mutating func recordCall(at now: Double) { updateSecond(at: now) { $0.callCount += 1 } }

  /// Takes a retry from the budget. Returns the seconds to wait before it: a random time of at most 50 ms × 2^attempt, and at most
  /// 1 s. Returns nil if the budget is empty, or if the retry would start later than `margin` seconds before the deadline.
  /// - Parameter attempt: the number of the retry, from 1.
  public mutating func takeRetry(
    attempt: Int, at now: Double, deadline: Double, margin: Double = 0.05, using random: inout some RandomNumberGenerator
  ) -> Double? {
    guard hasRetry(at: now) else { return nil }
    let maxDelay = min(1, 0.05 * Double(1 << min(max(1, attempt), 10)))
    let delay = Double.random(in: 0...maxDelay, using: &random)
    guard now + delay + margin <= deadline else { return nil }
    updateSecond(at: now) { $0.retryCount += 1 }
    return delay
  }

  /// Takes a retry that is sent at once, and records it as a call. Returns false if the budget is empty.
  public mutating func takeImmediateRetry(at now: Double) -> Bool {
    guard hasRetry(at: now) else { return false }
    updateSecond(at: now) {
      $0.retryCount += 1
      $0.callCount += 1
    }
    return true
  }

  /// True if the budget allows another retry now.
  private func hasRetry(at now: Double) -> Bool {
    let currentSecond = Int(now)
    let retryCount = seconds.reduce(0) { $1.number >= currentSecond - RetryBudget.window ? $0 + $1.retryCount : $0 }
    // The window begins within the oldest second. To be safe, the first attempts of the two oldest seconds do not count, but their retries
    // do.
    let firstAttemptCount = seconds.reduce(0) {
      $1.number > currentSecond - RetryBudget.window + 1 ? $0 + $1.callCount - $1.retryCount : $0
    }
    // The small number allows for rounding errors: in floating point, ten tenths need not add up to 1.
    return Double(retryCount + 1) <= maxRatio * Double(firstAttemptCount) + 1e-9
  }

  private mutating func updateSecond(at now: Double, _ body: (inout Second) -> Void) {
    let number = Int(now)
    if seconds.last?.number != number {
      seconds.removeAll { $0.number < number - RetryBudget.window }
      seconds.append(Second(number: number))
    }
    body(&seconds[seconds.count - 1])
  }
}
