import PlacesKit
import Resilience

/// The life of one call to a provider, as a value: queued → reserved → sent → settled, or abandoned if its callers leave. A transition
/// returns the next action, which `CallRunner` performs.
struct CallState: Sendable {
  /// One attempt to get the answer, with its reservation and its meter.
  struct Attempt: Sendable {
    var reservedCall: ReservedCall
    var pass: ProviderGate.Pass
    /// In monotonic seconds.
    var start: Double
    var meter: CallMeter
  }

  enum Phase: Sendable {
    /// Waits for its turn.
    case queued
    /// Waits for its reservation, or has one and waits for the provider's rate.
    case reserved
    case sent(Attempt)
    /// The attempt was returned to the budget and the gate; a retry may follow.
    case settled
    /// No caller waits for the answer; an attempt in progress must be returned.
    case abandoned(Attempt?)
  }

  enum Action: Sendable {
    case reserve
    case waitForRate(ReservedCall)
    case send(Attempt)
    /// Return the reservation, and end the call with this outcome.
    case release(ReservedCall, ProviderGate.Pass?, ProviderOutcome)
    case finish(ProviderOutcome)
  }

  /// True if the answer may be stored for later requests.
  let isStorable: Bool
  private(set) var phase = Phase.queued
  private var waiting = 0
  /// The latest deadline of the callers, in monotonic seconds.
  private(set) var latestDeadline = 0.0
  /// True if the call continues without callers: they received a stale answer instead, or it is paid for and sent.
  private var isDetached = false
  /// True if a caller waited until its deadline, and a late answer can still be stored for its next request.
  private var hasLateCaller = false

  init(isStorable: Bool) { self.isStorable = isStorable }

  var isAbandoned: Bool { if case .abandoned = phase { true } else { false } }

  // MARK: Callers

  /// Adds a caller that waits until `deadline`. Returns false if the call is abandoned.
  mutating func join(deadline: Double) -> Bool {
    guard !isAbandoned else { return false }
    waiting += 1
    latestDeadline = max(latestDeadline, deadline)
    return true
  }

  /// Removes a caller. Returns true if that abandons the call: it was the last caller, left before its deadline, and the call is not
  /// detached.
  mutating func leave(isLate: Bool) -> Bool {
    waiting -= 1
    if isLate, isStorable { hasLateCaller = true }
    guard waiting == 0, !isDetached, !hasLateCaller, !isAbandoned else { return false }
    abandon()
    return true
  }

  /// Lets the call continue without callers. Returns false if it is abandoned.
  @discardableResult mutating func detach() -> Bool {
    guard !isAbandoned else { return false }
    isDetached = true
    return true
  }

  // MARK: The call's steps

  /// The call may start, or the pause before a retry is over.
  mutating func start(at now: Double) -> Action {
    guard isStillWanted(at: now) else { return .finish(.cancelled) }
    phase = .reserved
    return .reserve
  }

  /// The budget made a reservation or refused it.
  func reserved(_ result: Result<ReservedCall, BudgetRefusal>, wall: Double) -> Action {
    switch result {
    case .success(let reservedCall): .waitForRate(reservedCall)
    case .failure(let refusal): .finish(.overBudget(refusal, wall: wall))
    }
  }

  /// The gate admitted the call: it is sent if it is still wanted. Once sent, a paid call runs until the provider's
  /// time limit, even if every caller leaves.
  mutating func admitted(_ reservedCall: ReservedCall, _ pass: ProviderGate.Pass, isFree: Bool, at now: Double, attempt: () -> Attempt)
    -> Action
  {
    guard isStillWanted(at: now) else { return .release(reservedCall, pass, .cancelled) }
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

  /// True if an answer at this time would be used: a caller waits until then, or the call is detached.
  func isWanted(at moment: Double) -> Bool { !isAbandoned && (isDetached || (waiting > 0 && moment < latestDeadline)) }

  /// Abandons the call if it is not wanted now.
  private mutating func isStillWanted(at now: Double) -> Bool {
    if isWanted(at: now) { return true }
    abandon()
    return false
  }

  /// Abandons the call.
  mutating func abandon() { phase = .abandoned(takeAttempt()) }
}
