import JSON

/// A running provider, in this process or in a separate one. The daemon makes only the calls that the manifest declares.
public protocol PlaceService: Sendable {
  /// The capabilities, terms and prices of this instance.
  var manifest: Manifest { get }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion>
  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place>
  /// Throws `notFound` for an id that the service does not have.
  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place
  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place>
  /// Finds addresses. `includedType`, and filters by anything but the address, are not set.
  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place>

  /// Checks at no cost that the service answers, for example by its status page, and returns the reported status; nil if the service has no
  /// status.
  func probe() async throws(ProviderError) -> String?

  /// The service with all its HTTP requests charged to a meter. The daemon implements it for providers that use the daemon's HTTP.
  func metered(by meter: any RequestMeter) -> any PlaceService
}

/// The protocol of a plugin: a value that maps requests to requests of its service, and answers to rows. Everything else that it needs is
/// in its context.
///
/// The daemon opens the plugin, checks the version, reads `manifest`, calls `init(context:)` with checked settings, makes any number of
/// calls at once, and releases the value.
public protocol Provider: PlaceService {
  /// The manifest without any settings.
  static var manifest: Manifest { get }

  /// Throws if settings cannot work; the message names them and the reason.
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

/// The environment that a provider receives from the daemon.
public struct ProviderContext: Sendable {
  /// The instance's id in the configuration, such as `google`.
  public var id: String
  /// The instance's own settings, checked against the manifest and with defaults filled in.
  public var settings: [String: JSONValue]
  /// The service's address in the configuration; nil for the manifest's hosts.
  public var baseURL: String?
  /// Sends a request to one of the manifest's hosts. Throws if there was no response; a response of any status is returned.
  public var http: @Sendable (HTTPRequest) async throws(ProviderError) -> HTTPResponse
  /// Sends a request and charges it to the meter of its call. Only the daemon uses it; a provider uses `http`.
  public var send: @Sendable (HTTPRequest, (any RequestMeter)?) async throws(ProviderError) -> HTTPResponse
  /// Small values of this instance that are stored between runs.
  public var storage: any ProviderStorage
  /// Writes a line for the administrator, which must not contain a query.
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

/// Small values that are stored for an instance between runs: at most 64 KiB for each value, and at most 1 MiB and 256 values for each
/// instance.
public protocol ProviderStorage: Sendable {
  func value(for key: String) async throws(ProviderError) -> [UInt8]?
  /// Stores the value of a key; nil removes the key.
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError)
}

/// The importance of a log line, the most important first.
public enum LogLevel: String, Sendable, Hashable, Codable, CaseIterable { case error, warning, notice, info, debug }
