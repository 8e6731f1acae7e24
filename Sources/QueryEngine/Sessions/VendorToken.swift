import Resilience
import PlacesAPI
import PlacesKit
import Synchronization

/// A service's token for a session. It is sent with every autocomplete call of the session, and with the one details call that ends it.
final class VendorToken: Sendable {
  private struct State {
    var requests = 0
    var charges: [Reservation] = []
    /// In monotonic seconds.
    var lastUse: Double
    /// True if a details call was made with the token.
    var isSpent = false
  }

  let value = SessionID().text
  private let state: Mutex<State>

  init(at now: Double) { state = Mutex(State(lastUse: now)) }

  /// The number of autocomplete calls sent with the token.
  var requests: Int { state.withLock { $0.requests } }
  /// The reservations of these calls.
  var charges: [Reservation] { state.withLock { $0.charges } }

  /// True if calls may be sent with the token: it is not spent and has not expired at the service.
  func isOpen(under rule: SessionRule, at now: Double) -> Bool {
    state.withLock { !$0.isSpent && now - $0.lastUse < rule.idleSeconds }
  }

  /// Counts an autocomplete call that is sent with the token. Returns false if the token is spent.
  /// - Parameter charge: the reservation of the call; nil if no budget counts the call.
  func count(_ charge: Reservation?, at now: Double) -> Bool {
    state.withLock { state in
      guard !state.isSpent else { return false }
      state.requests += 1
      if let charge { state.charges.append(charge) }
      state.lastUse = now
      return true
    }
  }

  /// Removes a counted call that was not sent, even if the token was spent since.
  func uncount(_ charge: Reservation?) {
    state.withLock { state in
      state.requests -= 1
      if let index = state.charges.firstIndex(where: { $0 == charge }) { state.charges.remove(at: index) }
    }
  }

  /// Spends the token on a details call. Returns false if it is already spent.
  func spend() -> Bool {
    state.withLock { state in
      defer { state.isSpent = true }
      return !state.isSpent
    }
  }

  /// Makes the token usable again, because the details call was not sent.
  func release() { state.withLock { $0.isSpent = false } }
}
