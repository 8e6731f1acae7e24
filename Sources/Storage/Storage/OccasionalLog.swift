import PlacesKit
import Synchronization

/// Says the same thing at most once in ten minutes, however often it happens.
final class OccasionalLog: Sendable {
  static let interval = 600.0
  private let time: any TimeSource
  private let log: @Sendable (LogLevel, String) -> Void
  private let last = Mutex<[String: Double]>([:])

  init(time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.time = time
    self.log = log
  }

  /// A line under a topic; another line of the same topic within the interval is left out.
  func say(_ level: LogLevel, _ topic: String, _ message: String) {
    let now = time.monotonic()
    let isDue = last.withLock { last in
      if let earlier = last[topic], now - earlier < OccasionalLog.interval { return false }
      last[topic] = now
      return true
    }
    if isDue { log(level, message) }
  }

  /// The topic's trouble is over: says so if it was said to be there, and the next trouble is news again.
  func settle(_ topic: String, _ message: String) {
    if last.withLock({ $0.removeValue(forKey: topic) }) != nil { log(.notice, message) }
  }
}
