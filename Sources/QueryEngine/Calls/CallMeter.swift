import PlacesKit
import Resilience
import Synchronization

/// Counts the requests of one attempt at a call. The call's own reservation covers the first request, and each further request needs
/// another reservation.
///
/// Up to `maxWithoutKey` requests without the service's key need no reservation, because the service cannot bill them. A photo, for
/// example, can be downloaded even if the call that returned its address used up the budget. A call that costs no money still counts in the
/// budget of calls. If it sends only requests without the key, it counts as one request.
final class CallMeter: RequestMeter {
  /// The requests of an attempt and their reservations.
  struct Bill: Sendable {
    /// The reservations to charge: one for each request that was sent with the key. If a free call sent only requests without the key, only
    /// its first reservation is charged. An element is nil if no budget counts the request.
    var chargedReservations: [Reservation?]
    /// The other reservations, which are returned to the budget.
    var unusedReservations: [Reservation?]
    /// True if a request was sent, with or without the key.
    var wasSent: Bool
    /// The reason why the budget refused a further request; nil if it refused none.
    var refusal: BudgetRefusal?
    /// The status (RFC 9110) of the service's last answer; nil if there was none.
    var status: Int?
    /// Reads the error message from the service's last answer; returns nil if that answer has none.
    var message: @Sendable () -> String?
  }

  private struct State {
    /// False after the attempt has ended, see `close`.
    var isOpen = true
    /// The reservations in the order in which requests use them. Some may remain unused. An element is nil if no budget counts the request.
    var reservations: [Reservation?]
    var withKey = RequestCount()
    var withoutKey = RequestCount()
    var refusal: BudgetRefusal?
    var status: Int?
    var message: @Sendable () -> String? = { nil }
  }

  /// Counts the requests of one kind: those with the service's key, or those without it.
  private struct RequestCount {
    /// The number of requests that may be sent, including those that were sent.
    var permittedCount = 0
    var sentCount = 0

    /// Counts a request that is about to be sent. Returns false if no permission is left for the request.
    mutating func recordSending() -> Bool {
      guard sentCount < permittedCount else { return false }
      sentCount += 1
      return true
    }
  }

  /// The maximum number of requests without the key in one attempt. An image needs one, and one more if the connection was lost.
  static let maxWithoutKey = 4

  /// True if the call costs no money.
  let isFree: Bool
  private let state: Mutex<State>
  private let reserveFurther: @Sendable () async throws(BudgetRefusal) -> Reservation?
  private let releaseFurther: @Sendable (Reservation) -> Void
  private let takeRetry: @Sendable () -> Bool

  /// - Parameters:
  ///   - first: the call's own reservation; nil if no budget counts the call.
  ///   - reserve: reserves one further request, and returns its reservation; nil if no budget counts the request.
  ///   - release: returns a further reservation to the budget, if the attempt ended before the reservation was made.
  ///   - retry: uses the provider's retry budget. Returns false if the budget is empty.
  init(
    first: Reservation?, isFree: Bool, reserve: @escaping @Sendable () async throws(BudgetRefusal) -> Reservation?,
    release: @escaping @Sendable (Reservation) -> Void, retry: @escaping @Sendable () -> Bool
  ) {
    state = Mutex(State(reservations: [first]))
    self.isFree = isFree
    reserveFurther = reserve
    releaseFurther = release
    takeRetry = retry
  }

  var reserved: Int { state.withLock { $0.withKey.permittedCount + $0.withoutKey.permittedCount } }

  var withoutKey: any RequestMeter { RequestsWithoutKey(call: self) }

  func reserve() async throws(ProviderError) {
    let usesReservation = try state.withLock { (state) throws(ProviderError) in
      guard state.isOpen else { throw CallMeter.callIsOver }
      guard state.withKey.permittedCount < state.reservations.count else { return false }
      state.withKey.permittedCount += 1
      return true
    }
    if usesReservation { return }
    let reservation: Reservation?
    do throws(BudgetRefusal) { reservation = try await reserveFurther() } catch {
      // The bill states why the budget refused a request. A wait that was cancelled is not a refusal. The provider receives `cancelled` in
      // both cases.
      if error.reason != .cancelled { state.withLock { $0.refusal = error } }
      throw ProviderError(.cancelled, error.message)
    }
    let isOpen = state.withLock { state in
      guard state.isOpen else { return false }
      state.reservations.append(reservation)
      state.withKey.permittedCount += 1
      return true
    }
    guard !isOpen else { return }
    if let reservation { releaseFurther(reservation) }
    throw CallMeter.callIsOver
  }

  func send() -> Bool { state.withLock { $0.isOpen && $0.withKey.recordSending() } }

  func release() { state.withLock { $0.withKey.permittedCount -= 1 } }

  func mayResend() -> Bool { takeRetry() }

  func record(status: Int?, message: @escaping @Sendable () -> String?) {
    state.withLock { ($0.status, $0.message) = (status, message) }
  }

  /// True if the status of the service's last answer shows that a repeated request would fail in the same way.
  var wouldFailAgain: Bool {
    guard let status = state.withLock({ $0.status }) else { return false }
    // Redirections and client errors are permanent, except 408 (Request Timeout), 425 (Too Early) and 429 (Too Many Requests).
    return (300..<500).contains(status) && ![408, 425, 429].contains(status)
  }

  /// Ends the attempt: no more requests may be sent. Returns the bill.
  func close() -> Bill {
    state.withLock { state in
      state.isOpen = false
      // This releases the service's answer, from which the message is read.
      defer { state.message = { nil } }
      let wasSent = state.withKey.sentCount + state.withoutKey.sentCount > 0
      let chargedCount = max(state.withKey.sentCount, isFree && wasSent ? 1 : 0)
      return Bill(
        chargedReservations: Array(state.reservations.prefix(chargedCount)),
        unusedReservations: Array(state.reservations.dropFirst(chargedCount)),
        wasSent: wasSent,
        refusal: state.refusal, status: state.status, message: state.message)
    }
  }

  private static let callIsOver = ProviderError(.cancelled, "the call to which the request belongs is over")

  /// The meter of those requests of a call that do not carry the key. They need no reservation.
  private struct RequestsWithoutKey: RequestMeter {
    let call: CallMeter

    var isFree: Bool { true }
    var reserved: Int { call.reserved }

    func reserve() async throws(ProviderError) {
      try call.state.withLock { (state) throws(ProviderError) in
        guard state.isOpen else { throw CallMeter.callIsOver }
        guard state.withoutKey.permittedCount < CallMeter.maxWithoutKey else {
          throw ProviderError(
            .plugin, "a provider may send \(CallMeter.maxWithoutKey) requests without its key during one attempt at a call")
        }
        state.withoutKey.permittedCount += 1
      }
    }

    func send() -> Bool { call.state.withLock { $0.isOpen && $0.withoutKey.recordSending() } }
    func release() { call.state.withLock { $0.withoutKey.permittedCount -= 1 } }
    func mayResend() -> Bool { call.mayResend() }
    func record(status: Int?, message: @escaping @Sendable () -> String?) { call.record(status: status, message: message) }
  }
}
