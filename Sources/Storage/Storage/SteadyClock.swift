import PlacesKit
import Synchronization

/// A wall clock in seconds since 1970 that never goes back, so that setting the system clock back does not extend lifetimes.
final class SteadyClock: Sendable {
  private let time: any TimeSource
  private let latestTimes: Mutex<(wall: Double, monotonic: Double)>

  init(_ time: any TimeSource) {
    self.time = time
    latestTimes = Mutex((time.wall(), time.monotonic()))
  }

  /// Advances the clock to a time that an earlier run recorded.
  func advance(to wall: Double) { latestTimes.withLock { $0.wall = max($0.wall, wall) } }

  func now() -> Double {
    latestTimes.withLock { latestTimes in
      let monotonic = time.monotonic()
      latestTimes = (max(time.wall(), latestTimes.wall + max(0, monotonic - latestTimes.monotonic)), monotonic)
      return latestTimes.wall
    }
  }
}
