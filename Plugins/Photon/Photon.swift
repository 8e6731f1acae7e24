import Geocoders
import PlacesKit

/// Photon: a geocoder for type-ahead on OpenStreetMap data, komoot's public server or a self-hosted one (github.com/komoot/photon,
/// docs/api-v1.md).
public struct Photon: Provider {
  public static let manifest = PhotonManifest.manifest(hasDetails: false)

  public let manifest: Manifest
  private let context: ProviderContext
  private let isPublic: Bool
  private let serverState = PhotonServerState()
  /// The languages that the server's data was imported with. The server answers a request in any other language with an error.
  private let languages: [String]
  /// The address of a Nominatim server with the same data, which looks up places by id, because Photon cannot; nil if none is configured.
  private let nominatim: ServiceURL?

  /// Throws `badRequest` if `nominatim_url` is not a valid address without a query, or is that of the public server.
  public init(context: ProviderContext) async throws(ProviderError) {
    self.context = context
    isPublic = PhotonManifest.isPublic(context.baseURL)
    languages = context.settings["languages"]?.array?.compactMap(\.string) ?? PhotonManifest.defaultLanguages
    if let text = context.settings["nominatim_url"]?.string {
      guard let url = ServiceURL(text), url.query.isEmpty else {
        throw ProviderError(.badRequest, "nominatim_url must be an http or https address without a query")
      }
      guard !url.host.hasSuffix("openstreetmap.org") else {
        throw ProviderError(
          .badRequest, "nominatim_url must be a server of your own: for the public one, configure a provider of the plugin nominatim")
      }
      nominatim = url
    } else {
      nominatim = nil
    }
    manifest = PhotonManifest.manifest(hasDetails: nominatim != nil)
  }

  public func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let filter = PhotonFilter(types: request.types, collection: request.collection, countries: request.countries)
    let search = PhotonSearch(
      query: request.query, limit: request.limit, language: language(for: request.language), bias: request.bias,
      restriction: request.restriction)
    let (places, mayHaveMore) = try await find(search, filter)
    return Page(rows: places.compactMap { $0.suggestion(query: request.query, region: request.region) }, exhaustive: !mayHaveMore)
  }

  public func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    let filter = PhotonFilter(types: request.includedType.map { [$0] } ?? [], collection: nil, countries: request.countries)
    let search = PhotonSearch(
      query: request.query, limit: request.limit, language: language(for: request.language), bias: request.bias,
      restriction: request.restriction, order: request.rankBy)
    let (places, mayHaveMore) = try await find(search, filter)
    return Page(rows: places.map { $0.place(fields: request.fields) }, exhaustive: !mayHaveMore)
  }

  public func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    guard let nominatim else {
      throw ProviderError(.unsupported, "Photon cannot look up a place by its id: set nominatim_url to a server with the same data")
    }
    let id = try OpenStreetMapID(ofRow: request.id)
    let prefix = nominatim.path.last == "" ? nominatim.path.dropLast() : nominatim.path
    let response = try await context.http(
      HTTPRequest(host: nominatim.origin, path: prefix + ["lookup"], query: NominatimAnswer.lookup(id, language: request.language)))
    // The Nominatim server's refusal does not affect Photon, so it must not suspend this provider.
    if response.status == 401 || response.status == 403 {
      throw ProviderError(.badRequest, "the server at nominatim_url refuses access (HTTP \(response.status)): let this machine use it")
    }
    let places = try NominatimAnswer.places(
      from: response, service: "The Nominatim of \(manifest.name)", at: "nominatim_url")
    guard let place = places.first(where: { $0.id == request.id }) else {
      throw ProviderError(.notFound, "the server at nominatim_url no longer knows this place")
    }
    return place.place(fields: request.fields)
  }

  public func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    let filter = PhotonFilter(types: request.types, collection: request.collection, countries: [])
    let response = try await answer(to: PhotonRequests.reverse(request, filter, language: language(for: request.language)))
    let places = try PhotonAnswer.places(from: response, service: manifest.name)
    return Page(rows: places.filter(filter.keeps).prefix(request.limit).map { $0.place(fields: request.fields) })
  }

  public func probe() async throws(ProviderError) -> String? {
    let version = try PhotonVersion(from: try await context.http(PhotonRequests.status), service: manifest.name)
    serverState.recordVersion(version)
    return version.text.map { "Photon \($0)" } ?? "Photon"
  }

  /// Searches, with the parameters of `PhotonVersion.hasFilterParameters` if the filter can use them and the server has them. `mayHaveMore`
  /// is true if the server may have further rows.
  private func find(_ search: PhotonSearch, _ filter: PhotonFilter) async throws(ProviderError) -> (
    places: [GeocodedPlace], mayHaveMore: Bool
  ) {
    guard filter.needsFilterParameters(for: search.query), try await serverVersion().hasFilterParameters else {
      return try await find(search, filter, sendsFilterParameters: false)
    }
    do throws(ProviderError) { return try await find(search, filter, sendsFilterParameters: true) } catch {
      guard error.detail == PhotonAnswer.unknownParameter else { throw error }
      // An older server may have replaced a newer one. This search is sent again without the parameters, and the server's version is
      // requested for later searches.
      serverState.forget()
      _ = try await serverVersion()
      return try await find(search, filter, sendsFilterParameters: false)
    }
  }

  /// Sends a search for a postcode as a structured query if the server accepts those; sends any other search as a text.
  private func find(
    _ search: PhotonSearch, _ filter: PhotonFilter, sendsFilterParameters: Bool
  ) async throws(ProviderError) -> (places: [GeocodedPlace], mayHaveMore: Bool) {
    let isStructured = sendsFilterParameters && !serverState.lacksStructuredQueries && filter.isPostalCode(search.query)
    if isStructured, let answer = try await send(search, filter, sendsFilterParameters: sendsFilterParameters, isStructured: true) {
      return answer
    }
    return try await send(search, filter, sendsFilterParameters: sendsFilterParameters, isStructured: false) ?? ([], false)
  }

  /// Sends the requests of one search and joins the answers. If `isStructured` and the server has no structured queries, records that and
  /// returns nil.
  private func send(
    _ search: PhotonSearch, _ filter: PhotonFilter, sendsFilterParameters: Bool, isStructured: Bool
  ) async throws(ProviderError) -> (places: [GeocodedPlace], mayHaveMore: Bool)? {
    let requests = PhotonRequests.search(search, filter, sendsFilterParameters: sendsFilterParameters, isStructured: isStructured)
    var pages: [[GeocodedPlace]] = []
    var mayHaveMore = false
    for request in requests {
      let response = try await answer(to: request)
      if isStructured, response.status == 404 {
        serverState.recordMissingStructuredQueries()
        return nil
      }
      let rows = try PhotonAnswer.places(from: response, service: manifest.name)
      mayHaveMore = mayHaveMore || rows.count >= PhotonRequests.limit(search, filter, sendsFilterParameters: sendsFilterParameters)
      pages.append(rows.filter(filter.keeps))
    }
    let count = pages.reduce(0) { $0 + $1.count }
    return (joined(pages, limit: search.limit) { $0.id }, mayHaveMore || count > search.limit)
  }

  /// Sends a request. The public server throttles with status 403, which is reported as `rateLimit`; from any other server, 403 is a
  /// refusal.
  private func answer(to request: HTTPRequest) async throws(ProviderError) -> HTTPResponse {
    let response = try await context.http(request)
    guard isPublic, response.status == 403 else { return response }
    throw ProviderError(
      .rateLimit, "\(manifest.name) received too many requests (HTTP 403)", retryAfterSeconds: response.retryAfterSeconds ?? 3_600)
  }

  /// The server's version, requested if it is not known. If the server does not report it, the oldest version is assumed until
  /// `PhotonServerState.retryInterval` has passed, so that no unknown parameter is sent.
  private func serverVersion() async throws(ProviderError) -> PhotonVersion {
    if let version = serverState.version(at: context.now()) { return version }
    do throws(ProviderError) { _ = try await probe() } catch {
      guard error.cause != .cancelled else { throw error }
      serverState.recordMissingVersion(at: context.now())
    }
    return serverState.version(at: context.now()) ?? .oldest
  }

  /// The language to request from the server for a language tag; nil to let the server choose.
  private func language(for tag: String?) -> String? {
    guard let tag else { return nil }
    let languageSubtag = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    // For `default`, Photon returns names in the language of each place.
    return [languageSubtag, "default"].first { languages.contains($0) }
  }
}

@c(places_plugin_version) public func version() -> Int32 { contractVersion() }
@c(places_plugin) public func plugin() -> UnsafeMutableRawPointer { PluginEntry(Photon.self).retained() }
