/// Until when the caller of a provider's function waits. A function that waits for something hears of it by cancellation; one that only
/// computes, in the caller's own task, ends by itself.
public enum CallDeadline {
  /// In seconds as `SystemTime` counts them; nil if the caller has set no deadline.
  @TaskLocal public static var current: Double?
}
