import EmulatedAPIs
import JSON
import PlacesAPI
import PlacesKit
import Synchronization

/// Which providers the daemon has, as far as the emulated APIs must know it; asked again after some seconds.
final class ProviderDirectory: Sendable {
  /// What was found last.
  struct Providers: Sendable, Equatable {
    /// See `EmulationContext`.
    var forMaps: [String] = []
    var objectPrefixes = ["gazetteer:osm:"]
  }

  private struct Known {
    var providers = Providers()
    var until = -Double.infinity
  }

  private let known = Mutex(Known())
  private let caller: DaemonCaller
  private let time: any TimeSource
  static let lifetime = 10.0

  init(_ caller: DaemonCaller, time: any TimeSource = SystemTime()) {
    self.caller = caller
    self.time = time
  }

  /// What is known and not too old.
  var current: Providers? { known.withLock { $0.until > time.monotonic() ? $0.providers : nil } }

  /// Asks the daemon if what is known is too old. Without an answer, the last one remains.
  func refreshed() async -> Providers {
    if let current { return current }
    if case .result(let bytes) = await caller.call(DaemonCall(method: ProvidersList.name, params: [:])),
      let list = try? ProvidersList.Result(bytes: bytes)
    {
      let providers = Providers(list.providers.map { (id: $0.id, plugin: $0.plugin, isOn: $0.state != .disabled) })
      known.withLock { $0 = Known(providers: providers, until: time.monotonic() + ProviderDirectory.lifetime) }
    }
    return known.withLock { $0.providers }
  }
}

extension ProviderDirectory.Providers {
  /// Plugins whose service forbids to show its places on a map other than its own (developers.google.com/maps/documentation/places/web-service/policies).
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
    // With no other provider the gazetteer, though switched off, stands for none at all.
    forMaps = !isLimited ? [] : others.isEmpty ? ["gazetteer"] : others.map(\.id).sorted()
    objectPrefixes += providers.filter { provider in
      provider.isOn && ProviderDirectory.Providers.lookups.contains(provider.plugin.lowercased())
    }
    .map { "\($0.id):" }
  }
}
