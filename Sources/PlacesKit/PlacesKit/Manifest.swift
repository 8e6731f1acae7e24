import JSON

/// A plugin's identity, capabilities, terms and prices: everything that the engine knows about it.
public struct Manifest: Sendable, Hashable, Codable {
  /// The plugin's name, such as `google`.
  public var plugin: String
  /// The display name, such as `Google Places`.
  public var name: String
  /// The plugin's own version.
  public var version: String
  /// One sentence about the service.
  public var summary: String

  public var autocomplete: Capability?
  public var search: Capability?
  public var details: Capability?
  public var reverse: Capability?
  /// The service's geocoder, which the daemon calls for a search for a type of the group `address`; nil if it has no separate geocoder.
  public var geocode: Capability?

  /// The hosts to which requests may be sent; empty for a provider that needs no network. If an instance has a `base_url`, its requests are
  /// sent to that address instead.
  public var hosts: [String]
  /// True if an instance must have a `base_url`.
  public var needsBaseURL: Bool
  /// The part of a request into which the daemon inserts the key.
  public var credential: CredentialPlacement
  /// True if an instance must have a key.
  public var needsCredential: Bool
  /// The settings that an instance can have, besides those of every provider.
  public var settings: [Setting]

  public var terms: Terms
  public var attributions: [Attribution]
  public var rate: Rate
  /// The time at which a used-up quota is reset, if the service does not report it; nil means `utcDay`.
  public var quotaWindow: QuotaWindow?
  public var prices: PriceTable
  /// The rule by which sessions are billed; nil if the service has no sessions.
  public var sessions: SessionRule?

  /// The two-letter codes of the countries that the service covers; empty for all.
  public var countries: [String]
  /// The area that the service covers; nil for the whole world.
  public var area: Area?
  /// The number of decimals to which coordinates are rounded before they are sent; nil if they are not rounded.
  public var coordinateDecimals: Int?
  /// True if rows have coordinates.
  public var givesCoordinates: Bool
  /// True if the service answers a request without a language in the language of each place, instead of guessing one from the request.
  public var givesLocalNames: Bool
  /// The service's own names for the types of the type table, by the name in the table.
  public var typeWords: [String: [String]]

  public init(
    plugin: String, name: String, version: String, summary: String, autocomplete: Capability? = nil, search: Capability? = nil,
    details: Capability? = nil, reverse: Capability? = nil, geocode: Capability? = nil, hosts: [String] = [], needsBaseURL: Bool = false,
    credential: CredentialPlacement = .none, needsCredential: Bool = false, settings: [Setting] = [], terms: Terms,
    attributions: [Attribution], rate: Rate = Rate(), quotaWindow: QuotaWindow? = nil, prices: PriceTable = PriceTable(),
    sessions: SessionRule? = nil, countries: [String] = [], area: Area? = nil, coordinateDecimals: Int? = nil,
    givesCoordinates: Bool = true, givesLocalNames: Bool = false, typeWords: [String: [String]] = [:]
  ) {
    self.plugin = plugin
    self.name = name
    self.version = version
    self.summary = summary
    self.autocomplete = autocomplete
    self.search = search
    self.details = details
    self.reverse = reverse
    self.geocode = geocode
    self.hosts = hosts
    self.needsBaseURL = needsBaseURL
    self.credential = credential
    self.needsCredential = needsCredential
    self.settings = settings
    self.terms = terms
    self.attributions = attributions
    self.rate = rate
    self.quotaWindow = quotaWindow
    self.prices = prices
    self.sessions = sessions
    self.countries = countries
    self.area = area
    self.coordinateDecimals = coordinateDecimals
    self.givesCoordinates = givesCoordinates
    self.givesLocalNames = givesLocalNames
    self.typeWords = typeWords
  }

  public func capability(_ call: Call) -> Capability? {
    switch call {
    case .autocomplete: autocomplete
    case .search: search
    case .details: details
    case .reverse: reverse
    case .geocode: geocode
    // Photographs are a parameter of details; see `offers`.
    case .photo: nil
    }
  }

  /// True if the provider's requests may leave this machine.
  public var leavesMachine: Bool { !hosts.isEmpty || needsBaseURL || settings.contains { $0.kind == .url } }
}

/// The calls of a provider.
public enum Call: String, Sendable, Hashable, Codable, CaseIterable { case autocomplete, search, details, reverse, geocode, photo }

/// How a provider supports a call.
public struct Capability: Sendable, Hashable, Codable {
  /// How each parameter is supported; a missing parameter is `unsupported`.
  public var parameters: [Parameter: Support]
  /// The minimum length of a query, in letters.
  public var minimumLetters: Int
  /// The maximum number of rows that one call returns.
  public var maximumRows: Int
  /// The kinds of rows that autocomplete can return.
  public var kinds: Set<Suggestion.Kind>
  /// True if an exhaustive answer (`Page.exhaustive`) to a text contains all rows for every longer text that begins with that text.
  public var narrows: Bool
  /// The fields that this call can return; empty for autocomplete.
  public var fields: Set<PlaceField>
  /// True if further pages of rows can be requested.
  public var pages: Bool

  public init(
    parameters: [Parameter: Support], minimumLetters: Int = 1, maximumRows: Int = 20, kinds: Set<Suggestion.Kind> = [.place],
    narrows: Bool = false, fields: Set<PlaceField> = [], pages: Bool = false
  ) {
    self.parameters = parameters
    self.minimumLetters = minimumLetters
    self.maximumRows = maximumRows
    self.kinds = kinds
    self.narrows = narrows
    self.fields = fields
    self.pages = pages
  }

  public func support(_ parameter: Parameter) -> Support { parameters[parameter] ?? .unsupported }

  /// The parameters of requests, besides their text and fields.
  public enum Parameter: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable {
    case language, region, bias, restrictionCircle, restrictionRectangle, origin, types, collection, countries, inputOffset, endsWord
    case includedType, strictTypeFiltering, openNow, minRating, priceLevels, rankByDistance, radius
    /// A search by type and area, without a text.
    case withoutQuery
    /// The call `photo`, which returns the photographs that details name.
    case photo
  }

  /// How a service and the daemon together apply a parameter.
  public enum Support: String, Sendable, Hashable, Codable, CaseIterable {
    /// The service applies the parameter.
    case native
    /// The service applies the parameter for some values. For the other values, the daemon filters the rows, which must contain the fields
    /// that the filter reads. The service applies an `includedType` with exactly one word in `typeWords`, `priceLevels` without a gap and
    /// without `free`, and `countries` with exactly one element. For another `includedType` in `typeWords`, the daemon sends the nearest
    /// wider type that has exactly one word.
    case partly
    /// The daemon applies the parameter to the provider's rows, which must contain the fields that the filter reads.
    case emulated
    /// Neither the service nor the daemon applies the parameter. The daemon does not call the provider for a request that filters by it.
    case unsupported
  }
}

/// The rate at which all users of this machine together may call the service.
public struct Rate: Sendable, Hashable, Codable {
  /// The number of calls each second; nil for no limit.
  public var perSecond: Double?
  /// The number of calls that may be sent immediately after a pause, before `perSecond` limits them.
  public var burst: Int
  /// The maximum number of concurrent calls.
  public var concurrent: Int
  /// The upper limit of `concurrent`. All calls of a provider's process share one pipe.
  public static let maxConcurrent = 64

  public init(perSecond: Double? = nil, burst: Int = 1, concurrent: Int = 8) {
    self.perSecond = perSecond
    self.burst = burst
    self.concurrent = concurrent
  }
}
