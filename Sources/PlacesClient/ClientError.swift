import PlacesAPI
import PlacesKit

/// The reason why a call has no result.
public enum ClientError: Error, Sendable, Hashable {
  /// No daemon answers: the sockets that were tried, and the system's error for the last one.
  case unreachable(sockets: [String], reason: String)
  /// A daemon may be there, but this user may not open its socket.
  case forbidden(socket: String, reason: String)
  /// The connection ended before the reply arrived; the daemon may have executed the request.
  case connectionLost
  /// The client's own time limit, in seconds, has passed. The client asked the daemon to cancel the request, which may already have been
  /// executed.
  case timeLimit(seconds: Double)
  /// The caller's task was cancelled.
  case cancelled
  /// The daemon answered with an error.
  case refused(Refusal)
  /// The reply does not conform to the protocol: the daemon has another version, or is not placesd.
  case unreadable(String)

  /// An error reply.
  public struct Refusal: Sendable, Hashable {
    public var code: Int
    /// Nil for a code that this client does not know.
    public var name: APIError.Name?
    public var message: String
    public var data: JSONValue

    public init(code: Int, message: String, data: JSONValue = .null) {
      self.code = code
      name = APIError.Name.allCases.first { $0.code == code }
      self.message = message
      self.data = data
    }

    /// The time after which to retry, in seconds, if the daemon named one.
    public var retryAfter: Double? { data["retryAfterMs"]?.double.map { $0 / 1000 } }

    /// The providers' reports, if the error has any.
    public var providers: [ProviderReport] { [ProviderReport](data["providers"]) }
  }

  /// A sentence for people.
  public var message: String {
    switch self {
    case .unreachable(let sockets, let reason):
      "no daemon answers at \(sockets.joined(separator: " or ")): \(reason)"
    case .forbidden(let socket, let reason): "no permission to open \(socket): \(reason)"
    case .connectionLost: "the daemon closed the connection before it answered"
    case .timeLimit(let seconds): "the daemon did not answer within \(seconds) s"
    case .cancelled: "the call was cancelled"
    case .refused(let refusal): refusal.message
    case .unreadable(let reason): "the daemon's reply cannot be read: \(reason)"
    }
  }

  /// True if the same call may succeed a little later.
  public var isTransient: Bool {
    switch self {
    case .unreachable, .connectionLost, .timeLimit: return true
    case .forbidden, .cancelled, .unreadable: return false
    case .refused(let refusal):
      switch refusal.name {
      case .overloaded, .shuttingDown, .allProvidersFailed, .deadlineExceeded: return true
      // If the condition ends by itself, the daemon states the time to wait.
      case .quotaExceeded: return retryAfter != nil
      default: return false
      }
    }
  }

  /// True if the daemon may have executed the request, and so may have ended the autocomplete session. A daemon that sends an error reply
  /// has not executed the request.
  var mayHaveExecuted: Bool {
    switch self {
    case .unreachable, .forbidden, .refused: false
    case .connectionLost, .timeLimit, .cancelled, .unreadable: true
    }
  }

  /// The time after which to retry, in seconds, if the daemon named one.
  public var retryAfter: Double? { if case .refused(let refusal) = self { refusal.retryAfter } else { nil } }
}
