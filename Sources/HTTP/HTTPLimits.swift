/// The limits of HTTP requests and connections. The defaults suit many small requests.
public struct HTTPLimits: Sendable {
  /// The maximum number of bytes of a response's headers, including those of interim responses.
  public var headerBytes = 64 << 10
  /// The maximum number of bytes of a response's body after decompression.
  public var bodyBytes = 2 << 20
  /// The time limit of name resolution, connection and TLS handshake together. The request's time limit also applies to them.
  public var connectTimeout: Duration = .seconds(1)
  /// The maximum time limit of a request.
  public var maxTimeout: Duration = .seconds(60)
  /// The maximum number of connections to one host with one key.
  public var connectionsPerHost = 8
  /// The maximum number of requests of all providers that are in progress or wait for a connection.
  public var maxRequests = 1_024
  /// The time after which an unused connection is closed.
  public var idleTimeout: Duration = .seconds(90)

  public init() {}
}

extension Duration {
  /// Whole milliseconds, rounded up; `Int.max` for an extremely long duration.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 1 << 40 else { return .max }
    return Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
