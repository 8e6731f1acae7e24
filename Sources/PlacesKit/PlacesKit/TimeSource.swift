import Glibc

/// A source of the time. It is passed as a parameter, so that tests can set the time.
public protocol TimeSource: Sendable {
  /// The seconds since a fixed time. They never decrease, and include the time for which the machine is suspended (CLOCK_BOOTTIME).
  func monotonic() -> Double
  /// The seconds since 1970. They jump if the machine's clock is set.
  func wall() -> Double
  /// Returns at the given monotonic time. Throws as soon as the task is cancelled.
  func sleep(until monotonic: Double) async throws(CancellationError)
}

/// The clocks of this machine.
public struct SystemTime: TimeSource {
  public init() {}

  public func monotonic() -> Double { read(CLOCK_BOOTTIME) }
  public func wall() -> Double { read(CLOCK_REALTIME) }

  public func sleep(until monotonic: Double) async throws(CancellationError) {
    let now = self.monotonic()
    // No caller needs a longer sleep than a day, and the limit makes an infinite time harmless.
    let due = min(max(now, monotonic), now + 86_400)
    if let clock = AlarmClock.shared { return try await clock.sleep(until: due) }
    do { try await Task.sleep(for: .seconds(due - now)) } catch { throw CancellationError() }
  }

  private func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
