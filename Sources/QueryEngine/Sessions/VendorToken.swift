import Resilience
import PlacesAPI
import PlacesKit
import Synchronization

/// A service's token for a session. It is sent with every autocomplete call of the session, and with the one details call that ends it.
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

  /// The number of autocomplete calls that were sent with it.
  var requests: Int { state.withLock { $0.requests } }
  /// Their reservations.
  var charges: [Reservation] { state.withLock { $0.charges } }

  /// True if calls may still be sent with it: it was not spent, and the service has not expired it.
  func isOpen(under rule: SessionRule, at now: Double) -> Bool {
    state.withLock { !$0.isSpent && now - $0.lastUse < rule.idleSeconds }
  }

  /// Counts an autocomplete call that is sent with it; false if it was spent.
  func count(_ charge: Reservation?, at now: Double) -> Bool {
    state.withLock { state in
      guard !state.isSpent else { return false }
      state.requests += 1
      if let charge { state.charges.append(charge) }
      state.lastUse = now
      return true
    }
  }

  /// Removes a counted call that was not sent after all, even if the token was spent since.
  func discount(_ charge: Reservation?) {
    state.withLock { state in
      state.requests -= 1
      if let index = state.charges.firstIndex(where: { $0 == charge }) { state.charges.remove(at: index) }
    }
  }

  /// Spends it on the details call that ends it; false if another call did.
  func spend() -> Bool {
    state.withLock { state in
      defer { state.isSpent = true }
      return !state.isSpent
    }
  }

  /// The call that was to end it was not sent.
  func release() { state.withLock { $0.isSpent = false } }
}
