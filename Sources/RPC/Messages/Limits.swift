/// The limits of one connection.
public struct Limits: Sendable, Hashable {
  /// Bytes of one request.
  public var requestBytes = 1 << 20
  /// Bytes of one reply.
  public var replyBytes = 4 << 20
  /// Levels of nesting of a request.
  public var depth = 64
  /// Requests of one batch.
  public var batch = 64
  /// Requests of one connection that wait for their replies.
  public var inFlight = 64
  /// Bytes of replies that the client has not read.
  public var unreadBytes = 8 << 20
  /// Bytes of an id.
  public var idBytes = 256

  public init() {}
}
