import PlacesAPI
import PlacesKit
import RPC

/// The implementations of all methods. The table decodes parameters, checks permissions and encodes results.
struct MethodTable: Sendable {
  /// One call of a method.
  struct MethodCall: Sendable {
    var caller: Caller
    /// The request's id, for partial answers.
    var id: RequestID
    /// The parameters as a JSON text; empty if the request has none.
    var params: [UInt8]
    /// Sends a notification with these params to the client.
    var notify: @Sendable (_ method: String, _ params: [UInt8]) -> Void
  }

  private var entries: [String: @Sendable (MethodCall) async -> Reply] = [:]

  /// Adds a method.
  mutating func on<M: Method>(
    _ method: M.Type, _ body: @escaping @Sendable (M.Parameters, MethodCall) async throws(APIError) -> M.Result
  ) {
    onEncoded(method) { (parameters, call) throws(APIError) in try await body(parameters, call).bytes }
  }

  /// Adds a method that encodes its result itself.
  mutating func onEncoded<M: Method>(
    _ method: M.Type, _ body: @escaping @Sendable (M.Parameters, MethodCall) async throws(APIError) -> [UInt8]
  ) {
    entries[M.name] = { call in
      do throws(APIError) {
        guard M.access == .everybody || call.caller.isAdministrator else { throw APIError.administratorsOnly(M.name) }
        let parameters: M.Parameters
        do throws(ParameterError) { parameters = try M.schema.decode(text: call.params.span) } catch {
          switch error {
          case .parameter(let error): throw APIError(error)
          case .json(let error): return .error(RPCError(invalid: error))
          }
        }
        return .result(try await body(parameters, call))
      } catch { return .error(RPCError(error)) }
    }
  }

  /// Calls a method and returns its reply; an error if the method does not exist.
  func reply(to method: String, _ call: MethodCall) async -> Reply {
    guard let entry = entries[method] else {
      return .error(.methodNotFound("Unknown method; rpc.discover lists all methods: \(names.joined(separator: ", "))."))
    }
    return await entry(call)
  }

  /// True if the method exists.
  func has(_ method: String) -> Bool { entries[method] != nil }

  /// The names of all methods.
  var names: [String] { entries.keys.sorted() }
}

extension RPCError {
  init(_ error: APIError) { self.init(code: error.code, message: error.message, data: error.wireData) }
}

extension APIError {
  static func administratorsOnly(_ subject: String) -> APIError {
    APIError(.permissionDenied, "\(subject) is for administrators: root, the daemon's own user, and members of admin_group")
  }
}
