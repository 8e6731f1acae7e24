import Glibc

/// The clock of the engine. It is passed as a parameter, so that tests can set the time.
public protocol TimeSource: Sendable {
  /// Seconds since a fixed time; never decreases, and includes the time that the machine is suspended (CLOCK_BOOTTIME).
  func monotonic() -> Double
  /// Seconds since 1970; may jump.
  func wall() -> Double
  /// Returns at the given monotonic time, or throws when the task is cancelled.
  func sleep(until monotonic: Double) async throws(CancellationError)
}

/// The machine's own time.
public struct SystemTime: TimeSource {
  public init() {}

  public func monotonic() -> Double { read(CLOCK_BOOTTIME) }
  public func wall() -> Double { read(CLOCK_REALTIME) }

  public func sleep(until monotonic: Double) async throws(CancellationError) {
    let now = self.monotonic()
    // Nothing waits for longer than a day.
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
