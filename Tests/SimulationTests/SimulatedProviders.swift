import Google
import HTTP
import Photon
import PlacesKit
import PlacesTesting
import QueryEngine
import Resilience

@testable import PluginHost

/// The providers of the simulated daemon: the bundled plugins for Google and Photon behind the daemon's own HTTP policy, and one that answers at
/// once from this machine.
enum SimulatedProviders {
  static let paid = "google"
  static let limits = BudgetLimits(callsPerDay: 12)

  static func start(
    _ network: SimulatedNetwork, run: RunOfDaemon, time: ManualTime
  ) async throws(ProviderError) -> [ProviderInstance] {
    let google = try await Google(
      context: try context(paid, googleManifest, isFree: false, network, run, time) { Array(googleBody($0).utf8) })
    let photon = try await Photon(
      context: try context("photon", Photon.manifest, isFree: true, network, run, time) { _ in Array(photonBody.utf8) })
    return [
      ProviderInstance(id: paid, service: InProcessService(provider: google), timeout: 2, budget: limits),
      ProviderInstance(id: "photon", service: InProcessService(provider: photon), timeout: 2),
      ProviderInstance(id: "local", service: LocalProvider(), answersImmediately: true),
    ]
  }

  private static var googleManifest: Manifest { Google.manifest }

  private static func context(
    _ id: String, _ manifest: Manifest, isFree: Bool, _ network: SimulatedNetwork, _ run: RunOfDaemon, _ time: ManualTime,
    body: @escaping @Sendable (HTTPRequest) -> [UInt8]
  ) throws(ProviderError) -> ProviderContext {
    let limiter = RequestRateLimiter(time: time)
    limiter.set(manifest.rate)
    let http = ProviderHTTP(
      NetworkAccess(network, run: run, body: body), access: try HTTPAccess(id: id, manifest: manifest), rates: [limiter], timeout: 2,
      isFree: isFree)
    var settings: [String: JSONValue] = [:]
    for setting in manifest.settings { settings[setting.name] = setting.defaultValue }
    return ProviderContext(
      id: id, settings: settings,
      http: { (request) throws(ProviderError) in try await http.send(request, meter: InProcessService.currentMeter) },
      storage: NoStorage(), log: { _, _ in }, now: { time.wall() })
  }

  private static func googleBody(_ request: HTTPRequest) -> String {
    if request.path.last == "json" { return #"{"status": "ZERO_RESULTS", "results": []}"# }
    if request.method == .get { return place }
    return request.path.last == "places:searchText"
      ? #"{"places": [\#(place)]}"#
      : """
      {"suggestions": [{"placePrediction": {"placeId": "A1", "text": {"text": "Berlin, Germany"}, "types": ["locality"]}}]}
      """
  }

  private static let place = #"""
    {"id": "A1", "formattedAddress": "Berlin, Germany", "displayName": {"text": "Berlin"}, "location": {"latitude": 52.52, "longitude": 13.4}}
    """#

  private static let photonBody = """
    {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [13.4, 52.5]},
      "properties": {"osm_type": "R", "osm_id": 62422, "osm_key": "place", "osm_value": "city", "name": "Berlin", "country": "Germany"}}]}
    """
}

private struct NoStorage: ProviderStorage {
  func value(for key: String) async throws(ProviderError) -> [UInt8]? { nil }
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError) {}
}

/// A provider on this machine that has one place.
private struct LocalProvider: PlaceService {
  let manifest = Manifest(
    plugin: "local", name: "Local", version: "1", summary: "One place.",
    autocomplete: Capability(parameters: [:], minimumLetters: 1, maximumRows: 10, kinds: [.place]),
    terms: Terms(
      idsSeconds: nil, coordinatesSeconds: 3_600, otherSeconds: 3_600, isolation: .user, mixing: .free, source: "made for tests"),
    attributions: [Attribution(text: "© Local")], rate: Rate(concurrent: 64))

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let text = FormattedText("Bern")
    return Page(rows: [Suggestion(kind: .place, id: "1", text: text, primary: text, types: ["locality"])], exhaustive: true)
  }
}
