import PlacesKit
import Resilience

/// The state of one call to a provider: its callers and the attempt in progress. `CallRunner` makes the call. If all callers leave, the
/// call is usually abandoned, see `leave`.
struct CallState: Sendable {
  /// One attempt to get the answer, with its reservation and its meter.
  struct Attempt: Sendable {
    var reservedCall: ReservedCall
    var pass: ProviderGate.Pass
    /// When the attempt began, in monotonic seconds.
    var start: Double
    var meter: CallMeter
  }

  /// True if the answer may be stored for later requests.
  let isStorable: Bool
  /// The attempt in progress; nil if there is none. The caller of `takeAttempt` returns the attempt's pass to the gate and the attempt's
  /// reservation to the budget.
  private(set) var attempt: Attempt?
  /// True if no further attempt is made, because nobody needs the answer or the time limit has passed.
  private(set) var isAbandoned = false
  private var waitingCallerCount = 0
  /// The latest deadline of the callers, in monotonic seconds.
  private(set) var latestDeadline = 0.0
  /// True if the call continues without callers, because they received a stale answer instead, or because a paid attempt has begun.
  var isDetached = false
  /// True if a caller waited until its deadline, and a late answer can be stored for the next request.
  private var hasLateCaller = false

  init(isStorable: Bool) { self.isStorable = isStorable }

  // MARK: Callers

  /// Adds a caller that waits until `deadline`. Returns false if the call is abandoned.
  mutating func join(deadline: Double) -> Bool {
    guard !isAbandoned else { return false }
    waitingCallerCount += 1
    latestDeadline = max(latestDeadline, deadline)
    return true
  }

  /// Removes a caller. If no caller remains, abandons the call, except in two cases: the call is detached, or a caller waited until its
  /// deadline and the answer is storable. Returns true if the call is now abandoned and was not before.
  /// - Parameter isLate: true if the caller waited until its deadline.
  mutating func leave(isLate: Bool) -> Bool {
    waitingCallerCount -= 1
    if isLate, isStorable { hasLateCaller = true }
    guard waitingCallerCount == 0, !isDetached, !hasLateCaller, !isAbandoned else { return false }
    abandon()
    return true
  }

  // MARK: The call's steps

  /// True if an answer that arrives at this time would be used: a caller still waits then, or the call is detached.
  func isWanted(at moment: Double) -> Bool { !isAbandoned && (isDetached || (waitingCallerCount > 0 && moment < latestDeadline)) }

  /// Returns true if the call is wanted now; otherwise abandons the call and returns false.
  mutating func continueIfWanted(at now: Double) -> Bool {
    if isWanted(at: now) { return true }
    abandon()
    return false
  }

  /// Begins an attempt. A paid attempt continues without callers until the provider's time limit.
  mutating func begin(_ attempt: Attempt) {
    if !attempt.meter.isFree { isDetached = true }
    self.attempt = attempt
  }

  /// Removes and returns the attempt in progress; nil if there is none or it was already removed.
  mutating func takeAttempt() -> Attempt? {
    defer { attempt = nil }
    return attempt
  }

  /// Prevents further attempts. An attempt in progress remains.
  mutating func abandon() { isAbandoned = true }
}
