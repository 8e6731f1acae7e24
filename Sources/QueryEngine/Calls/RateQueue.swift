import PlacesKit
import Resilience
import Synchronization

/// The calls that wait until a provider's rate admits them. Users take turns. The first call waits for the rate, and each other call waits
/// until it is the first.
final class RateQueue: Sendable {
  /// The result of waiting for the rate.
  enum Admission: Sendable {
    /// The call may be sent now.
    case admitted(ProviderGate.Pass)
    /// The call is not sent: calls are suspended, the call could start only after the answer is due, or the waiting task was cancelled.
    case refused(ProviderOutcome)
  }

  private struct State {
    /// The turn of the first call. When another call becomes the first, its turn is fulfilled.
    var firstTurn: Promise<Void>?
    var otherTurns = RoundRobin<Promise<Void>>()
  }

  private let provider: String
  private let gate: ProviderGate
  private let state = Mutex(State())

  init(_ gate: ProviderGate, of provider: String) {
    self.gate = gate
    self.provider = provider
  }

  /// Waits until the gate admits a call of the user.
  /// - Parameter answerDueTime: returns the time at which the answer is due, in monotonic seconds. If the call could start only after this
  ///   time, it is refused immediately.
  func admit(_ user: UInt32, answerDueTime: () -> Double, time: any TimeSource) async -> Admission {
    let turn = Promise<Void>()
    let countBefore = append(turn, of: user)
    defer { remove(turn) }
    if countBefore > 0 {
      let now = time.monotonic()
      let start = gate.nextStart(at: now, behind: countBefore)
      guard start < answerDueTime() else { return .refused(.rateLimited(provider, retryAfter: start - now)) }
      _ = await turn.value()
    }
    while !Task.isCancelled {
      let now = time.monotonic()
      switch gate.admit(at: now) {
      case .suspended(let suspension): return .refused(.suspended(suspension, now: now))
      case .admitted(let pass): return .admitted(pass)
      case .wait(let moment):
        guard moment < answerDueTime() else { return .refused(.rateLimited(provider, retryAfter: moment - now)) }
        try? await time.sleep(until: moment)
      }
    }
    return .refused(.cancelled)
  }

  /// Adds a turn and returns the number of calls before it.
  private func append(_ turn: Promise<Void>, of user: UInt32) -> Int {
    state.withLock { state in
      guard state.firstTurn != nil else {
        state.firstTurn = turn
        return 0
      }
      defer { state.otherTurns.append(turn, of: user) }
      return state.otherTurns.countBeforeNextItem(of: user) + 1
    }
  }

  private func remove(_ turn: Promise<Void>) {
    let nextTurn = state.withLock { state -> Promise<Void>? in
      guard state.firstTurn === turn else {
        state.otherTurns.remove { $0 === turn }
        return nil
      }
      state.firstTurn = state.otherTurns.next().next
      return state.firstTurn
    }
    nextTurn?.fulfil(())
  }
}
