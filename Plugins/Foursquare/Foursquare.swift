import PlacesKit

/// The Foursquare Places API, version 2025-06-17.
/// Reference: docs.foursquare.com/fsq-developers-places (autocomplete, place-search, place-details, pagination, rate-limits).
public struct Foursquare: Provider, PhotoService {
  public static let manifest = foursquareManifest
  let context: ProviderContext

  public init(context: ProviderContext) async throws(ProviderError) { self.context = context }

  public func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    // The daemon sends shorter queries in Chinese, for example, which Foursquare would refuse.
    guard request.query.count >= FoursquareAutocomplete.minQueryLength else { return Page(rows: []) }
    let preferredType = context.settings["bias"]?.string
    let response = try await context.http(try FoursquareAutocomplete.request(for: request, preferredType: preferredType))
    return try FoursquareAutocomplete.page(from: response, for: request)
  }

  public func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    var responses: [HTTPResponse] = []
    for httpRequest in try FoursquareSearch.requests(for: request) { responses.append(try await context.http(httpRequest)) }
    return try FoursquareSearch.page(from: responses, for: request, base: context.baseURL)
  }

  public func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    if var region = FoursquareRegion(id: request.id) {
      if region.bounds == nil, request.fields.contains(.viewport) {
        try region.setBounds(from: try await context.http(region.boundsRequest))
      }
      return region.place(fields: request.fields)
    }
    let response = try await context.http(try FoursquareDetails.request(for: request))
    return try FoursquareDetails.place(from: response, for: request)
  }

  public func photo(_ request: PhotoRequest) async throws(ProviderError) -> PhotoImage {
    try PhotoImage(from: try await context.http(try FoursquarePhoto.request(for: request)), of: "Foursquare")
  }
}

@c(places_plugin_version) public func version() -> Int32 { contractVersion() }
@c(places_plugin) public func plugin() -> UnsafeMutableRawPointer { PluginEntry(Foursquare.self).retained() }
