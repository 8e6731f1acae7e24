import PlacesKit
import Resilience

/// Sends single requests. `HTTPClient` implements this protocol, and so do replacements in tests.
public protocol HTTPSending: Sendable {
  /// Sends a request as described at `HTTPClient.send`.
  func send(
    _ request: HTTPRequest, access: HTTPAccess, timeout: Duration, meter: (any RequestMeter)?
  ) async throws(ProviderError) -> HTTPResponse
}

extension HTTPClient: HTTPSending {}

/// Sends the requests of one provider. Each request waits for the provider's rate, is reserved with the meter of its call, and is
/// then sent.
public struct ProviderHTTP: Sendable {
  private let client: any HTTPSending
  private let access: HTTPAccess
  /// The provider's own rate and, if it shares its host with other providers, the rate of the host.
  private let rates: [RequestRateLimiter]
  /// The maximum number of seconds for which a request waits for each of the rates. The same time limit then applies to the request.
  private let timeout: Double
  /// True if all calls of the provider are free. Then requests that belong to no call may also be sent.
  private let isFree: Bool

  public init(
    _ client: any HTTPSending, access: HTTPAccess, rates: [RequestRateLimiter], timeout: Double, isFree: Bool
  ) {
    self.client = client
    self.access = access
    self.rates = rates
    self.timeout = timeout
    self.isFree = isFree
  }

  /// Sends a request and returns its answer.
  /// - Parameter meter: the meter of the request's call; nil if the request belongs to no call, such as a probe.
  public func send(_ request: HTTPRequest, meter: (any RequestMeter)?) async throws(ProviderError) -> HTTPResponse {
    guard meter != nil || isFree else {
      throw ProviderError(.cancelled, "a paid provider may send requests only during a call")
    }
    let meter = access.omitsKey(request) ? meter?.withoutKey : meter
    do throws(ProviderError) { return try await sendOnce(request, meter) } catch {
      // If the server closed an idle connection, it has probably not processed the request that was just sent. A request that is free or
      // has no key is therefore sent again, within the call's retry budget. Other requests may have been billed, so they are not sent
      // again. A request that belongs to no call has no retry budget.
      guard error.detail == HTTPClient.lostOnReusedConnection, let meter, meter.isFree, meter.mayResend() else { throw error }
    }
    return try await sendOnce(request, meter)
  }

  private func sendOnce(_ request: HTTPRequest, _ meter: (any RequestMeter)?) async throws(ProviderError) -> HTTPResponse {
    for rate in rates { try await rate.wait(within: timeout) }
    // The request is reserved after the waits, so that it does not hold a reservation while it waits.
    try await meter?.reserve()
    return try await client.send(request, access: access, timeout: .milliseconds(Int(timeout * 1_000)), meter: meter)
  }
}
