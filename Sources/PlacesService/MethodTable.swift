import PlacesAPI
import PlacesKit
import RPC

/// What each method of the wire does. Decoding, permission and encoding are the same for all, so they stand here once.
struct MethodTable: Sendable {
  /// What a method may need to know of its call.
  struct Call: Sendable {
    var visitor: Visitor
    /// The raw bytes of the request's id, for partial answers.
    var id: RequestID
    /// Sends the client a notification with these params.
    var notify: @Sendable (_ method: String, _ params: [UInt8]) -> Void
  }

  private var entries: [String: @Sendable (JSONValue?, Call) async -> Reply] = [:]

  /// Adds a method.
  mutating func on<M: Method>(
    _ method: M.Type, _ body: @escaping @Sendable (M.Parameters, Call) async throws(APIError) -> M.Result
  ) {
    onEncoded(method) { (parameters, call) throws(APIError) in try await body(parameters, call).bytes }
  }

  /// Adds a method that encodes its result itself.
  mutating func onEncoded<M: Method>(
    _ method: M.Type, _ body: @escaping @Sendable (M.Parameters, Call) async throws(APIError) -> [UInt8]
  ) {
    entries[M.name] = { params, call in
      do throws(APIError) {
        guard M.access == .everybody || call.visitor.isAdministrator else { throw APIError.administratorsOnly(M.name) }
        let parameters: M.Parameters
        do throws(InvalidParameter) { parameters = try M.schema.decode(params) } catch { throw APIError(error) }
        return .result(try await body(parameters, call))
      } catch { return .error(RPCError(error)) }
    }
  }

  func reply(to method: String, _ params: JSONValue?, _ call: Call) async -> Reply {
    guard let entry = entries[method] else {
      let known = entries.keys.sorted().joined(separator: ", ")
      return .error(.methodNotFound("There is no such method; rpc.discover lists them all: \(known)."))
    }
    return await entry(params, call)
  }

  func has(_ method: String) -> Bool { entries[method] != nil }

  /// The names of all methods.
  var names: [String] { entries.keys.sorted() }
}

extension RPCError {
  init(_ error: APIError) { self.init(code: error.code, message: error.message, data: error.wireData) }
}

extension APIError {
  static func administratorsOnly(_ what: String) -> APIError {
    APIError(.permissionDenied, "\(what) is for administrators: root, the daemon's own user, and members of admin_group")
  }
}
