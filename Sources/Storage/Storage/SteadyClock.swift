import PlacesKit
import Synchronization

/// Wall time that never goes back and never stands still: what was kept for a month is not kept longer because somebody set the
/// clock back. Seconds since 1970.
final class SteadyClock: Sendable {
  private let time: any TimeSource
  private let last: Mutex<(wall: Double, monotonic: Double)>

  init(_ time: any TimeSource) {
    self.time = time
    last = Mutex((time.wall(), time.monotonic()))
  }

  /// It was that late already, as an earlier run knew.
  func advance(to wall: Double) { last.withLock { $0.wall = max($0.wall, wall) } }

  func now() -> Double {
    last.withLock { last in
      let monotonic = time.monotonic()
      last = (max(time.wall(), last.wall + max(0, monotonic - last.monotonic)), monotonic)
      return last.wall
    }
  }
}
