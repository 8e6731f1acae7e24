import Linux

/// Answers a server's requests. A handler is a class, so that a call copies nothing.
public protocol RequestHandler: AnyObject, Sendable {
  /// The cached reply to a request: the same bytes that `reply` would return. If it is nil, the server calls `reply`. `cachedReply`
  /// is called on the loop's thread, and must not block or take more than a few microseconds.
  /// - Parameters:
  ///   - text: the request, which is JSON except that names of params may occur twice.
  ///   - outline: the outline of the text.
  ///   - maxBytes: the maximum `CachedResult.count` of the reply.
  func cachedReply(to text: Span<UInt8>, _ outline: RequestOutline, maxBytes: Int, user: UInt32) -> CachedResult?

  /// Answers a request, or handles a notification. The reply to a notification is dropped. Each call of this function runs in a task of its
  /// own. The task of a request is cancelled if the client cancels the request or closes the connection. The task of a notification is
  /// cancelled only when the server ends.
  func reply(to request: Request, context: RequestContext) async -> Reply

  /// True if the caller may use the reserved connections.
  func isPrivileged(_ caller: Peer) -> Bool

  /// True if the caller may send requests on behalf of other users (`$/onBehalfOf`). Called on the loop's thread.
  func mayRepresentUsers(_ caller: Peer) -> Bool
}

extension RequestHandler {
  public func cachedReply(to text: Span<UInt8>, _ outline: RequestOutline, maxBytes: Int, user: UInt32) -> CachedResult? { nil }
  public func isPrivileged(_ caller: Peer) -> Bool { caller.user == 0 }
  public func mayRepresentUsers(_ caller: Peer) -> Bool { false }
}

/// The properties of a request besides its text.
public struct RequestContext: Sendable {
  public let caller: Peer
  /// The connection's number, unique since the server's start.
  public let connection: UInt64
  /// Nil for a notification.
  public let id: RequestID?
  let send: @Sendable (String, [UInt8]) -> Void

  public init(caller: Peer, connection: UInt64, id: RequestID?, send: @escaping @Sendable (String, [UInt8]) -> Void) {
    self.caller = caller
    self.connection = connection
    self.id = id
    self.send = send
  }

  /// Sends a notification to the client. Notifications after the reply are dropped.
  /// - Parameter params: JSON bytes on one line.
  public func notify(_ method: String, params: [UInt8]) { send(method, params) }
}
