import PlacesKit

/// The error of a reply: a code, the name of the code, one sentence (what failed, on what, and what to do), and data.
public struct APIError: Error, Sendable, Hashable {
  /// The names of the error codes in places-rpc(7).
  public enum Name: String, Sendable, Hashable, CaseIterable {
    case allProvidersFailed = "all_providers_failed"
    case deadlineExceeded = "deadline_exceeded"
    case cancelled
    case notFound = "not_found"
    case permissionDenied = "permission_denied"
    case unsupported
    case quotaExceeded = "quota_exceeded"
    case overloaded
    case shuttingDown = "shutting_down"
    case parseError = "parse_error"
    case invalidRequest = "invalid_request"
    case methodNotFound = "method_not_found"
    case invalidParams = "invalid_params"
    case internalError = "internal_error"

    public var code: Int {
      switch self {
      case .allProvidersFailed: -32001
      case .deadlineExceeded: -32002
      case .cancelled: -32003
      case .notFound: -32004
      case .permissionDenied: -32005
      case .unsupported: -32006
      case .quotaExceeded: -32007
      case .overloaded: -32008
      case .shuttingDown: -32009
      case .parseError: -32700
      case .invalidRequest: -32600
      case .methodNotFound: -32601
      case .invalidParams: -32602
      case .internalError: -32603
      }
    }
  }

  public var name: Name
  public var message: String
  /// Members of `data` besides `name`.
  public var data: JSONObject

  public init(_ name: Name, _ message: String, data: JSONObject = JSONObject()) {
    self.name = name
    self.message = message
    self.data = data
  }

  public init(_ problem: InvalidParameter) {
    self.init(.invalidParams, problem.message, data: ["parameter": .string(problem.parameter)])
  }

  /// An error whose data contains the reports of the providers.
  public init(_ name: Name, _ message: String, providers: [ProviderReport]) {
    self.init(name, message, data: ["providers": .array(providers.map(\.json))])
  }

  public var code: Int { name.code }

  /// The error's `data` as it is sent: `name` first, then the members of `data`.
  public var wireData: JSONValue { .object(JSONObject([(key: "name", value: .string(name.rawValue))] + data.members)) }
}

extension APIError {
  /// The providers' reports in the error's data; empty if there are none.
  public var providers: [ProviderReport] { [ProviderReport](data["providers"]) }
}

extension [ProviderReport] {
  /// Reads the member `providers` of an error's data. Elements that are not reports are omitted.
  public init(_ json: JSONValue?) {
    self = (json?.array ?? []).compactMap { try? ProviderReport(json: $0) }
  }
}

extension ProviderReport {
  /// The report as a JSON value.
  public var json: JSONValue {
    var writer = JSONWriter()
    write(to: &writer)
    return (try? JSONValue(parsing: writer.bytes)) ?? .null
  }
}
