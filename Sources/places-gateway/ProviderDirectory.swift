import EmulatedAPIs
import JSON
import Linux
import PlacesAPI

/// The facts about the daemon's providers on which the emulated APIs depend. The list of providers is requested again after `lifetime`
/// seconds. Use it on the loop's thread only.
final class ProviderDirectory {
  /// The facts that a list of providers shows.
  struct Providers: Sendable, Equatable {
    /// See `EmulationContext.mapProviders`.
    var mapProviders: [String] = []
    /// See `EmulationContext.objectPrefixes`.
    var objectPrefixes = [EmulationContext.gazetteerObjects]
  }

  private let caller: DaemonCaller
  private var latestProviders = Providers()
  /// The time until which `latestProviders` is used without another request.
  private var validUntil = -Double.infinity
  /// The completions of requests that wait for the list.
  private var waitingCompletions: [(Providers) -> Void] = []
  /// Seconds for which a list is used.
  private static let lifetime = 10.0
  /// Seconds that requests wait for the list.
  private static let timeLimit = 2.0
  /// Seconds until the next request to a daemon that did not answer.
  private static let retryPause = 1.0

  init(_ caller: DaemonCaller) { self.caller = caller }

  /// Passes the providers to `completion`, at once or after the daemon's reply. If the daemon does not reply, passes the previous result.
  func providers(_ completion: @escaping (Providers) -> Void) {
    if validUntil > monotonicSeconds() { return completion(latestProviders) }
    waitingCompletions.append(completion)
    guard waitingCompletions.count == 1 else { return }
    caller.call(DaemonCall(method: ProvidersList.name, params: [:]), within: ProviderDirectory.timeLimit) { [self] reply in
      validUntil = monotonicSeconds() + ProviderDirectory.retryPause
      if case .result(let bytes) = reply, let list = try? ProvidersList.Result(json: bytes) {
        latestProviders = Providers(list.providers.map { (id: $0.id, plugin: $0.plugin, isEnabled: $0.state != .disabled) })
        validUntil = monotonicSeconds() + ProviderDirectory.lifetime
      }
      let completions = waitingCompletions
      waitingCompletions = []
      for completion in completions { completion(latestProviders) }
    }
  }
}

extension ProviderDirectory.Providers {
  /// Plugins whose service forbids showing its places on maps of other services
  /// (developers.google.com/maps/documentation/places/web-service/policies).
  private static let mapRestrictedPlugins = ["google"]
  /// Plugins whose ids are those of OpenStreetMap objects, and which can look up such an object.
  private static let lookupPlugins = ["nominatim"]

  init(_ providers: [(id: String, plugin: String, isEnabled: Bool)]) {
    func isMapRestricted(_ plugin: String) -> Bool { Self.mapRestrictedPlugins.contains { plugin.lowercased().contains($0) } }
    let enabled = providers.filter(\.isEnabled)
    let unrestricted = enabled.filter { !isMapRestricted($0.plugin) }
    // If all enabled providers are restricted, the list names only the gazetteer, which is disabled, because an empty list would mean all
    // providers.
    if unrestricted.count < enabled.count {
      mapProviders = unrestricted.isEmpty ? [EmulationContext.gazetteer] : unrestricted.map(\.id).sorted()
    }
    objectPrefixes += enabled.filter { Self.lookupPlugins.contains($0.plugin.lowercased()) }.map { "\($0.id):" }
  }
}
