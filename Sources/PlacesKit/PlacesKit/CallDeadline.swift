/// The time by which a provider must return from a call that the daemon runs in the task of its caller. Such a provider only computes, as
/// the gazetteer does, so the daemon cannot interrupt it.
public enum CallDeadline {
  /// The deadline in seconds of `TimeSource.monotonic`; nil for all other calls, which the daemon cancels when it no longer needs them.
  @TaskLocal public static var current: Double?
}
