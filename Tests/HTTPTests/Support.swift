import Foundation
import HTTP
import PlacesKit
import PlacesTesting

/// Whether property tests run at length.
let isProving = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1"

/// A client that runs for one test, with an instance that may ask the scripted server.
func withClient<Result>(
  limits: HTTPLimits = HTTPLimits(), _ body: (HTTPClient) async throws -> Result
) async throws -> Result {
  let client = HTTPClient(limits: limits)
  try client.start()
  defer { client.stop() }
  return try await body(client)
}

func manifest(hosts: [String] = [], credential: CredentialPlacement = .none, settings: [Setting] = []) -> Manifest {
  Manifest(
    plugin: "test", name: "Test", version: "1", summary: "For tests.", hosts: hosts, credential: credential, settings: settings,
    terms: .nothing, attributions: [])
}

func access(
  to url: String?, credential: CredentialPlacement = .none, key: String? = nil, isPrivate: Bool = true, id: String = "test",
  proxy: String? = nil, directHosts: [String] = []
) throws -> HTTPAccess {
  try HTTPAccess(
    id: id, manifest: manifest(hosts: ["places.example.org"], credential: credential), baseURL: url,
    key: { () throws(ProviderError) in key }, proxy: proxy, directHosts: directHosts, allowsPrivateAddresses: isPrivate,
    userAgent: HTTPAccess.userAgent(version: "1.0", contact: "ops@example.org"))
}

/// The error of a call that must fail, or nil when it does not.
func failure<Value>(_ body: () async throws(ProviderError) -> Value) async -> ProviderError? {
  do {
    _ = try await body()
    return nil
  } catch { return error }
}
