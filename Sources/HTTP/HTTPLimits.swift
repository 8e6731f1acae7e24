/// Limits of HTTP requests and connections; the defaults suit many small requests.
public struct HTTPLimits: Sendable {
  /// Bytes of a response's headers, interim ones included.
  public var headerBytes = 64 << 10
  /// Bytes of a response's body after decompression.
  public var bodyBytes = 2 << 20
  /// The time limit of name resolution, connection and TLS handshake together; never more than the request's own.
  public var connect: Duration = .seconds(1)
  /// The maximum time limit of a request.
  public var total: Duration = .seconds(60)
  /// Connections to one host and key.
  public var connectionsPerHost = 8
  /// Requests in progress or waiting for a connection, over all providers.
  public var requests = 1_024
  /// The time after which an unused connection is closed.
  public var idle: Duration = .seconds(90)

  public init() {}
}

extension Duration {
  /// Whole milliseconds, rounded up.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 1 << 40 else { return .max }
    return Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
