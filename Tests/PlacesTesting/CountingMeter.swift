import PlacesKit
import Synchronization

/// A meter without a budget: it reserves every request until it is closed, and counts those that leave.
public final class CountingMeter: RequestMeter {
  private struct State {
    var isOpen = true
    var reserved = 0
    var sent = 0
    var status: Int?
    var retries: Int
  }
  private let state: Mutex<State>
  public let isFree: Bool

  private let keyless: CountingMeter?

  /// - Parameters:
  ///   - retries: the number of lost requests that may be sent again.
  ///   - keyless: counts the requests without the key; nil to count them here.
  public init(isFree: Bool = true, retries: Int = .max, keyless: CountingMeter? = nil) {
    state = Mutex(State(retries: retries))
    self.isFree = isFree
    self.keyless = keyless
  }

  public var withoutKey: any RequestMeter { keyless ?? self }

  public var reserved: Int { state.withLock { $0.reserved } }
  public var sent: Int { state.withLock { $0.sent } }
  public var status: Int? { state.withLock { $0.status } }

  public func reserve() async throws(ProviderError) {
    let isOpen = state.withLock { state in
      if state.isOpen { state.reserved += 1 }
      return state.isOpen
    }
    guard isOpen else { throw ProviderError(.cancelled, "the call is over") }
  }

  public func send() -> Bool {
    state.withLock { state in
      guard state.isOpen, state.sent < state.reserved else { return false }
      state.sent += 1
      return true
    }
  }

  public func release() { state.withLock { $0.reserved -= 1 } }
  public func mayResend() -> Bool {
    state.withLock { state in
      state.retries -= 1
      return state.retries >= 0
    }
  }
  public func record(status: Int?, message: @escaping @Sendable () -> String?) { state.withLock { $0.status = status } }
  /// The call is over; no more requests are sent.
  public func close() { state.withLock { $0.isOpen = false } }
}

extension RequestMeter {
  /// Reserves a request and sends it, as the daemon's HTTP does.
  public func reserveAndSend() async throws(ProviderError) {
    try await reserve()
    guard send() else { throw ProviderError(.cancelled, "the call is over") }
  }
}
