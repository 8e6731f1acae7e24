import PlacesKit

/// Google Places API (New), with the Geocoding API for addresses and for reverse geocoding. The plugin maps requests to those of the APIs,
/// and the APIs' answers to rows. Reference: googleapis/googleapis google/maps/places/v1/*.proto, and the Geocoding API's v3 JSON.
public struct Google: Provider, PhotoService {
  public static let manifest = googleManifest
  let context: ProviderContext

  public init(context: ProviderContext) async throws(ProviderError) { self.context = context }

  public func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let response = try await context.http(try GoogleAutocomplete.request(for: request))
    return try GoogleAutocomplete.page(from: response, for: request)
  }

  public func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    if request.query.isEmpty {
      return try GoogleNearby.page(from: try await context.http(try GoogleNearby.request(for: request)), for: request)
    }
    let response = try await context.http(try GoogleSearch.request(for: request))
    return try GoogleSearch.page(from: response, for: request)
  }

  public func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    let (place, newID) = try GoogleDetails.place(from: try await context.http(try GoogleDetails.request(for: request)), for: request)
    guard let newID else { return place }
    // The new id is followed only once. The first call ended the session, so the token is not sent again.
    var newRequest = request
    newRequest.id = newID
    newRequest.sessionToken = nil
    var (newPlace, _) = try GoogleDetails.place(from: try await context.http(try GoogleDetails.request(for: newRequest)), for: newRequest)
    if request.fields.contains(.movedPlaceID) { newPlace.values[.movedPlaceID] = .string(newID) }
    newPlace.evidence.equivalents.append("google:\(request.id)")
    return newPlace
  }

  public func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    let response = try await context.http(GoogleGeocoding.reverseRequest(for: request))
    return try GoogleGeocoding.page(from: response, fields: request.fields, limit: request.limit)
  }

  public func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    let response = try await context.http(GoogleGeocoding.request(for: request))
    return try GoogleGeocoding.page(from: response, fields: request.fields, limit: request.limit)
  }

  public func photo(_ request: PhotoRequest) async throws(ProviderError) -> PhotoImage {
    let address = try await context.http(try GooglePhoto.request(for: request))
    return try PhotoImage(from: try await context.http(try GooglePhoto.imageRequest(from: address)), of: "Google")
  }
}

@c(places_plugin_version) public func version() -> Int32 { contractVersion() }
@c(places_plugin) public func plugin() -> UnsafeMutableRawPointer { PluginEntry(Google.self).retained() }
