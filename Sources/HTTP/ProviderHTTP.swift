import PlacesKit
import Resilience

/// Sends single requests: `HTTPClient`, or a test's replacement.
public protocol HTTPSending: Sendable {
  /// The contract is that of `HTTPClient.send`.
  func send(
    _ request: HTTPRequest, access: HTTPAccess, timeout: Duration, meter: (any RequestMeter)?
  ) async throws(ProviderError) -> HTTPResponse
}

extension HTTPClient: HTTPSending {}

/// Sends the requests of one provider: each waits for the provider's rate, is reserved at its call's meter, and is sent.
public struct ProviderHTTP: Sendable {
  private let client: any HTTPSending
  private let access: HTTPAccess
  /// The provider's own rate, and the rate of a host that it shares with others.
  private let rates: [RequestRateLimiter]
  /// The maximum seconds that a request waits for its rate, and the time limit of the request after that.
  private let timeout: Double
  /// True if a request may be sent that belongs to no call.
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

  /// - Parameter meter: the meter of the request's call; nil if the request belongs to no call, such as a probe.
  public func send(_ request: HTTPRequest, meter: (any RequestMeter)?) async throws(ProviderError) -> HTTPResponse {
    guard meter != nil || isFree else {
      throw ProviderError(.cancelled, "a paid provider may send requests only during a call")
    }
    let meter = access.omitsKey(request) ? meter?.withoutKey : meter
    do throws(ProviderError) { return try await sendOnce(request, meter) } catch {
      // A free request may be repeated: a server that closes an idle connection has not worked on what was just sent on it. A paid one may
      // have been billed; one without the key has not.
      guard error.detail == HTTPClient.lostOnKeptConnection, meter?.isFree ?? true else { throw error }
    }
    return try await sendOnce(request, meter)
  }

  private func sendOnce(_ request: HTTPRequest, _ meter: (any RequestMeter)?) async throws(ProviderError) -> HTTPResponse {
    for rate in rates { try await rate.wait(within: timeout) }
    // Reserved after the waits, so that no budget is reserved while a request waits.
    try await meter?.reserve()
    return try await client.send(request, access: access, timeout: .milliseconds(Int(timeout * 1_000)), meter: meter)
  }
}
