/// The account of the HTTP requests of one provider call. Each request is reserved before it is sent and counted when it is sent, so that
/// no request is sent without a reservation.
public protocol RequestMeter: Sendable {
  /// True if a request costs nothing. Only such a request may be sent again if it seems to be lost.
  var isFree: Bool { get }
  /// The number of requests that are reserved and not released.
  var reserved: Int { get }

  /// Reserves one request.
  /// - Throws: `cancelled` if the budget refuses the request or the call is over.
  func reserve() async throws(ProviderError)
  /// Counts a reserved request that is sent now. Returns false if the call is over or nothing is reserved; then the request must not be
  /// sent.
  func send() -> Bool
  /// Gives back the reservation of a request that was not sent.
  func release()
  /// True if a free request that seems to be lost may be sent again, which uses the provider's budget of retries.
  func mayResend() -> Bool
  /// Records the service's latest answer.
  /// - Parameters:
  ///   - status: its status (RFC 9110); nil if no answer came.
  ///   - message: returns what the service itself says about an error, without the key; nil if it says nothing. It is called only if the
  ///   call fails.
  func record(status: Int?, message: @escaping @Sendable () -> String?)

  /// The meter of the call's requests that carry no key although the service has one, such as those to an image server: they cost nothing.
  var withoutKey: any RequestMeter { get }
}

extension RequestMeter {
  public var withoutKey: any RequestMeter { self }

  /// Records the status (RFC 9110) of the service's latest answer, which says nothing about an error; nil if no answer came.
  public func record(status: Int?) { record(status: status, message: { nil }) }
}

/// The meter of a call that is over. It permits no request.
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
