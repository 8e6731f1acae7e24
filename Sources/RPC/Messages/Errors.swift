import PlacesKit

/// A JSON-RPC error: a code, a message of one sentence, and data. The member `name` of the data identifies the kind of error, and stays the
/// same in later versions.
public struct RPCError: Error, Sendable, Hashable {
  public var code: Int
  public var message: String
  public var data: JSONValue?

  public init(code: Int, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// -32700: the text is not JSON; the message states the position of the error.
  public static func parseError(_ message: String) -> RPCError { make(-32700, "parse_error", message) }
  /// -32600: the JSON is not a request.
  public static func invalidRequest(_ message: String) -> RPCError { make(-32600, "invalid_request", message) }
  /// -32601: the server has no such method.
  public static func methodNotFound(_ message: String) -> RPCError { make(-32601, "method_not_found", message) }
  /// -32602: the parameters are not those of the method.
  public static func invalidParams(_ message: String) -> RPCError { make(-32602, "invalid_params", message) }
  /// -32603: the server could not perform the request.
  public static func internalError(_ message: String) -> RPCError { make(-32603, "internal_error", message) }
  /// -32003: the client, or a newer request of its session, cancelled the request.
  public static let cancelled = make(-32003, "cancelled", "The request was cancelled.")
  /// -32009: the server accepts no new requests, because it is about to end.
  public static let shuttingDown = make(-32009, "shutting_down", "The daemon is shutting down; connect again in a moment.")
  /// -32005: the caller may not call the method.
  public static func permissionDenied(_ message: String) -> RPCError { make(-32005, "permission_denied", message) }
  /// -32008: the daemon has no room for the request or the connection.
  public static func overloaded(_ message: String, retryAfterMs: Int) -> RPCError {
    RPCError(code: -32008, message: message, data: ["name": "overloaded", "retryAfterMs": .integer(Int64(retryAfterMs))])
  }

  private static func make(_ code: Int, _ name: String, _ message: String) -> RPCError {
    RPCError(code: code, message: message, data: ["name": .string(name)])
  }
}
