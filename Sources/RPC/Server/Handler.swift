import Linux

/// Who serves a server's requests. A class, so that to call it for each request copies nothing.
public protocol RequestHandler: AnyObject, Sendable {
  /// The reply to the request whose text begins at `start`, where it is known already; nil sends the text along the long road, and
  /// nothing is known yet of what it is. It is called on the loop's thread and must take no more than a microsecond. What it answers must
  /// be what `reply` would answer.
  func knownReply(in bytes: Span<UInt8>, from start: Int, limits: Limits, caller: Peer) -> KnownReply?

  /// Answers a request, or acts on a notification, whose reply nobody sees. It runs in a task of its own, which is cancelled when
  /// the client gives the request up or hangs up, and a notification's when the server ends; a cancelled request's reply is dropped.
  func reply(to request: Request, context: RequestContext) async -> Reply
}

extension RequestHandler {
  public func knownReply(in bytes: Span<UInt8>, from start: Int, limits: Limits, caller: Peer) -> KnownReply? { nil }
}

/// What a handler may know of a request beside its text, and the way to tell its client something before the reply.
public struct RequestContext: Sendable {
  public let caller: Peer
  /// Another one for each connection since the server's start.
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

  /// Sends the client a notification; params are JSON bytes on one line. After the reply, nothing is sent.
  public func notify(_ method: String, params: [UInt8]) { send(method, params) }
}
