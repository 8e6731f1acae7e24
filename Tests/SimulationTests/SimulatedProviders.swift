import Google
import HTTP
import Photon
import PlacesKit
import PlacesTesting
import QueryEngine
import Resilience
import Synchronization

@testable import PluginHost

/// The providers of one run of the simulated daemon: the bundled plugins for Google and Photon behind the daemon's own HTTP policy, each in the
/// daemon or in a process of its own, and one that answers at once from this machine.
final class SimulatedProviders: Sendable {
  static let paid = "google"
  static let limits = BudgetLimits(callsPerDay: 12)

  private let network: SimulatedNetwork
  private let run: DaemonRun
  private let time: ManualTime
  private let hosting: SimulatedHosting
  /// Whether Google and Photon run in processes of their own.
  private let isHosted: (google: Bool, photon: Bool)
  /// The supervisors of the processes in use.
  private let supervisors = Mutex<[Supervisor]>([])

  init(_ network: SimulatedNetwork, run: DaemonRun, time: ManualTime, hosting: SimulatedHosting, seed: UInt64) {
    self.network = network
    self.run = run
    self.time = time
    self.hosting = hosting
    var random = SeededRandom(seed: seed)
    isHosted = (Bool.random(using: &random), Bool.random(using: &random))
  }

  /// Starts all providers, replaces those of the engine, and stops the processes of those.
  func start(on engine: Engine) async throws(ProviderError) {
    var instances = [ProviderInstance(id: "local", service: LocalProvider(), answersImmediately: true)]
    var started: [Supervisor] = []
    let google = { @Sendable [self] (manifest: Manifest) throws(ProviderError) -> ProviderContext in
      try context(Self.paid, manifest, isFree: false) { Array(Self.googleBody($0).utf8) }
    }
    let photon = { @Sendable [self] (manifest: Manifest) throws(ProviderError) -> ProviderContext in
      try context("photon", manifest, isFree: true) { _ in Array(Self.photonBody.utf8) }
    }
    if let service = try await service(Self.paid, WithoutTypeWords<Google>.self, isHosted: isHosted.google, google, &started) {
      instances.append(ProviderInstance(id: Self.paid, service: service, timeout: 2, budget: Self.limits))
    }
    if let service = try await service("photon", WithoutTypeWords<Photon>.self, isHosted: isHosted.photon, photon, &started) {
      instances.append(ProviderInstance(id: "photon", service: service, timeout: 2))
    }
    engine.replaceProviders(instances)
    let old = supervisors.withLock { supervisors in
      defer { supervisors = started }
      return supervisors
    }
    for supervisor in old { await supervisor.stop() }
  }

  /// The supervisors refer to this object.
  func end() { supervisors.withLock { $0 = [] } }

  /// Nil if the provider's process does not start.
  private func service(
    _ id: String, _ plugin: any Provider.Type, isHosted: Bool,
    _ context: @escaping @Sendable (Manifest) throws(ProviderError) -> ProviderContext, _ started: inout [Supervisor]
  ) async throws(ProviderError) -> (any PlaceService)? {
    guard isHosted else {
      var context = try context(plugin.manifest)
      context.http = { [send = context.send] (request) throws(ProviderError) in try await send(request, InProcessService.currentMeter) }
      return InProcessService(provider: try await plugin.init(context: context))
    }
    let hosted = await hosting.start(id, plugin) { (manifest) throws(ProviderStartError) in
      do throws(ProviderError) { return try context(manifest) } catch { throw ProviderStartError(.start, id, error.message) }
    }
    guard let hosted else { return nil }
    started.append(hosted.1)
    return hosted.0
  }

  private func context(
    _ id: String, _ manifest: Manifest, isFree: Bool, body: @escaping @Sendable (HTTPRequest) -> [UInt8]
  ) throws(ProviderError) -> ProviderContext {
    let limiter = RequestRateLimiter(time: time)
    limiter.set(manifest.rate)
    let http = ProviderHTTP(
      NetworkAccess(network, run: run, body: body), access: try HTTPAccess(id: id, manifest: manifest), rates: [limiter], timeout: 2,
      isFree: isFree)
    var settings: [String: JSONValue] = [:]
    for setting in manifest.settings { settings[setting.name] = setting.defaultValue }
    return ProviderContext(
      id: id, settings: settings, send: { (request, meter) throws(ProviderError) in try await http.send(request, meter: meter) },
      storage: NoStorage(), log: { _, _ in }, now: { [time] in time.wall() })
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

/// A bundled plugin whose manifest has no words for types. No scenario searches by type, and reading the words at each start took a sixth of
/// the scenarios' time.
private struct WithoutTypeWords<Plugin: Provider>: Provider, PhotoService {
  static var manifest: Manifest { withoutTypeWords(Plugin.manifest) }

  let manifest: Manifest
  private let plugin: Plugin

  init(context: ProviderContext) async throws(ProviderError) {
    plugin = try await Plugin(context: context)
    manifest = Self.withoutTypeWords(plugin.manifest)
  }

  private static func withoutTypeWords(_ manifest: Manifest) -> Manifest {
    var manifest = manifest
    manifest.typeWords = [:]
    return manifest
  }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    try await plugin.autocomplete(request)
  }
  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> { try await plugin.search(request) }
  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place { try await plugin.details(request) }
  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> { try await plugin.reverse(request) }
  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> { try await plugin.geocode(request) }
  func photo(_ request: PhotoRequest) async throws(ProviderError) -> PhotoImage { try await plugin.photoIfOffered(request) }
  func probe() async throws(ProviderError) -> String? { try await plugin.probe() }
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
