import EmulatedAPIs
import JSON
import Linux
import PlacesAPI

/// Which providers the daemon has, as far as the emulated APIs must know it; asked again after some seconds. On the loop's thread only.
final class ProviderDirectory {
  /// What was found last.
  struct Providers: Sendable, Equatable {
    /// See `EmulationContext`.
    var forMaps: [String] = []
    var objectPrefixes = ["gazetteer:osm:"]
  }

  private let caller: DaemonCaller
  private var known = Providers()
  /// When the daemon is asked again.
  private var until = -Double.infinity
  private var waiting: [(Providers) -> Void] = []
  private static let lifetime = 10.0
  /// Seconds that requests wait for the list, and after which a daemon that did not answer is asked again.
  private static let (timeLimit, pause) = (2.0, 1.0)

  init(_ caller: DaemonCaller) { self.caller = caller }

  /// Passes on what is known, now or after the daemon's answer. If the daemon does not answer, what was known before remains.
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
  /// Plugins whose service forbids showing its places on maps of other services (developers.google.com/maps/documentation/places/web-service/policies).
  private static let plugins = ["google"]
  /// Plugins whose ids are those of OpenStreetMap's objects, and which can look them up.
  private static let lookups = ["nominatim"]

  init(_ providers: [(id: String, plugin: String, isOn: Bool)]) {
    let others = providers.filter { provider in
      provider.isOn && !ProviderDirectory.Providers.plugins.contains { provider.plugin.lowercased().contains($0) }
    }
    let isLimited = providers.contains { provider in
      provider.isOn && ProviderDirectory.Providers.plugins.contains { provider.plugin.lowercased().contains($0) }
    }
    // Without other providers, the list names only the disabled gazetteer, because an empty list would mean all providers.
    forMaps = !isLimited ? [] : others.isEmpty ? ["gazetteer"] : others.map(\.id).sorted()
    objectPrefixes += providers.filter { provider in
      provider.isOn && ProviderDirectory.Providers.lookups.contains(provider.plugin.lowercased())
    }
    .map { "\($0.id):" }
  }
}
