import PlacesKit
import Resilience
import Synchronization

/// The requests of one attempt at a call: the first is covered by the call's own reservation, each further one by a reservation of its own.
final class CallMeter: RequestMeter {
  /// What an attempt's requests came to.
  struct Bill: Sendable {
    var sent: [Reservation?]
    var unsent: [Reservation?]
    /// Why the budget refused a further request; nil if it refused none.
    var refusal: BudgetRefusal?
    /// The status (RFC 9110) of the service's last answer; nil if there was none.
    var status: Int?
  }

  private struct State {
    var isOpen = true
    /// In the order in which requests use them; nil elements if no budget counts.
    var reservations: [Reservation?]
    /// Requests that may leave or have left.
    var reserved = 0
    var sent = 0
    var refusal: BudgetRefusal?
    var status: Int?
  }
  let isFree: Bool
  private let state: Mutex<State>
  private let reserveFurther: @Sendable () async throws(BudgetRefusal) -> Reservation?
  private let settle: @Sendable (Reservation) -> Void

  /// - Parameters:
  ///   - first: the call's own reservation; nil if no budget counts.
  ///   - reserve: reserves one further request.
  ///   - release: takes a reservation back that came after the call was over.
  init(
    first: Reservation?, isFree: Bool, reserve: @escaping @Sendable () async throws(BudgetRefusal) -> Reservation?,
    release: @escaping @Sendable (Reservation) -> Void
  ) {
    state = Mutex(State(reservations: [first]))
    self.isFree = isFree
    reserveFurther = reserve
    settle = release
  }

  var reserved: Int { state.withLock { $0.reserved } }

  func reserve() async throws(ProviderError) {
    let isCovered = state.withLock { state -> Bool? in
      guard state.isOpen else { return nil }
      guard state.reserved < state.reservations.count else { return false }
      state.reserved += 1
      return true
    }
    guard let isCovered else { throw CallMeter.isOver }
    guard !isCovered else { return }
    let reservation: Reservation?
    do throws(BudgetRefusal) { reservation = try await reserveFurther() } catch {
      // A caller that left was refused nothing.
      if error.reason != .cancelled { state.withLock { $0.refusal = error } }
      throw ProviderError(.cancelled, error.message)
    }
    let isOpen = state.withLock { state in
      guard state.isOpen else { return false }
      state.reservations.append(reservation)
      state.reserved += 1
      return true
    }
    guard !isOpen else { return }
    if let reservation { settle(reservation) }
    throw CallMeter.isOver
  }

  func send() -> Bool {
    state.withLock { state in
      guard state.isOpen, state.sent < state.reserved else { return false }
      state.sent += 1
      return true
    }
  }

  func release() { state.withLock { $0.reserved -= 1 } }

  func record(status: Int?) { state.withLock { $0.status = status } }

  /// True if a repeated request would fail in the same way, judged by the status of the service's last answer.
  var wouldFailAgain: Bool {
    // A redirection and a wrong request do not pass; "too early", "too slow" and "too often" do.
    state.withLock { $0.status }.map { (300..<500).contains($0) && ![408, 425, 429].contains($0) } ?? false
  }

  /// Lets no request leave from now on; returns what the requests came to.
  func close() -> Bill {
    state.withLock { state in
      state.isOpen = false
      return Bill(
        sent: Array(state.reservations.prefix(state.sent)), unsent: Array(state.reservations.dropFirst(state.sent)), refusal: state.refusal,
        status: state.status)
    }
  }

  private static let isOver = ProviderError(.cancelled, "the call to which the request belongs is over")
}
