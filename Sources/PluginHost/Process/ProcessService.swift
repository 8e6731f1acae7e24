import PlacesKit

/// The service of a provider that runs in its own process: sends each call to the process, and decodes the reply.
struct ProcessService: PlaceService, PhotoService {
  let manifest: Manifest
  let supervisor: Supervisor
  /// Records the answers' members that this daemon does not know; nil if they are ignored.
  var unknownMembers: UnknownMembers?
  /// The meter of the requests that the process sends for a call.
  var meter: (any RequestMeter)?

  func metered(by meter: any RequestMeter) -> any PlaceService {
    var service = self
    service.meter = meter
    return service
  }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    try await ask(Call.autocomplete.rawValue, request)
  }

  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> { try await ask(Call.search.rawValue, request) }

  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place { try await ask(Call.details.rawValue, request) }

  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> { try await ask(Call.reverse.rawValue, request) }

  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> { try await ask(Call.geocode.rawValue, request) }

  func photo(_ request: PhotoRequest) async throws(ProviderError) -> PhotoImage { try await ask(Call.photo.rawValue, request) }

  func probe() async throws(ProviderError) -> String? {
    try await supervisor.readyPeer().call(ProviderProtocol.Method.probe, Array("{}".utf8))["status"]?.string
  }

  private func ask<Answer: Decodable>(_ method: String, _ request: some Encodable) async throws(ProviderError) -> Answer {
    let value = try await supervisor.readyPeer().call(method, try ProtocolMessage.encode(request), meter: meter)
    do { return try Answer(providerJSON: value, unknownMembers: unknownMembers?.recorder(for: method)) } catch {
      throw ProviderError(.plugin, "provider \(supervisor.id) answered \(method) wrongly: \(error.message)")
    }
  }
}
