import JSON
import PlacesAPI
import PlacesKit
import Text

/// JSON-RPC 2.0 over HTTP: the body of each POST is one request for a method of the daemon. If its params have `"stream": true`, the answer
/// is a stream of server-sent events (html.spec.whatwg.org): `partial` with the params of each `places.partial`, then `reply` with the
/// reply.
public enum RPCOverHTTP {
  /// The part of an error message that helps to find the method that the client means.
  private static func advice(on unknownMethod: String) -> String {
    let names = Catalogue.methods.filter { $0.access == .everybody }.map { $0.name }
    if let name = nearest(to: unknownMethod, among: names) { return "did you mean \(name)?" }
    return "rpc.discover lists the methods"
  }

  static func plan(_ request: GatewayRequest) -> Plan {
    guard request.httpMethod == .post else {
      return .answer(failure(405, .null, DaemonFailure(name: .invalidRequest, message: "send the request with POST")))
    }
    let body: JSONValue
    do throws(JSONError) { body = try JSONValue(parsing: request.body, limits: JSONLimits(depth: 32, values: 5_000)) } catch {
      return .answer(failure(400, .null, DaemonFailure(name: .parseError, message: "the body is not JSON: \(error.message)")))
    }
    guard body["jsonrpc"] == "2.0" else {
      return .answer(invalidRequest("the body must be one JSON-RPC 2.0 request: an object with `\"jsonrpc\": \"2.0\"`, not a batch"))
    }
    guard let method = body["method"]?.string else { return .answer(invalidRequest("`method` must be a string")) }
    let id = body["id"] ?? .null
    guard isID(id) else { return .answer(invalidRequest("`id` must be a number or a string of at most 256 bytes")) }
    guard let params = (body["params"] ?? [:]).object else {
      return .answer(failure(400, id, DaemonFailure(name: .invalidParams, message: "`params` must be an object")))
    }
    guard let description = Catalogue.methods.first(where: { $0.name == method }) else {
      return .answer(failure(404, id, DaemonFailure(name: .methodNotFound, message: "there is no such method; \(advice(on: method))")))
    }
    guard description.access == .everybody else {
      let message = "\(method) is for administrators, who call it over the socket (see placesctl(1))"
      return .answer(failure(403, id, DaemonFailure(name: .permissionDenied, message: message)))
    }
    let call = DaemonCall(method: method, params: params)
    if params["stream"] == true { return .stream(call, id: id) }
    return .ask(call) { response(to: id, $0) }
  }

  private static func invalidRequest(_ message: String) -> GatewayResponse {
    failure(400, .null, DaemonFailure(name: .invalidRequest, message: message))
  }

  /// True for an id that JSON-RPC 2.0 allows and that is not too long.
  private static func isID(_ id: JSONValue) -> Bool {
    switch id {
    case .string(let text): text.utf8.count <= 256
    case .integer, .number: true
    default: false
    }
  }

  /// The HTTP response for a reply: status 200, or the status that corresponds to the error.
  public static func response(to id: JSONValue, _ reply: DaemonReply) -> GatewayResponse {
    switch reply {
    case .result(let bytes):
      .json(reserving: bytes.count + 64) { writer in
        writer.object { writer in
          writer.member("jsonrpc", "2.0")
          writer.member("id", id)
          writer.key("result")
          writer.raw(bytes)
        }
      }
    case .failure(let failure): self.failure(failure.status, id, failure)
    }
  }

  private static func failure(_ status: Int, _ id: JSONValue, _ failure: DaemonFailure) -> GatewayResponse {
    .json(status, retryAfter: failure.retryAfterHeader) { writer in
      writer.object { writer in
        writer.member("jsonrpc", "2.0")
        writer.member("id", id)
        writer.key("error")
        writer.object { writer in
          writer.member("code", failure.code)
          writer.member("message", failure.message)
          if failure.data.object?.isEmpty == false {
            writer.member("data", failure.data)
          } else if let name = failure.name {
            writer.key("data")
            writer.object { $0.member("name", name.rawValue) }
          }
        }
      }
    }
  }

  /// An event of the stream; `data` is JSON on one line.
  public static func event(_ name: String, _ data: [UInt8]) -> [UInt8] { Array("event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8) }
}
