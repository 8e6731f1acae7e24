import EmulatedAPIs
import JSON
import Linux
import PlacesAPI

/// What the emulated APIs must know of the daemon's providers. The list is requested again after some seconds. To be used on the loop's
/// thread only.
final class ProviderDirectory {
  /// The latest result.
  struct Providers: Sendable, Equatable {
    /// See `EmulationContext.mapProviders`.
    var forMaps: [String] = []
    var objectPrefixes = ["gazetteer:osm:"]
  }

  private let caller: DaemonCaller
  private var known = Providers()
  /// The time until which `known` is used without another request.
  private var until = -Double.infinity
  private var waiting: [(Providers) -> Void] = []
  /// Seconds for which a list is used.
  private static let lifetime = 10.0
  /// Seconds that requests wait for the list.
  private static let timeLimit = 2.0
  /// Seconds until the next request to a daemon that did not answer.
  private static let pause = 1.0

  init(_ caller: DaemonCaller) { self.caller = caller }

  /// Passes the providers to `completion`, now or after the daemon's answer. If the daemon does not answer, the previous result is used.
  func providers(_ completion: @escaping (Providers) -> Void) {
    if until > monotonicSeconds() { return completion(known) }
    waiting.append(completion)
    guard waiting.count == 1 else { return }
    caller.call(DaemonCall(method: ProvidersList.name, params: [:]), within: ProviderDirectory.timeLimit) { [self] reply in
      until = monotonicSeconds() + ProviderDirectory.pause
      if case .result(let bytes) = reply, let list = try? ProvidersList.Result(bytes: bytes) {
        known = Providers(list.providers.map { (id: $0.id, plugin: $0.plugin, isOn: $0.state != .disabled) })
        until = monotonicSeconds() + ProviderDirectory.lifetime
      }
      let completions = waiting
      waiting = []
      for completion in completions { completion(known) }
    }
  }
}

extension ProviderDirectory.Providers {
  /// Plugins whose service forbids showing its places on maps of other services
  /// (developers.google.com/maps/documentation/places/web-service/policies).
  private static let limitedPlugins = ["google"]
  /// Plugins whose ids are those of OpenStreetMap objects, and which can look up such an object.
  private static let lookupPlugins = ["nominatim"]

  init(_ providers: [(id: String, plugin: String, isOn: Bool)]) {
    func isLimited(_ plugin: String) -> Bool { Self.limitedPlugins.contains { plugin.lowercased().contains($0) } }
    let enabled = providers.filter(\.isOn)
    let others = enabled.filter { !isLimited($0.plugin) }
    // Without other providers, the list names only the disabled gazetteer, because an empty list would mean all providers.
    if others.count < enabled.count { forMaps = others.isEmpty ? ["gazetteer"] : others.map(\.id).sorted() }
    objectPrefixes += enabled.filter { Self.lookupPlugins.contains($0.plugin.lowercased()) }.map { "\($0.id):" }
  }
}
