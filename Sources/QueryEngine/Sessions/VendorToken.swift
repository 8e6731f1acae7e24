import Resilience
import PlacesAPI
import PlacesKit
import Synchronization

/// What a service knows a session by. It goes with every autocomplete call of the session, and with the one details call that ends it.
final class VendorToken: Sendable {
  private struct State {
    var requests = 0
    var charges: [Reservation] = []
    var lastUse: Double
    var isSpent = false
  }

  let value = SessionID().text
  private let state: Mutex<State>

  init(at now: Double) { state = Mutex(State(lastUse: now)) }

  /// The autocomplete calls that left with it.
  var requests: Int { state.withLock { $0.requests } }
  /// What they were paid with.
  var charges: [Reservation] { state.withLock { $0.charges } }

  /// Whether calls may still go with it: nothing has ended it, and the service has not forgotten it.
  func isOpen(under rule: SessionRule, at now: Double) -> Bool {
    state.withLock { !$0.isSpent && now - $0.lastUse < rule.idleSeconds }
  }

  /// Counts an autocomplete call that leaves with it; false where it has been spent.
  func count(_ charge: Reservation?, at now: Double) -> Bool {
    state.withLock { state in
      guard !state.isSpent else { return false }
      state.requests += 1
      if let charge { state.charges.append(charge) }
      state.lastUse = now
      return true
    }
  }

  /// A call that was counted did not leave after all, also where the token was spent since.
  func discount(_ charge: Reservation?) {
    state.withLock { state in
      state.requests -= 1
      if let index = state.charges.firstIndex(where: { $0 == charge }) { state.charges.remove(at: index) }
    }
  }

  /// Takes it for the details call that ends it; false where another one has it.
  func spend() -> Bool {
    state.withLock { state in
      defer { state.isSpent = true }
      return !state.isSpent
    }
  }

  /// The call that was to end it did not leave.
  func giveBack() { state.withLock { $0.isSpent = false } }
}
