import Linux

/// The error of a call.
public enum RPCClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The client could not connect to the socket.
  case unreachable(SystemError)
  /// The connection ended before the reply came.
  case closed
  /// No reply came in this many seconds.
  case timedOut(Double)
  /// The calling task was cancelled.
  case cancelled
  /// The server answered with an error.
  case serverError(RPCError)
  /// The reply breaks the protocol, or is not a result of the method.
  case badReply(String)

  public var description: String {
    switch self {
    case .unreachable(let error): error.description
    case .closed: "the daemon closed the connection before it answered"
    case .timedOut(let seconds): "the daemon did not answer in \(seconds) s"
    case .cancelled: "cancelled"
    case .serverError(let error): error.message
    case .badReply(let reason): "the daemon's reply is invalid: \(reason)"
    }
  }
}
