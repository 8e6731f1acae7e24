import Foundation
import HTTP
import Nominatim
import Pelias
import Photon
import PlacesKit
import PlacesTesting
import Suggest
import Testing

/// Providers with the real HTTP client in front of the scripted server: whatever a service does, a provider has an outcome in time.
@Suite("Providers of faulty services") struct FaultyServiceTests {
  static let timeout = 0.3

  static func provider(_ name: String, _ server: ScriptedServer, _ client: HTTPClient) async throws -> any Provider {
    let settings: [String: JSONValue] =
      name == "suggest"
      ? ["url": .string(server.url + "/s?q={query}"), "format": "opensearch"] : name == "nominatim" ? ["autocomplete": true] : [:]
    let types: [String: any Provider.Type] = [
      "suggest": Suggest.self, "nominatim": Nominatim.self, "photon": Photon.self, "pelias": Pelias.self,
    ]
    let type = try #require(types[name])
    let baseURL = name == "suggest" ? nil : server.url
    let access = try HTTPAccess(id: name, manifest: type.manifest, baseURL: baseURL, settings: settings, allowsPrivateAddresses: true)
    var context = Answering().context(settings: settings)
    context.baseURL = baseURL
    context.http = { (request) throws(ProviderError) in
      try await client.send(request, access: access, timeout: .milliseconds(Int64(timeout * 1_000)))
    }
    return try await type.init(context: context)
  }

  @Test("Every fault has an outcome in time", arguments: ["suggest", "nominatim", "photon", "pelias"], ScriptedFault.allCases)
  func outcome(name: String, fault: ScriptedFault) async throws {
    let server = try ScriptedServer { _ in fault.script }
    defer { server.stop() }
    let client = HTTPClient()
    try client.start()
    defer { client.stop() }
    let provider = try await FaultyServiceTests.provider(name, server, client)
    let clock = ContinuousClock()
    let start = clock.now
    do {
      let page = try await provider.autocomplete(AutocompleteRequest(query: "berlin", countries: name == "photon" ? ["DE"] : []))
      #expect(page.rows.isEmpty)
      // What a service may answer when it has nothing: no content at all, or a shape that holds no rows.
      #expect([.empty, .tooLong, .wrongJSON].contains(fault))
    } catch {
      #expect(error.cause != .cancelled && error.cause != .credentials)
      #expect(!error.message.contains("berlin"))
      if fault == .tooManyRequests { #expect(error.retryAfterSeconds == 7) }
    }
    // Photon asks for its server's version first. The faults last thirty seconds; five leave room for a loaded machine.
    #expect(clock.now - start < .seconds(5))
    #expect(client.underWay == 0)
  }
}
