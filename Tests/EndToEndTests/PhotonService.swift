import JSON
import PlacesTesting

/// A Photon on this machine that answers as a test wants.
final class PhotonService {
  private let server: ScriptedServer

  init(_ script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step] = { _ in [.answer(PhotonService.berlin)] }) throws {
    server = try ScriptedServer { $0.target.hasPrefix("/api") ? script($0) : [.answer(#"{"status":"Ok","version":"1.2.1"}"#)] }
  }

  func stop() { server.stop() }

  /// The targets of the searches that came.
  var asked: [String] { server.requests.map(\.target).filter { $0.hasPrefix("/api") } }

  /// Connections that are open now.
  var open: Int { server.open }

  /// A provider in a separate process.
  var settings: String {
    """
    [providers.photon]
    plugin = "photon"
    enabled = true
    isolation = "process"
    base_url = "\(server.url)"
    allow_private_addresses = true
    rate = { per_second = 1000, burst = 1000 }
    """
  }

  /// One place that the index has too, and one that it has not.
  static let berlin = #"""
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"osm_type": "R", "osm_id": 62422, "osm_key": "place", "osm_value": "city", "type": "city",
         "name": "Berlin", "country": "Germany", "countrycode": "DE", "extent": [13.08, 52.67, 13.76, 52.33]},
       "geometry": {"type": "Point", "coordinates": [13.4105, 52.5243]}},
      {"type": "Feature", "properties": {"osm_type": "N", "osm_id": 7, "osm_key": "amenity", "osm_value": "cafe", "type": "house",
         "name": "Berliner Kaffee", "country": "Germany", "countrycode": "DE", "city": "Hamburg"},
       "geometry": {"type": "Point", "coordinates": [9.99, 53.55]}}]}
    """#
}

extension Connection {
  /// Waits until a provider has started.
  func ready(_ provider: String) async throws {
    try await eventually("the start of \(provider)", every: .milliseconds(10)) {
      let reply = try await call("providers.get", ["provider": .string(provider)])
      return reply["result"]?["provider"]?["state"] == "ready" ? () : nil
    }
  }
}

/// Runs a daemon with a Photon provider in a separate process, and a client when the daemon is ready.
/// - Parameter settings: additional lines of the provider's table.
func withPhoton(
  _ settings: String = "", _ body: (PhotonService, Home, DaemonProcess, Connection) async throws -> Void
) async throws {
  let service = try PhotonService()
  defer { service.stop() }
  let home = try Home(providers: service.settings + "\n" + settings)
  try await withDaemon(home) { daemon in
    let client = try await daemon.connect()
    try await client.ready("photon")
    try await body(service, home, daemon, client)
  }
}
