/// The limits of one connection.
public struct ConnectionLimits: Sendable, Hashable {
  /// The maximum number of bytes of one request.
  public var requestBytes = 1 << 20
  /// The maximum number of bytes of one reply.
  public var replyBytes = 4 << 20
  /// The maximum number of levels of nesting of a request.
  public var depth = 64
  /// The maximum number of requests of one batch.
  public var batch = 64
  /// The maximum number of requests that wait for their replies, and of notifications that are being handled, together.
  public var inFlight = 64
  /// The maximum number of bytes of replies that the client has not read.
  public var unreadBytes = 8 << 20
  /// The maximum number of bytes of an id.
  public var idBytes = 256

  public init() {}
}
