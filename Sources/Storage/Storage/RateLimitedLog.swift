import PlacesKit
import Synchronization

/// A log that contains at most one message on each topic in ten minutes.
final class RateLimitedLog: Sendable {
  /// The minimum number of seconds between two messages on one topic.
  static let interval = 600.0
  private let time: any TimeSource
  private let log: @Sendable (LogLevel, String) -> Void
  /// When a message was last logged, by topic, in monotonic seconds.
  private let lastLogTimes = Mutex<[String: Double]>([:])

  init(time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.time = time
    self.log = log
  }

  /// Logs a message, unless a message on the same topic was logged within the interval.
  func write(_ level: LogLevel, _ topic: String, _ message: String) {
    let now = time.monotonic()
    let mustLog = lastLogTimes.withLock { lastLogTimes in
      if let lastTime = lastLogTimes[topic], now - lastTime < RateLimitedLog.interval { return false }
      lastLogTimes[topic] = now
      return true
    }
    if mustLog { log(level, message) }
  }

  /// Records that the problem of a topic is solved. If the problem was logged, logs this message. The topic may then be logged again at
  /// once.
  func resolve(_ topic: String, _ message: String) {
    if lastLogTimes.withLock({ $0.removeValue(forKey: topic) }) != nil { log(.notice, message) }
  }
}
