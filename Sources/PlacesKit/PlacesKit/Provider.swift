import JSON

/// A service that knows places, ready to be asked: a provider in this process, or one that runs in a process of its own.
/// A call that the manifest does not declare is never made.
public protocol PlaceService: Sendable {
  /// What this instance can do.
  var manifest: Manifest { get }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion>
  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place>
  /// Throws `notFound` for an id that the service does not know.
  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place
  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place>
  /// Finds addresses. Of the request, `includedType` and what filters by more than a place's address is not set.
  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place>

  /// A cheap sign that the service is there, such as its status page; nil where it has none.
  func probe() async throws(ProviderError) -> String?

  /// The same service, with every HTTP request that it sends charged to a meter. A provider that is given its HTTP by the daemon need not
  /// implement it: the daemon does.
  func metered(by meter: any RequestMeter) -> any PlaceService
}

/// What a plugin implements: a value that maps requests to its service's and answers back. What it needs of the world
/// reaches it through its context.
///
/// The life of a provider: its plugin is opened, the version checked, `manifest` read, `init(context:)` called with checked
/// settings, then any number of calls at once, then it is dropped.
public protocol Provider: PlaceService {
  /// What this kind of provider can do, before any settings.
  static var manifest: Manifest { get }

  /// Throws where the settings cannot work; the message says which and why.
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
    throw ProviderError(.unsupported, "\(manifest.name) gives no details by id")
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

/// The world as a provider sees it.
public struct ProviderContext: Sendable {
  /// The instance's id in the configuration, such as `google`.
  public var id: String
  /// The instance's own settings, checked against the manifest and with defaults filled in.
  public var settings: [String: JSONValue]
  /// The address that the configuration gives for the service; nil where the plugin's own is asked.
  public var baseURL: String?
  /// Sends a request to one of the manifest's hosts. Throws for what never became a response; any status is a response.
  public var http: @Sendable (HTTPRequest) async throws(ProviderError) -> HTTPResponse
  /// The same for the daemon, which knows the call that a request is made for, if any. A provider uses `http`.
  public var send: @Sendable (HTTPRequest, (any RequestMeter)?) async throws(ProviderError) -> HTTPResponse
  /// Small things to remember between runs, kept per instance.
  public var storage: any ProviderStorage
  /// A line for the administrator. It must not hold a query.
  public var log: @Sendable (LogLevel, String) -> Void
  /// Folders where the gazetteer's index and other local data may lie, most particular first.
  public var dataDirectories: [String]
  /// Now, in seconds since 1970.
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

/// At most 64 KiB a value, 1 MiB and 256 values an instance.
public protocol ProviderStorage: Sendable {
  func value(for key: String) async throws(ProviderError) -> [UInt8]?
  /// Nil removes the key.
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError)
}

public enum LogLevel: String, Sendable, Hashable, Codable, CaseIterable { case error, warning, notice, info, debug }
