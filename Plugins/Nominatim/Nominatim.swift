import Geocoders
import PlacesKit

/// Nominatim: OpenStreetMap's geocoder, the public server or a self-hosted one (nominatim.org/release-docs/latest/api).
public struct Nominatim: Provider {
  public static let manifest = NominatimManifest.manifest(isPublic: true, autocomplete: false)

  public let manifest: Manifest
  private let context: ProviderContext
  private let isPublic: Bool

  /// Throws `badRequest` if the public server is used without a contact, or with autocomplete, which its rules forbid.
  public init(context: ProviderContext) async throws(ProviderError) {
    self.context = context
    isPublic = NominatimManifest.isPublic(context.baseURL)
    let autocomplete = context.settings["autocomplete"]?.boolean ?? false
    if isPublic, (context.settings["contact"]?.string ?? "").isEmpty {
      throw ProviderError(.badRequest, "the public Nominatim server requires a contact: set contact to your mail address or web page")
    }
    if isPublic, autocomplete {
      throw ProviderError(.badRequest, "the public Nominatim server forbids autocomplete: set base_url to a server of your own")
    }
    manifest = NominatimManifest.manifest(isPublic: isPublic, autocomplete: autocomplete)
  }

  public func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let filter = NominatimFilter(types: request.types, collection: request.collection)
    let answers = try await send(NominatimRequests.autocomplete(request))
    let suggestions = filter.rows(of: answers, limit: request.limit).compactMap {
      $0.suggestion(query: request.query, region: request.region)
    }
    // An answer with rows is never exhaustive: Nominatim may have further rows even if the filter drops all rows of the answer.
    return Page(rows: suggestions, exhaustive: answers.allSatisfy { $0.isEmpty })
  }

  public func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    let filter = NominatimRequests.typeFilter(of: request)
    let answers = try await send(NominatimRequests.search(request))
    let places = filter.rows(of: answers, limit: request.limit)
    let next = NominatimRequests.nextPage(after: places, of: answers, request, isPublic: isPublic)
    return Page(rows: places.map { $0.place(fields: request.fields) }, exhaustive: places.isEmpty && next == nil, next: next)
  }

  public func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    let id = try OpenStreetMapID(ofRow: request.id)
    let response = try await answer(to: HTTPRequest(path: ["lookup"], query: NominatimAnswer.lookup(id, language: request.language)))
    let places = try NominatimAnswer.places(from: response, service: manifest.name)
    guard let place = places.first(where: { $0.id == request.id }) else {
      throw ProviderError(.notFound, "\(manifest.name) no longer knows this place")
    }
    return place.place(fields: request.fields)
  }

  public func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    let filter = NominatimFilter(types: request.types, collection: request.collection)
    // The finest level is requested first, and a wider one only if no place at the finer level passes the filter.
    for levelRequest in NominatimRequests.reverse(request) {
      let places = filter.rows(of: try await send([levelRequest]), limit: request.limit)
      if !places.isEmpty { return Page(rows: places.map { $0.place(fields: request.fields) }) }
    }
    return Page(rows: [])
  }

  public func probe() async throws(ProviderError) -> String? {
    let response = try await context.http(HTTPRequest(path: ["status"], query: [.init("format", "json")]))
    let status = try response.json(from: manifest.name, usesKey: false)
    guard status["status"]?.integer == 0 else { throw ProviderError(.http, "\(manifest.name) says that its database is not ready") }
    return status["software_version"]?.filledString.map { "Nominatim \($0)" } ?? "Nominatim"
  }

  /// Sends the requests one after another. Returns the places of each answer.
  private func send(_ requests: [HTTPRequest]) async throws(ProviderError) -> [[GeocodedPlace]] {
    var answers: [[GeocodedPlace]] = []
    for request in requests { answers.append(try NominatimAnswer.places(from: try await answer(to: request), service: manifest.name)) }
    return answers
  }

  /// Sends a request. The public server bans clients that send too many requests with status 403, which is thrown as `rateLimit`. A
  /// self-hosted server refuses access with this status.
  private func answer(to request: HTTPRequest) async throws(ProviderError) -> HTTPResponse {
    let response = try await context.http(request)
    guard isPublic, response.status == 403 else { return response }
    throw NominatimAnswer.ban(response, service: manifest.name)
  }
}

@c(places_plugin_version) public func version() -> Int32 { contractVersion() }
@c(places_plugin) public func plugin() -> UnsafeMutableRawPointer { PluginEntry(Nominatim.self).retained() }
