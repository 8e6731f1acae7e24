import JSON
import PlacesAPI
import PlacesKit

/// The way to answer an HTTP request. The gateway makes the calls of the daemon that a plan names.
public enum Plan: Sendable {
  /// A response that needs no call.
  case answer(GatewayResponse)
  /// Calls, and the function that creates the response from their replies. The replies are in the order of the calls.
  case ask([DaemonCall], @Sendable ([DaemonReply]) -> GatewayResponse)
  /// A call whose partial answers the client wants as server-sent events, and the id of its JSON-RPC request.
  case stream(DaemonCall, id: JSONValue)

  static func ask(_ call: DaemonCall, _ render: @escaping @Sendable (DaemonReply) -> GatewayResponse) -> Plan {
    .ask([call]) { replies in render(replies.first ?? .failure(.unreachable)) }
  }
}

/// A call of one of the daemon's methods.
public struct DaemonCall: Sendable, Hashable {
  public var method: String
  public var params: JSONObject

  public init(method: String, params: JSONObject) {
    self.method = method
    self.params = params
  }

  init<M: Method>(_ method: M.Type, _ parameters: M.Parameters) {
    self.init(method: M.name, params: M.schema.encode(parameters))
  }
}

/// The outcome of a `DaemonCall`.
public enum DaemonReply: Sendable, Hashable {
  /// The bytes of the result.
  case result([UInt8])
  case failure(DaemonFailure)

  /// The result as a JSON value. Throws the daemon's error, or `internalError` if the result is not JSON.
  func parsed() throws(DaemonFailure) -> JSONValue {
    switch self {
    case .failure(let failure): throw failure
    case .result(let bytes):
      do throws(JSONError) { return try JSONValue(parsing: bytes) } catch {
        throw DaemonFailure(name: .internalError, message: "the daemon's reply cannot be read: \(error.message)")
      }
    }
  }
}

/// The error of a `DaemonCall`.
public struct DaemonFailure: Error, Sendable, Hashable {
  /// The error's name. Nil if no daemon answered, or if the daemon's error has a code that this program does not know.
  public var name: APIError.Name?
  public var code: Int
  public var message: String
  /// The seconds after which the client may retry; nil if the daemon did not state them.
  public var retryAfter: Double?
  /// The error's data, for JSON-RPC clients.
  public var data: JSONValue

  public init(name: APIError.Name?, code: Int? = nil, message: String, retryAfter: Double? = nil, data: JSONValue = .null) {
    self.name = name
    self.code = code ?? name?.code ?? APIError.Name.internalError.code
    self.message = message
    self.retryAfter = retryAfter
    self.data = data
  }

  static let unreachable = DaemonFailure(name: nil, message: "no daemon answers")

  /// The HTTP status that corresponds to the error (RFC 9110).
  public var status: Int {
    switch name {
    case .invalidParams, .invalidRequest, .parseError, .unsupported: 400
    case .permissionDenied: 403
    case .notFound, .methodNotFound: 404
    case .quotaExceeded: 429
    case .internalError: 500
    case .allProvidersFailed: 502
    case .overloaded, .shuttingDown, .cancelled, nil: 503
    case .deadlineExceeded: 504
    }
  }

  /// The value of Retry-After in whole seconds; nil for statuses without that header, or if the daemon stated no time.
  var retryAfterHeader: Int? { [429, 503].contains(status) ? retryAfter.map { max(1, Int(min($0, 86_400).rounded(.up))) } : nil }
}

/// The state of the daemon and the gateway on which a plan depends, besides the request.
public struct EmulationContext: Sendable, Hashable {
  /// The id of the provider that every daemon has, and whose requests cost no money.
  public static let gazetteer = "gazetteer"
  /// The prefix of the gazetteer's ids of OpenStreetMap objects.
  public static let gazetteerObjects = "\(gazetteer):osm:"

  /// The providers whose places may be shown on another service's map; empty if all may. APIs whose clients draw such maps call only these
  /// providers.
  public var mapProviders: [String]
  /// The prefixes of ids such as `gazetteer:osm:node/1`, one for each provider that can look up an OpenStreetMap object.
  public var objectPrefixes: [String]
  /// The gateway's own address, such as `http://localhost:2325`.
  public var baseURL: String
  /// Seconds since 1970.
  public var now: Double
  public var version: String

  public init(
    mapProviders: [String] = [], objectPrefixes: [String] = [gazetteerObjects], baseURL: String, now: Double,
    version: String = Release.version
  ) {
    self.mapProviders = mapProviders
    self.objectPrefixes = objectPrefixes
    self.baseURL = baseURL
    self.now = now
    self.version = version
  }
}
