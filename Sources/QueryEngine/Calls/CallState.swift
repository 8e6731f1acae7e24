import PlacesKit
import Resilience

/// The state machine of one call to a provider: queued → reserved → sent → settled, or abandoned if its callers leave. A transition returns
/// the next action, which `CallRunner` performs.
struct CallState: Sendable {
  /// One attempt to get the answer, with its reservation and its meter.
  struct Attempt: Sendable {
    var reservedCall: ReservedCall
    var pass: ProviderGate.Pass
    /// When the attempt began, in monotonic seconds.
    var start: Double
    var meter: CallMeter
  }

  enum Phase: Sendable {
    /// The call waits for its turn.
    case queued
    /// The call waits for its reservation, or has one and waits for the provider's rate.
    case reserved
    /// The call was sent, and the service has not returned.
    case sent(Attempt)
    /// The attempt's pass and reservation were returned to the gate and the budget. A retry may follow.
    case settled
    /// No caller waits for the answer. The attempt is nil if the call was not sent, or if the pass and the reservation were returned.
    case abandoned(Attempt?)
  }

  enum Action: Sendable {
    /// Reserve the cost, then wait for the provider's rate.
    case reserve
    /// Send the call.
    case send(Attempt)
    /// Return the reservation and the pass, and end the call with this outcome. The pass is nil if the gate did not admit the call.
    case release(ReservedCall, ProviderGate.Pass?, ProviderOutcome)
    /// End the call with this outcome.
    case finish(ProviderOutcome)
  }

  /// True if the answer may be stored for later requests.
  let isStorable: Bool
  private(set) var phase = Phase.queued
  private var waitingCallerCount = 0
  /// The latest deadline of the callers, in monotonic seconds.
  private(set) var latestDeadline = 0.0
  /// True if the call continues without callers: they received a stale answer instead, or the call is paid for and sent.
  private var isDetached = false
  /// True if a caller waited until its deadline, and a late answer can be stored for the next request.
  private var hasLateCaller = false

  init(isStorable: Bool) { self.isStorable = isStorable }

  var isAbandoned: Bool { if case .abandoned = phase { true } else { false } }

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

  /// Lets the call continue without callers, unless it is already abandoned.
  mutating func detach() { isDetached = true }

  // MARK: The call's steps

  /// Starts the call or, after a pause, a retry.
  mutating func start(at now: Double) -> Action {
    guard continueIfWanted(at: now) else { return .finish(.cancelled) }
    phase = .reserved
    return .reserve
  }

  /// Sends the call, which the gate has admitted, if it is still wanted. Once sent, a paid call runs until the provider's time limit, even
  /// if every caller leaves.
  mutating func admitted(_ reservedCall: ReservedCall, _ pass: ProviderGate.Pass, isFree: Bool, at now: Double, attempt: () -> Attempt)
    -> Action
  {
    guard continueIfWanted(at: now) else { return .release(reservedCall, pass, .cancelled) }
    if !isFree { detach() }
    let attempt = attempt()
    phase = .sent(attempt)
    return .send(attempt)
  }

  /// Removes and returns the attempt in progress; nil if there is none or it was already removed.
  mutating func takeAttempt() -> Attempt? {
    switch phase {
    case .sent(let attempt):
      phase = .settled
      return attempt
    case .abandoned(let attempt):
      phase = .abandoned(nil)
      return attempt
    case .queued, .reserved, .settled: return nil
    }
  }

  /// True if an answer that arrives at this time is used: a caller still waits at this time, or the call is detached.
  func isWanted(at moment: Double) -> Bool { !isAbandoned && (isDetached || (waitingCallerCount > 0 && moment < latestDeadline)) }

  /// Returns true if the call is wanted now; otherwise abandons the call and returns false.
  private mutating func continueIfWanted(at now: Double) -> Bool {
    if isWanted(at: now) { return true }
    abandon()
    return false
  }

  mutating func abandon() { phase = .abandoned(takeAttempt()) }
}
