/// Pauses between attempts. The upper bound of a pause doubles after each attempt, up to `maxPause`. The pause is random between 0 and the
/// bound ("full jitter"), so that the clients of a restarted daemon do not all connect at the same moment.
public struct Backoff: Sendable, Hashable {
  /// The maximum pause before the second attempt, in seconds.
  public var firstPause: Double
  /// The maximum pause between attempts, in seconds.
  public var maxPause: Double
  /// Seconds after the first attempt during which further attempts may be made.
  public var timeLimit: Double

  public init(firstPause: Double = 0.05, maxPause: Double = 1, timeLimit: Double = 5) {
    self.firstPause = firstPause
    self.maxPause = maxPause
    self.timeLimit = timeLimit
  }

  /// No further attempt after the first one.
  public static let none = Backoff(firstPause: 0, maxPause: 0, timeLimit: 0)

  /// The maximum pause in seconds after an attempt.
  /// - Parameter number: the number of the attempt, from 0.
  public func ceiling(after number: Int) -> Double {
    var pause = firstPause
    for _ in 0..<min(number, 32) where pause < maxPause { pause *= 2 }
    return min(pause, maxPause)
  }
}
