import PlacesKit
import Resilience
import Synchronization

/// The calls that wait until a provider's rate admits them. Users take turns. The first call waits for the rate, and each other call waits
/// until it is the first.
final class RateQueue: Sendable {
  enum Admission: Sendable {
    /// The call may be sent now.
    case admitted(ProviderGate.Pass)
    /// The call is not sent: calls are suspended, the call could start only after the answer is due, or the waiting task was cancelled.
    case refused(ProviderOutcome)
  }

  private final class Waiter: Sendable {
    let user: UInt32
    /// Fulfilled when this waiter is the first.
    let turn = Promise<Void>()
    init(of user: UInt32) { self.user = user }
  }

  private struct State {
    var firstWaiter: Waiter?
    var otherWaiters = RoundRobin<Waiter>()
  }

  private let provider: String
  private let gate: ProviderGate
  private let state = Mutex(State())

  init(_ gate: ProviderGate, of provider: String) {
    self.gate = gate
    self.provider = provider
  }

  /// Waits until the gate admits a call of the user.
  /// - Parameter answerDueTime: returns when the answer is due, in monotonic seconds. If the call could start only later, it is
  ///   refused immediately.
  func admit(_ user: UInt32, answerDueTime: () -> Double, time: any TimeSource) async -> Admission {
    var waiter: Waiter?
    defer { if let waiter { remove(waiter) } }
    while !Task.isCancelled {
      let now = time.monotonic()
      // A new call does not overtake the calls that already wait.
      let mustQueue = waiter == nil && state.withLock { $0.firstWaiter != nil }
      switch mustQueue ? .wait(until: now) : gate.admit(at: now) {
      case .suspended(let suspension): return .refused(.suspended(suspension, now: now))
      case .admitted(let pass): return .admitted(pass)
      case .wait(let moment) where waiter != nil:
        guard moment < answerDueTime() else { return .refused(.rateLimited(provider, retryAfter: moment - now)) }
        try? await time.sleep(until: moment)
      case .wait:
        let newWaiter = Waiter(of: user)
        waiter = newWaiter
        let start = gate.nextStart(at: now, behind: add(newWaiter))
        guard start < answerDueTime() else { return .refused(.rateLimited(provider, retryAfter: start - now)) }
        _ = await newWaiter.turn.value()
      }
    }
    return .refused(.cancelled)
  }

  /// Adds a waiter and returns the number of waiters before it.
  private func add(_ waiter: Waiter) -> Int {
    let countBefore = state.withLock { state in
      guard state.firstWaiter != nil else {
        state.firstWaiter = waiter
        return 0
      }
      defer { state.otherWaiters.append(waiter, of: waiter.user) }
      return state.otherWaiters.countBeforeNextItem(of: waiter.user) + 1
    }
    if countBefore == 0 { waiter.turn.fulfil(()) }
    return countBefore
  }

  private func remove(_ waiter: Waiter) {
    let next = state.withLock { state -> Waiter? in
      guard state.firstWaiter === waiter else {
        state.otherWaiters.remove(of: waiter.user) { $0 === waiter }
        return nil
      }
      state.firstWaiter = state.otherWaiters.next().next?.item
      return state.firstWaiter
    }
    next?.turn.fulfil(())
  }
}
