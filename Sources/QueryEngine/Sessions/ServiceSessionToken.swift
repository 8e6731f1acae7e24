import Resilience
import PlacesAPI
import PlacesKit
import Synchronization

/// A service's token for a session. It is sent with every autocomplete call of the session, and with the one details call that ends the
/// session.
final class ServiceSessionToken: Sendable {
  private struct State {
    var callCount = 0
    var reservations: [Reservation] = []
    /// When the token was created or last sent with an autocomplete call, in monotonic seconds.
    var lastUse: Double
    /// True if a details call was made with the token.
    var isSpent = false
  }

  let value = SessionID().text
  private let state: Mutex<State>

  init(at now: Double) { state = Mutex(State(lastUse: now)) }

  /// The number of autocomplete calls sent with the token.
  var callCount: Int { state.withLock { $0.callCount } }
  /// The reservations of these calls.
  var reservations: [Reservation] { state.withLock { $0.reservations } }

  /// True if calls may be sent with the token: it is not spent and has not expired at the service.
  func isOpen(under rule: SessionRule, at now: Double) -> Bool {
    state.withLock { !$0.isSpent && now - $0.lastUse < rule.idleSeconds }
  }

  /// Counts an autocomplete call that is sent with the token. Returns false if the token is spent.
  /// - Parameter reservation: the reservation of the call; nil if no budget counts the call.
  func countCall(_ reservation: Reservation?, at now: Double) -> Bool {
    state.withLock { state in
      guard !state.isSpent else { return false }
      state.callCount += 1
      if let reservation { state.reservations.append(reservation) }
      state.lastUse = now
      return true
    }
  }

  /// Removes a counted call that was not sent, even if the token has been spent since it was counted.
  func uncountCall(_ reservation: Reservation?) {
    state.withLock { state in
      state.callCount -= 1
      if let index = state.reservations.firstIndex(where: { $0 == reservation }) { state.reservations.remove(at: index) }
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
