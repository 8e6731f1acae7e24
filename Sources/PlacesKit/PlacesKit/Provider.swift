import JSON

/// A running provider, in this process or in a separate process. The daemon makes only the calls that the manifest declares.
public protocol PlaceService: Sendable {
  /// The capabilities, terms and prices of this instance.
  var manifest: Manifest { get }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion>
  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place>
  /// Throws `notFound` for an id that the service does not have.
  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place
  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place>
  /// Finds addresses. `includedType` and `strictTypeFiltering` are not set; the daemon filters the rows by type.
  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place>

  /// Checks at no cost that the service answers, for example with a request for its status page. Returns the status that the service
  /// reports; nil if it reports none.
  func probe() async throws(ProviderError) -> String?

  /// Returns this service in a form that charges all its HTTP requests to a meter. The daemon implements this method for providers that
  /// send their requests through the daemon.
  func metered(by meter: any RequestMeter) -> any PlaceService
}

/// The protocol of a plugin. A conforming type maps requests to HTTP requests of its service, and the service's responses to rows. It
/// receives everything else that it needs in its context.
///
/// The daemon opens the plugin, checks the version, reads `manifest`, calls `init(context:)` with checked settings, makes any number of
/// concurrent calls, and releases the value.
public protocol Provider: PlaceService {
  /// The manifest without any settings.
  static var manifest: Manifest { get }

  /// Throws if the settings cannot work; the message names these settings and the reason.
  init(context: ProviderContext) async throws(ProviderError)
}

extension Provider {
  public var manifest: Manifest { Self.manifest }
}

extension PlaceService {
  public func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    throw ProviderError(.unsupported, "\(manifest.name) has no autocomplete")
  }
  public func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    throw ProviderError(.unsupported, "\(manifest.name) has no text search")
  }
  public func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    throw ProviderError(.unsupported, "\(manifest.name) returns no details by id")
  }
  public func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    throw ProviderError(.unsupported, "\(manifest.name) has no reverse geocoding")
  }
  public func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    throw ProviderError(.unsupported, "\(manifest.name) has no geocoding")
  }
  public func probe() async throws(ProviderError) -> String? { nil }
  public func metered(by meter: any RequestMeter) -> any PlaceService { self }
}

/// Everything that the daemon gives to one instance of a provider. An instance is a provider with its own id and settings in the
/// configuration; several instances may use the same plugin.
public struct ProviderContext: Sendable {
  /// The instance's id in the configuration, such as `google`.
  public var id: String
  /// The instance's own settings, checked against the manifest and with defaults filled in.
  public var settings: [String: JSONValue]
  /// The setting `base_url`: the address that replaces the manifest's hosts; nil if it is not set.
  public var baseURL: String?
  /// Sends a request to one of the permitted hosts, and returns a response of any status. Throws if there is no response.
  public var http: @Sendable (HTTPRequest) async throws(ProviderError) -> HTTPResponse
  /// Sends a request and charges it to the meter of its call. Only the daemon uses this function; a provider uses `http`.
  public var send: @Sendable (HTTPRequest, (any RequestMeter)?) async throws(ProviderError) -> HTTPResponse
  /// Small values of this instance that are stored between runs.
  public var storage: any ProviderStorage
  /// Writes a line to the daemon's log. The line must not contain a query.
  public var log: @Sendable (LogLevel, String) -> Void
  /// Folders with the gazetteer's index and other local data, in the order in which they are searched.
  public var dataDirectories: [String]
  /// Returns the current time in seconds since 1970.
  public var now: @Sendable () -> Double

  public init(
    id: String, settings: [String: JSONValue] = [:], baseURL: String? = nil,
    http: @escaping @Sendable (HTTPRequest) async throws(ProviderError) -> HTTPResponse,
    storage: any ProviderStorage, log: @escaping @Sendable (LogLevel, String) -> Void, dataDirectories: [String] = [],
    now: @escaping @Sendable () -> Double
  ) {
    self.id = id
    self.settings = settings
    self.baseURL = baseURL
    self.http = http
    send = { (request, _) throws(ProviderError) in try await http(request) }
    self.storage = storage
    self.log = log
    self.dataDirectories = dataDirectories
    self.now = now
  }
}

extension ProviderContext {
  /// The context of a provider whose requests are charged to meters.
  public init(
    id: String, settings: [String: JSONValue] = [:], baseURL: String? = nil,
    send: @escaping @Sendable (HTTPRequest, (any RequestMeter)?) async throws(ProviderError) -> HTTPResponse,
    storage: any ProviderStorage, log: @escaping @Sendable (LogLevel, String) -> Void, dataDirectories: [String] = [],
    now: @escaping @Sendable () -> Double
  ) {
    self.init(
      id: id, settings: settings, baseURL: baseURL, http: { (request) throws(ProviderError) in try await send(request, nil) },
      storage: storage, log: log, dataDirectories: dataDirectories, now: now)
    self.send = send
  }
}

/// Stores small values of one instance between runs of the daemon: at most 256 values, at most 64 KiB for each value, and at most 1 MiB
/// for all values.
public protocol ProviderStorage: Sendable {
  /// Returns the stored value of a key, or nil if there is none.
  func value(for key: String) async throws(ProviderError) -> [UInt8]?
  /// Stores the value of a key; nil removes the key.
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError)
}

/// The importance of a log line. The most important level is first.
public enum LogLevel: String, Sendable, Hashable, Codable, CaseIterable { case error, warning, notice, info, debug }
