/// How fast a stream of a provider's process is read: a token bucket of bytes. A process that writes more is not stopped by it, but waits at
/// its full pipe, and costs the daemon no more than the rate.
struct ReadRate: Equatable, Sendable {
  let bytesPerSecond: Double
  /// Bytes that may come at once.
  let burst: Double
  /// When all bytes so far are paid for, in seconds of the monotonic clock.
  private var paidUntil = -Double.infinity

  init(bytesPerSecond: Double, burst: Double) {
    self.bytesPerSecond = bytesPerSecond
    self.burst = burst
  }

  /// Standard error: some thousand lines a second.
  static let standardError = ReadRate(bytesPerSecond: 131_072, burst: 524_288)
  /// Standard output: several of the longest messages a second.
  static let standardOutput = ReadRate(bytesPerSecond: 33_554_432, burst: 33_554_432)

  /// Counts bytes that were read.
  /// - Returns: when more may be read, in seconds of the monotonic clock; nil for now.
  mutating func read(_ bytes: Int, at now: Double) -> Double? {
    paidUntil = max(paidUntil, now - burst / bytesPerSecond) + Double(bytes) / bytesPerSecond
    return paidUntil > now ? paidUntil : nil
  }
}
