/// Counts the HTTP requests of one call of a provider. Each request is reserved in the budget before it is sent, and counted when it is
/// sent, so that no request is sent without a reservation.
public protocol RequestMeter: Sendable {
  /// True if a request costs nothing. Only such a request may be sent again if it seems to be lost.
  var isFree: Bool { get }
  /// The number of requests that were reserved and not released, including those that were sent.
  var reserved: Int { get }

  /// Reserves one request.
  /// - Throws: `cancelled` if the budget refuses the request or the call is over; `plugin` if the call sends too many requests that cost
  ///   nothing.
  func reserve() async throws(ProviderError)
  /// Counts a reserved request that is about to be sent. Returns false if the call is over or no request is reserved; then the request must
  /// not be sent.
  func send() -> Bool
  /// Gives back the reservation of a request that was not sent.
  func release()
  /// Returns true if a free request that seems to be lost may be sent again. This uses the provider's retry budget.
  func mayResend() -> Bool
  /// Records the service's latest answer.
  /// - Parameters:
  ///   - status: the HTTP status of the answer (RFC 9110); nil if no answer came.
  ///   - message: returns the service's own error message, without the key; nil if it sent none. It is called only if the call fails.
  func record(status: Int?, message: @escaping @Sendable () -> String?)

  /// The meter for requests of the call that carry no key although the service has a key, such as those to an image server. They cost
  /// nothing.
  var withoutKey: any RequestMeter { get }
}

extension RequestMeter {
  public var withoutKey: any RequestMeter { self }

  /// Records the HTTP status (RFC 9110) of the service's latest answer, without an error message; nil if no answer came.
  public func record(status: Int?) { record(status: status, message: { nil }) }
}

/// The meter of a call that is over. It permits no further request.
public struct ClosedMeter: RequestMeter {
  public init() {}
  public var isFree: Bool { false }
  public var reserved: Int { 0 }
  public func reserve() async throws(ProviderError) { throw ProviderError(.cancelled, "the call to which the request belongs is over") }
  public func send() -> Bool { false }
  public func release() {}
  public func mayResend() -> Bool { false }
  public func record(status: Int?, message: @escaping @Sendable () -> String?) {}
}
