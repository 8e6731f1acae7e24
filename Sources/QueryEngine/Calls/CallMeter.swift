import PlacesKit
import Resilience
import Synchronization

/// The requests of one attempt at a call: the first is covered by the call's own reservation, each further one by a reservation of its own.
///
/// A few requests without the service's key need no reservation: the service cannot bill them, and an image whose address was paid for must not be
/// refused by a limit. If a free call sends no other requests, they count as one.
final class CallMeter: RequestMeter {
  /// The requests of an attempt and their reservations.
  struct Bill: Sendable {
    /// The reservations of the requests that were sent, except of those without the key.
    var sent: [Reservation?]
    var unsent: [Reservation?]
    /// True if anything was sent.
    var hasLeft: Bool
    /// Why the budget refused a further request; nil if it refused none.
    var refusal: BudgetRefusal?
    /// The status (RFC 9110) of the service's last answer; nil if there was none.
    var status: Int?
  }

  private struct State {
    var isOpen = true
    /// In the order in which requests use them; nil elements if no budget counts.
    var reservations: [Reservation?]
    /// Requests that may be sent or have been sent.
    var reserved = 0
    var sent = 0
    /// As above, for requests without the key, which are not reserved elsewhere.
    var reservedWithoutKey = 0
    var sentWithoutKey = 0
    var refusal: BudgetRefusal?
    var status: Int?
  }
  /// The maximum number of requests of one attempt without the key: an image, once more if it was lost, and some to spare.
  static let maxWithoutKey = 4

  let isFree: Bool
  private let state: Mutex<State>
  private let reserveFurther: @Sendable () async throws(BudgetRefusal) -> Reservation?
  private let settle: @Sendable (Reservation) -> Void

  /// - Parameters:
  ///   - first: the call's own reservation; nil if no budget counts.
  ///   - reserve: reserves one further request.
  ///   - release: returns a reservation that arrived after the call was over.
  init(
    first: Reservation?, isFree: Bool, reserve: @escaping @Sendable () async throws(BudgetRefusal) -> Reservation?,
    release: @escaping @Sendable (Reservation) -> Void
  ) {
    state = Mutex(State(reservations: [first]))
    self.isFree = isFree
    reserveFurther = reserve
    settle = release
  }

  var reserved: Int { state.withLock { $0.reserved + $0.reservedWithoutKey } }

  var withoutKey: any RequestMeter { RequestsWithoutKey(call: self) }

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
      // A cancelled reservation is not a refusal.
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
    // Redirections and client errors are permanent, except 408 (Request Timeout), 425 (Too Early) and 429 (Too Many Requests).
    state.withLock { $0.status }.map { (300..<500).contains($0) && ![408, 425, 429].contains($0) } ?? false
  }

  /// Lets no more requests be sent; returns the bill of those that were.
  func close() -> Bill {
    state.withLock { state in
      state.isOpen = false
      let hasLeft = state.sent + state.sentWithoutKey > 0
      let counted = max(state.sent, isFree && hasLeft ? 1 : 0)
      return Bill(
        sent: Array(state.reservations.prefix(counted)), unsent: Array(state.reservations.dropFirst(counted)), hasLeft: hasLeft,
        refusal: state.refusal, status: state.status)
    }
  }

  private static let isOver = ProviderError(.cancelled, "the call to which the request belongs is over")

  private struct RequestsWithoutKey: RequestMeter {
    let call: CallMeter

    var isFree: Bool { true }
    var reserved: Int { call.reserved }

    func reserve() async throws(ProviderError) {
      try call.state.withLock { (state) throws(ProviderError) in
        guard state.isOpen else { throw CallMeter.isOver }
        guard state.reservedWithoutKey < CallMeter.maxWithoutKey else {
          throw ProviderError(
            .plugin, "a provider may send \(CallMeter.maxWithoutKey) requests without its key during one attempt at a call")
        }
        state.reservedWithoutKey += 1
      }
    }

    func send() -> Bool {
      call.state.withLock { state in
        guard state.isOpen, state.sentWithoutKey < state.reservedWithoutKey else { return false }
        state.sentWithoutKey += 1
        return true
      }
    }

    func release() { call.state.withLock { $0.reservedWithoutKey -= 1 } }
    func record(status: Int?) { call.record(status: status) }
  }
}
