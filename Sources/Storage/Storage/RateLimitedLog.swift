import PlacesKit
import Synchronization

/// A log that repeats a message at most once in ten minutes.
final class RateLimitedLog: Sendable {
  /// In seconds.
  static let interval = 600.0
  private let time: any TimeSource
  private let log: @Sendable (LogLevel, String) -> Void
  private let last = Mutex<[String: Double]>([:])

  init(time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.time = time
    self.log = log
  }

  /// Logs a line, unless a line of the same topic was logged within the interval.
  func write(_ level: LogLevel, _ topic: String, _ message: String) {
    let now = time.monotonic()
    let isDue = last.withLock { last in
      if let earlier = last[topic], now - earlier < RateLimitedLog.interval { return false }
      last[topic] = now
      return true
    }
    if isDue { log(level, message) }
  }

  /// Records that the problem of a topic is solved. If the problem was logged, logs this message. The topic may then be logged again at
  /// once.
  func resolve(_ topic: String, _ message: String) {
    if last.withLock({ $0.removeValue(forKey: topic) }) != nil { log(.notice, message) }
  }
}
