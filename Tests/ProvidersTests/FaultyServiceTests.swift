import Foundation
import Foursquare
import Google
import HTTP
import Nominatim
import Pelias
import Photon
import PlacesKit
import PlacesTesting
import Suggest
import Testing

/// Providers with the real HTTP client and a scripted server: for every fault of a service, a provider returns an outcome in time.
@Suite("Providers of faulty services", .serialized) struct FaultyServiceTests {
  static let types: [String: any Provider.Type] = [
    "google": Google.self, "foursquare": Foursquare.self, "suggest": Suggest.self, "nominatim": Nominatim.self, "photon": Photon.self,
    "pelias": Pelias.self,
  ]
  static let proves = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1"
  /// The address sanitizer keeps up to 256 MiB of freed memory.
  static let isSanitized = dlsym(nil, "__asan_init") != nil
  /// The deadline of each call, in seconds.
  static let deadline = 0.15

  static func provider(_ name: String, _ server: ScriptedServer, _ client: HTTPClient) async throws -> any Provider {
    let settings: [String: JSONValue] =
      name == "suggest"
      ? ["url": .string(server.url + "/s?q={query}"), "format": "opensearch"] : name == "nominatim" ? ["autocomplete": true] : [:]
    let type = try #require(types[name])
    let baseURL = name == "suggest" ? nil : server.url
    let access = try HTTPAccess(
      id: name, manifest: type.manifest, baseURL: baseURL, settings: settings, key: { () throws(ProviderError) in "s3cret" },
      allowsPrivateAddresses: true)
    var context = Answering().context(settings: settings)
    context.baseURL = baseURL
    context.http = { (request) throws(ProviderError) in
      try await client.send(request, access: access, timeout: .milliseconds(Int64(deadline * 1_000)))
    }
    return try await type.init(context: context)
  }

  /// Makes one call and returns the number of rows; nil for a call that the provider does not support.
  static func ask(_ provider: any Provider, _ call: Call) async throws(ProviderError) -> Int? {
    let manifest = provider.manifest
    switch call {
    case .autocomplete: return try await provider.autocomplete(AutocompleteRequest(query: "berlin")).rows.count
    case .search where manifest.search != nil:
      return try await provider.search(SearchRequest(query: "berlin", fields: [.name, .coordinate])).rows.count
    case .details where manifest.details != nil:
      let id = ["nominatim": "node/1", "foursquare": "4b05", "pelias": "a:b:c"][manifest.plugin] ?? "A1"
      _ = try await provider.details(DetailsRequest(id: id, fields: [.name]))
      return 1
    case .reverse where manifest.reverse != nil:
      return try await provider.reverse(ReverseRequest(location: .zero, fields: [.name])).rows.count
    case .geocode where manifest.geocode != nil:
      return try await provider.geocode(SearchRequest(query: "berlin", fields: [.name])).rows.count
    default: return nil
    }
  }

  @Test("Every fault has an outcome within its deadline and 20 ms, and leaks nothing", arguments: types.keys.sorted())
  func outcomes(name: String) async throws {
    let client = HTTPClient()
    try client.start()
    defer { client.stop() }
    var latest = (seconds: -Double.infinity, what: "")
    let (descriptors, memory) = (try openDescriptors(), residentKilobytes())
    // Under `make prove` every call of each provider; what differs between them is the request alone.
    for call in FaultyServiceTests.proves ? Call.allCases : [.autocomplete] {
      for fault in ScriptedFault.allCases {
        let server = try ScriptedServer { _ in fault.script }
        defer { server.stop() }
        let provider = try await FaultyServiceTests.provider(name, server, client)
        // The best of three: other processes delay now this one and now that one, a provider that is late is late each time.
        var lateness = Double.infinity
        for _ in 0..<3 where lateness > 0.02 { lateness = min(lateness, await late(provider, call, fault)) }
        #expect(lateness <= 0.02, "\(call) and \(fault): \(lateness) s late")
        if lateness > latest.seconds { latest = (lateness, "\(call), \(fault)") }
        #expect(client.requestsInProgress == 0)
      }
    }
    client.stop()
    try await settled("descriptors") { try openDescriptors() <= descriptors + 4 }
    // Several endless bodies and decompression bombs were received, and 2 MiB of each were read.
    #expect(residentKilobytes() - memory < (FaultyServiceTests.isSanitized ? 393_216 : 49_152))
    print("\(name): its latest outcome came \(Int((latest.seconds * 1_000).rounded())) ms after the deadline (\(latest.what))")
  }

  /// Seconds between the deadline and the outcome, which is checked too.
  private func late(_ provider: any Provider, _ call: Call, _ fault: ScriptedFault) async -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    do throws(ProviderError) {
      let rows = try await FaultyServiceTests.ask(provider, call) ?? 0
      // Empty answers of a service: no content, or a body without rows. Google's details have an id.
      let isIDAlone = call == .details && provider.manifest.plugin == "google"
      #expect((rows == 0 || isIDAlone) && (rows == 0 && call != .autocomplete || [.empty, .tooLong, .wrongJSON].contains(fault)))
    } catch {
      #expect(error.cause != .cancelled && error.cause != .credentials)
      #expect(!error.message.contains("berlin") && !error.message.contains("s3cret"))
      if fault == .tooManyRequests { #expect(error.retryAfterSeconds == 7) }
    }
    let elapsed = clock.now - start
    return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18 - FaultyServiceTests.deadline
  }

  /// Waits for what other threads do: the server's take their time to close.
  private func settled(_ what: String, _ condition: () throws -> Bool) async throws {
    try await eventually("\(what) as before") { try condition() ? () : nil }
  }

  private func openDescriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

  private func residentKilobytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
