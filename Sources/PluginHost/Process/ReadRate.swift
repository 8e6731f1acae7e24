/// The rate at which a stream of a provider's process is read: a token bucket of bytes. The daemon never reads faster
/// than the rate. Therefore the pipe of a process that writes faster fills up, and the process waits.
struct ReadRate: Equatable, Sendable {
  let bytesPerSecond: Double
  /// The number of bytes that may be read without a pause.
  let burst: Double
  /// When more bytes may be read, in monotonic seconds. Each byte that is read adds 1 / `bytesPerSecond`. Before that, a read raises the
  /// time to at least `now - burst / bytesPerSecond`, so that the burst after a long pause is limited.
  private var earliestReadTime = -Double.infinity

  init(bytesPerSecond: Double, burst: Double) {
    self.bytesPerSecond = bytesPerSecond
    self.burst = burst
  }

  /// The rate of standard error: 128 KiB (some thousand lines) a second, with a burst of 512 KiB.
  static let standardError = ReadRate(bytesPerSecond: 131_072, burst: 524_288)
  /// The rate of standard output: 32 MiB (eight messages of the maximum length) a second, with a burst of the same size.
  static let standardOutput = ReadRate(bytesPerSecond: 33_554_432, burst: 33_554_432)

  /// Counts bytes that were read.
  /// - Returns: the time at which more may be read, in seconds of the monotonic clock; nil for now.
  mutating func recordRead(of bytes: Int, at now: Double) -> Double? {
    earliestReadTime = max(earliestReadTime, now - burst / bytesPerSecond) + Double(bytes) / bytesPerSecond
    return earliestReadTime > now ? earliestReadTime : nil
  }
}
