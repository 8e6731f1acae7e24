import Geocoders
import PlacesKit

/// Pelias: a geocoder on open data, a self-hosted server or a hosted service (github.com/pelias/documentation, checked against pelias/api).
public struct Pelias: Provider {
  public static let manifest = peliasManifest
  private let context: ProviderContext

  public init(context: ProviderContext) async throws(ProviderError) { self.context = context }

  public func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let (places, mayHaveMore) = try await send(try PeliasRequests.autocomplete(request), limit: request.limit)
    return Page(rows: places.compactMap { $0.suggestion(query: request.query, region: request.region) }, exhaustive: !mayHaveMore)
  }

  public func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    let (places, mayHaveMore) = try await send(try PeliasRequests.search(request), limit: request.limit)
    return Page(rows: places.map { $0.place(fields: request.fields) }, exhaustive: !mayHaveMore)
  }

  public func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    // Pelias would read a text with a comma as several ids.
    guard !request.id.isEmpty, !request.id.contains(",") else { throw ProviderError(.notFound, "this is not the id of a Pelias place") }
    let (places, _) = try await send([PeliasRequests.place(request)], limit: PeliasRequests.maxRows)
    guard let place = places.first(where: { $0.id == request.id }) else {
      throw ProviderError(.notFound, "Pelias no longer knows this place")
    }
    return place.place(fields: request.fields)
  }

  public func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    let (places, _) = try await send([try PeliasRequests.reverse(request)], limit: request.limit)
    return Page(rows: places.map { $0.place(fields: request.fields) })
  }

  /// Sends the requests and joins their rows. `mayHaveMore` is true if the service may have further rows.
  private func send(
    _ requests: [HTTPRequest], limit: Int
  ) async throws(ProviderError) -> (places: [GeocodedPlace], mayHaveMore: Bool) {
    var pages: [[GeocodedPlace]] = []
    for request in requests {
      let answer = try PeliasAnswer(from: try await context.http(request))
      // A successful answer can contain warnings. They name parameters and never contain the query's text.
      if !answer.warnings.isEmpty { context.log(.debug, "Pelias's answer has \(answer.warnings.count) warnings about parameters") }
      pages.append(answer.places)
    }
    let count = pages.reduce(0) { $0 + $1.count }
    return (joined(pages, limit: limit) { $0.id }, count >= limit)
  }
}

@c(places_plugin_version) public func version() -> Int32 { contractVersion() }
@c(places_plugin) public func plugin() -> UnsafeMutableRawPointer { PluginEntry(Pelias.self).retained() }
