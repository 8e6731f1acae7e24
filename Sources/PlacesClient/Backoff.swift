/// Pauses between attempts. The upper bound of a pause doubles each time up to a limit. The pause is random between 0 and the bound ("full
/// jitter"), so that the clients of a restarted daemon do not all connect at the same moment.
public struct Backoff: Sendable, Hashable {
  /// The maximum pause before the second attempt, in seconds.
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

  /// The maximum pause in seconds after attempt `number`, counted from 0.
  public func ceiling(after number: Int) -> Double {
    var pause = first
    for _ in 0..<min(number, 32) where pause < maxPause { pause *= 2 }
    return min(pause, maxPause)
  }
}
