/// Pauses between attempts: the upper bound doubles each time up to a limit, and the pause is random between 0 and the bound, so that the
/// clients of a restarted daemon do not connect at the same moment ("full jitter").
public struct Backoff: Sendable, Hashable {
  /// Seconds before the second attempt, at most.
  public var first: Double
  /// The maximum pause between attempts, in seconds.
  public var maxPause: Double
  /// Seconds after the first attempt, after which no further attempt is made.
  public var total: Double

  public init(first: Double = 0.05, maxPause: Double = 1, total: Double = 5) {
    self.first = first
    self.maxPause = maxPause
    self.total = total
  }

  /// A single attempt.
  public static let none = Backoff(first: 0, maxPause: 0, total: 0)

  /// The maxPause pause after attempt `number`, counted from 0.
  public func ceiling(after number: Int) -> Double {
    var pause = first
    for _ in 0..<min(number, 32) where pause < maxPause { pause *= 2 }
    return min(pause, maxPause)
  }
}
