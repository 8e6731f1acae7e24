import PlacesKit

/// One connection to a daemon. Calls run concurrently and are answered in any order.
public protocol Channel: AnyObject, Sendable {
  /// Sends a request and returns the bytes of its result. `partial` receives the params of the request's `places.partial` notifications. If
  /// the task is cancelled, the request is cancelled in the daemon and `cancelled` is thrown.
  func request(
    _ method: String, _ params: JSONObject, partial: (@Sendable ([UInt8]) -> Void)?
  ) async throws(ClientError) -> [UInt8]

  /// Closes the connection; waiting calls throw `connectionLost`.
  func close()
}

/// Opens connections to a daemon. A client receives its dialer as a parameter, so that tests need no socket.
public protocol Dialer: Sendable {
  /// Makes one attempt to connect.
  /// - Throws: `unreachable`, `forbidden` or `cancelled`.
  func dial() async throws(ClientError) -> any Channel
}
