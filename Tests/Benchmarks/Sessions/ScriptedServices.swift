import QueryEngine
import PluginHost
import PlacesKit
import PlacesTesting
import Synchronization

/// The bundled plugins for Google, Foursquare and Photon, with simulated services. The requests are counted. Each answer takes 50 to 150
/// milliseconds, as those of the real services do.
final class ScriptedServices: Sendable {
  let simulation = Simulation(seed: 1)
  private let calls = Mutex<[String: Int]>([:])
  private let random = Mutex(SeededRandom(seed: 1))
  private let startedInstances = Mutex<[ProviderInstance]>([])
  static let ids = ["google", "foursquare", "photon"]

  init(plugins: String) async throws {
    let runtime = try ProviderRuntime(folders: [plugins]) { _, _, _ in }
    for id in Self.ids {
      let hosted = try await runtime.start(InstanceDescription(id: id, source: .plugin(id), isolation: .inProcess)) { [self] _ in
        ProviderContext(
          id: id, settings: [:], send: { (request, meter) throws(ProviderError) in try await self.answer(request, of: id, meter) },
          storage: NoStorage(), log: { _, _ in }, now: { self.simulation.time.wall() })
      }
      startedInstances.withLock { $0.append(Self.instance(id, hosted.service)) }
    }
  }

  /// The providers, in the order of `ids`.
  var instances: [ProviderInstance] { startedInstances.withLock { $0 } }

  /// The requests since the last call.
  func takeCalls() -> [String: Int] {
    calls.withLock { calls in
      defer { calls = [:] }
      return calls
    }
  }

  /// A provider without free calls, which would hide the cost of a call, and without a limit of calls per second, which the simulated users
  /// would exceed.
  private static func instance(_ id: String, _ service: any PlaceService) -> ProviderInstance {
    var prices = service.manifest.prices
    for index in prices.classes.indices { prices.classes[index].freePerMonth = 0 }
    return ProviderInstance(id: id, service: service, rate: Rate(concurrent: 64), prices: prices)
  }

  private func answer(_ request: HTTPRequest, of id: String, _ meter: (any RequestMeter)?) async throws(ProviderError) -> HTTPResponse {
    guard let text = request.path.last, text != "status" else { return HTTPResponse(status: 200, body: Array(#"{"status":"Ok"}"#.utf8)) }
    try await meter?.reserveAndSend()
    let isDetails = id == "google" && request.method == .get
    calls.withLock { $0["\(id) \(isDetails ? "details" : "autocomplete")", default: 0] += 1 }
    let delay = random.withLock { Double.random(in: 0.05...0.15, using: &$0) }
    do { try await simulation.time.sleep(until: simulation.time.monotonic() + delay) } catch {
      throw ProviderError(.cancelled, "the call was cancelled")
    }
    return HTTPResponse(status: 200, body: Array((isDetails ? Self.place : Self.suggestions[id] ?? "{}").utf8))
  }

  static let place = #"{"id": "A1", "formattedAddress": "Berlin, Germany", "location": {"latitude": 52.52, "longitude": 13.4}}"#

  private static let suggestions = [
    "google": """
    {"suggestions": [{"placePrediction": {"placeId": "A1", "text": {"text": "Berlin, Germany"}, "types": ["locality"]}}]}
    """,
    "foursquare": """
    {"results": [{"type": "place", "text": {"primary": "Berlin"}, "place": {"fsq_place_id": "4b0", "name": "Berlin"}}]}
    """,
    "photon": """
    {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [13.4, 52.5]},
      "properties": {"osm_type": "R", "osm_id": 62422, "osm_key": "place", "osm_value": "city", "name": "Berlin"}}]}
    """,
  ]
}

private struct NoStorage: ProviderStorage {
  func value(for key: String) async throws(ProviderError) -> [UInt8]? { nil }
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError) {}
}
