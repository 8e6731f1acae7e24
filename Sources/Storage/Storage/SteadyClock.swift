import PlacesKit
import Synchronization

/// A wall clock in seconds since 1970 that never goes back, so that setting the system clock back does not extend lifetimes.
final class SteadyClock: Sendable {
  private let time: any TimeSource
  private let last: Mutex<(wall: Double, monotonic: Double)>

  init(_ time: any TimeSource) {
    self.time = time
    last = Mutex((time.wall(), time.monotonic()))
  }

  /// Advances the clock to a time that an earlier run recorded.
  func advance(to wall: Double) { last.withLock { $0.wall = max($0.wall, wall) } }

  func now() -> Double {
    last.withLock { last in
      let monotonic = time.monotonic()
      last = (max(time.wall(), last.wall + max(0, monotonic - last.monotonic)), monotonic)
      return last.wall
    }
  }
}
