import Linux

/// Who serves a server's requests.
public protocol RequestHandler: Sendable {
  /// The result of a request whose answer is known already; nil sends the request along the long road.
  /// It is called on the loop's thread and must take no more than a microsecond. `params` stand between brackets, or are empty, and are
  /// not known to be JSON: a handler that answers has found that they are. What it answers must be what `reply` would answer.
  func knownResult(method: Span<UInt8>, params: Span<UInt8>, caller: Peer) -> KnownResult?

  /// Answers a request, or acts on a notification, whose reply nobody sees. It runs in a task of its own, which is cancelled when
  /// the client gives the request up or hangs up, and a notification's when the server ends; a cancelled request's reply is dropped.
  func reply(to request: Request, context: RequestContext) async -> Reply
}

extension RequestHandler {
  public func knownResult(method: Span<UInt8>, params: Span<UInt8>, caller: Peer) -> KnownResult? { nil }
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
