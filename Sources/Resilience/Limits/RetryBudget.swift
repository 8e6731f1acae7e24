/// Limits retries, so that an outage does not multiply the load: they are at most a tenth of the calls that were needed
/// (AWS Builders' Library, "Timeouts, retries and backoff with jitter").
public struct RetryBudget: Sendable {
  private let share: Double
  private let most: Double
  private var tokens = 0.0

  /// `share` of a retry for each call sent, retries included (1/11 of all is 1/10 of the needed), of which `most` may be saved up.
  public init(share: Double = 1 / 11, most: Double = 10) {
    self.share = share
    self.most = most
  }

  /// A call was sent, a retry included.
  public mutating func recordCall() { tokens = min(most, tokens + share) }

  /// Seconds to wait before the retry number `attempt` (from 1), full jitter up to 50 ms × 2^attempt and at most 1 s; nil if
  /// the budget is empty or the retry could not start `margin` seconds before the deadline. A retry takes from the budget.
  public mutating func retry(
    attempt: Int, at now: Double, deadline: Double, margin: Double = 0.05, using random: inout some RandomNumberGenerator
  ) -> Double? {
    // In floating point, eleven elevenths need not add up to 1.
    guard tokens >= 1 - 1e-9 else { return nil }
    let ceiling = min(1, 0.05 * Double(1 << min(max(1, attempt), 10)))
    let delay = Double.random(in: 0...ceiling, using: &random)
    guard now + delay + margin <= deadline else { return nil }
    tokens = max(0, tokens - 1)
    return delay
  }
}
