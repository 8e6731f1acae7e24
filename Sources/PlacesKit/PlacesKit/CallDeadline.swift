/// The time until which the caller of a provider's function waits. A function that waits is cancelled at that time; a function that only
/// computes, in the caller's own task, must return by then.
public enum CallDeadline {
  /// In seconds as `SystemTime` counts them; nil if the caller has set no deadline.
  @TaskLocal public static var current: Double?
}
