import PlacesKit
import Resilience
import Synchronization

/// The calls that wait until a provider's rate admits them. Users take turns. The first call waits for the rate, and the other calls wait
/// until they are first.
final class RateQueue: Sendable {
  enum Admission: Sendable {
    case go(ProviderGate.Pass)
    case suspended(Suspension)
    /// The answer is due before the call could start.
    case late(secondsUntilStart: Double)
    case cancelled
  }

  private final class Waiter: Sendable {
    let user: UInt32
    /// Fulfilled when this waiter is the first.
    let turn = Promise<Void>()
    init(of user: UInt32) { self.user = user }
  }

  private struct State {
    var first: Waiter?
    var others = RoundRobin<Waiter>()
  }

  private let gate: ProviderGate
  private let state = Mutex(State())

  init(_ gate: ProviderGate) { self.gate = gate }

  /// Waits until the gate admits a call of the user.
  /// - Parameter due: returns when the answer is due, in monotonic seconds. A call that could start only later is rejected immediately.
  func admit(_ user: UInt32, due: () -> Double, time: any TimeSource) async -> Admission {
    var waiter: Waiter?
    defer { if let waiter { remove(waiter) } }
    while !Task.isCancelled {
      let now = time.monotonic()
      // A new call does not overtake the calls that already wait.
      let mustQueue = waiter == nil && !isEmpty
      switch mustQueue ? .wait(until: now) : gate.admit(at: now) {
      case .suspended(let suspension): return .suspended(suspension)
      case .go(let pass): return .go(pass)
      case .wait(let moment) where waiter != nil:
        guard moment < due() else { return .late(secondsUntilStart: moment - now) }
        guard (try? await time.sleep(until: moment)) != nil else { return .cancelled }
      case .wait:
        let new = Waiter(of: user)
        waiter = new
        let start = gate.nextStart(at: now, behind: add(new))
        guard start < due() else { return .late(secondsUntilStart: start - now) }
        guard await new.turn.value() != nil else { return .cancelled }
      }
    }
    return .cancelled
  }

  private var isEmpty: Bool { state.withLock { $0.first == nil } }

  /// Adds a waiter and returns the number of waiters before it.
  private func add(_ waiter: Waiter) -> Int {
    let before = state.withLock { state in
      guard state.first != nil else {
        state.first = waiter
        return 0
      }
      defer { state.others.append(waiter, of: waiter.user) }
      return state.others.countBeforeNextItem(of: waiter.user) + 1
    }
    if before == 0 { waiter.turn.fulfil(()) }
    return before
  }

  private func remove(_ waiter: Waiter) {
    let next = state.withLock { state -> Waiter? in
      guard state.first === waiter else {
        state.others.remove(of: waiter.user) { $0 === waiter }
        return nil
      }
      state.first = state.others.next()?.item
      return state.first
    }
    next?.turn.fulfil(())
  }
}
