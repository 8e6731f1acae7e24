import HTTP
import PlacesKit

@testable import QueryEngine

/// A provider that sends one request for each call.
struct HTTPService: PlaceService {
  let manifest: Manifest
  let http: ProviderHTTP
  var meter: (any RequestMeter)?

  func metered(by meter: any RequestMeter) -> any PlaceService { HTTPService(manifest: manifest, http: http, meter: meter) }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let response = try await http.send(HTTPRequest(.post, path: ["x"], body: Array(request.query.utf8)), meter: meter)
    guard response.status == 200 else { throw ProviderError(.http, "status \(response.status)") }
    return Page(rows: [.city("Berlin", id: "1")])
  }
}
