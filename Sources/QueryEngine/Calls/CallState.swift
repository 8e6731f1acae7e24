import PlacesKit
import Resilience

/// The life of one call to a provider, as a value: queued → reserved → sent → settled, or abandoned if its callers leave. A transition returns
/// what is to be done next; `CallRunner` does it.
struct CallState: Sendable {
  /// One attempt to get the answer: what it was paid with, and what it may send.
  struct Attempt: Sendable {
    var paid: PaidCall
    var pass: ProviderGate.Pass
    /// In monotonic seconds.
    var start: Double
    var meter: CallMeter
  }

  enum Phase: Sendable {
    /// Waits for one of the provider's places, or to be repeated.
    case queued
    /// Is being paid for, or is paid for and waits for the provider's rate.
    case reserved
    case sent(Attempt)
    /// The attempt was returned to the budget and the gate.
    case settled
    /// No caller wants the answer; an attempt that is still under way must be returned.
    case abandoned(Attempt?)
  }

  enum Action: Sendable {
    case reserve
    case waitForRate(PaidCall)
    case send(Attempt)
    /// The reservation is returned; the call ends with this outcome.
    case release(PaidCall, ProviderGate.Pass?, ProviderOutcome)
    case finish(ProviderOutcome)
  }

  /// True if the answer may be stored for later requests.
  let isStorable: Bool
  private(set) var phase = Phase.queued
  private var waiting = 0
  /// The last moment at which a caller waits for the answer, in monotonic seconds.
  private(set) var latestDeadline = 0.0
  /// True if the call continues without callers: they received a stale answer instead, or it is paid for and sent.
  private var isDetached = false
  /// True if a caller waited to the end of its deadline and would find the late answer in the cache.
  private var isLate = false

  init(isStorable: Bool) { self.isStorable = isStorable }

  var isAbandoned: Bool { if case .abandoned = phase { true } else { false } }

  // MARK: Callers

  /// Counts a caller in that waits until a moment. False if the call is abandoned.
  mutating func join(deadline: Double) -> Bool {
    guard !isAbandoned else { return false }
    waiting += 1
    latestDeadline = max(latestDeadline, deadline)
    return true
  }

  /// Counts a caller out. True if this abandons the call: the last caller left before its deadline, and nothing keeps the call.
  mutating func leave(isLate: Bool) -> Bool {
    waiting -= 1
    if isLate, isStorable { self.isLate = true }
    guard waiting == 0, !isDetached, !self.isLate, !isAbandoned else { return false }
    abandon()
    return true
  }

  /// Lets the call go on without callers. False if it is abandoned.
  @discardableResult mutating func detach() -> Bool {
    guard !isAbandoned else { return false }
    isDetached = true
    return true
  }

  // MARK: The call's steps

  /// A place is free, or the pause before a repetition is over.
  mutating func start(at now: Double) -> Action {
    guard isStillWanted(at: now) else { return .finish(.cancelled) }
    phase = .reserved
    return .reserve
  }

  /// The budget paid, or refused to.
  func reserved(_ paid: Result<PaidCall, BudgetRefusal>, wall: Double) -> Action {
    switch paid {
    case .success(let paid): .waitForRate(paid)
    case .failure(let refusal): .finish(.overBudget(refusal, wall: wall))
    }
  }

  /// The gate let the call pass: it is sent if it is still wanted. A paid call that a caller waits for runs to its own time limit.
  mutating func admitted(_ paid: PaidCall, _ pass: ProviderGate.Pass, isFree: Bool, at now: Double, attempt: () -> Attempt) -> Action {
    guard isStillWanted(at: now), isFree || detach() else { return .release(paid, pass, .cancelled) }
    let attempt = attempt()
    phase = .sent(attempt)
    return .send(attempt)
  }

  /// Removes the attempt that is under way and returns it; nil if there is none or it was removed before.
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

  /// True if an answer at that moment would be wanted: a caller waits for it, or the call goes on without one.
  func isWanted(at moment: Double) -> Bool { !isAbandoned && (isDetached || (waiting > 0 && moment < latestDeadline)) }

  /// Abandons the call if it is not wanted now.
  private mutating func isStillWanted(at now: Double) -> Bool {
    if isWanted(at: now) { return true }
    abandon()
    return false
  }

  /// No caller wants the answer any more.
  mutating func abandon() { phase = .abandoned(takeAttempt()) }
}
