import JSON
import PlacesKit

/// The daemon's settings: those that an administrator or a user wrote, and defaults for all others. `load` throws instead of returning a
/// configuration with a problem.
public struct Configuration: Sendable {
  public var daemon: DaemonSettings
  public var limits = LimitSettings()
  public var quota = QuotaSettings()
  public var cache = CacheLimits()
  public var network = NetworkSettings()
  /// The providers, in the order of their ids; the gazetteer is always among them.
  public var providers: [ProviderSettings]
  /// The origin of each value; a key that is missing here has its default.
  public var origins: [String: Origin] = [:]
  /// The files that were read, the main one first.
  public var files: [String] = []
  public var locations: Locations

  /// The id of the provider that exists without configuration.
  public static let gazetteer = "gazetteer"
  /// The plugin for services with a description (places-service(5)).
  public static let described = "described"
  /// The plugins bundled with the daemon. Only these may run inside its process, because a trap in a plugin ends the process.
  static let bundledPlugins = [gazetteer, "google", "foursquare", "suggest", "nominatim", "photon", "pelias", described]

  /// An empty configuration: the gazetteer is enabled, and no request leaves the machine.
  public init(locations: Locations) {
    self.locations = locations
    daemon = DaemonSettings(locations: locations)
    providers = [ProviderSettings.defaultGazetteer(locations: locations)]
    if locations.socketOrigin != .standard { origins["daemon.socket"] = locations.socketOrigin }
  }

  public subscript(provider id: String) -> ProviderSettings? { providers.first { $0.id == id } }
}

extension ProviderSettings {
  /// The gazetteer as it is without configuration.
  static func defaultGazetteer(locations: Locations) -> ProviderSettings {
    var gazetteer = ProviderSettings(id: Configuration.gazetteer, locations: locations)
    gazetteer.plugin = Configuration.gazetteer
    gazetteer.enabled = true
    return gazetteer
  }

  /// A provider with its defaults. In a system daemon one user may use a quarter of a budget; in a user's own daemon, all of it.
  init(id: String, locations: Locations) {
    self.init(id: id)
    applyDefaults(locations)
  }

  mutating func applyDefaults(_ locations: Locations) {
    if budget.userShare == nil { budget.userShare = locations.isSystem ? 0.25 : 1 }
  }
}

extension Configuration {
  /// A key and its value.
  public struct EffectiveValue: Sendable, Hashable {
    /// The key's full name, such as `daemon.deadline_ms`.
    public var name: String
    public var value: JSONValue
    public var origin: Origin
  }

  /// All values of the files, and the defaults of other keys, before commands such as `providers enable` override them (`effectiveValues`).
  /// Each has its origin. They are in the order of the manual. Keys without a value are omitted.
  /// Secrets are not part of the configuration, so every value may be shown.
  var valuesOfFiles: [EffectiveValue] {
    var entries: [EffectiveValue] = []
    // A table is added as its keys, except an area, which is one value.
    func add(_ name: String, _ value: JSONValue) {
      if case .object(let object) = value, name != "daemon.bias" {
        for member in object.members { add("\(name).\(member.key)", member.value) }
      } else if !value.isNull {
        entries.append(EffectiveValue(name: name, value: value, origin: origins[name] ?? .standard))
      }
    }
    func addSection<Section>(_ table: String, _ keys: [KeyDefinition<Section>], _ section: Section) {
      for key in keys { add("\(table).\(key.name)", key.show(section)) }
    }
    addSection("daemon", DaemonSettings.keys, daemon)
    addSection("limits", LimitSettings.keys, limits)
    addSection("quota", QuotaSettings.keys, quota)
    addSection("cache", CacheLimits.keys, cache)
    addSection("http", NetworkSettings.keys, network)
    for provider in providers {
      addSection("providers.\(provider.id)", ProviderSettings.keys, provider)
      for (name, setting) in provider.settings.sorted(by: { $0.key < $1.key }) {
        entries.append(EffectiveValue(name: "providers.\(provider.id).\(name)", value: setting.value, origin: setting.origin))
      }
    }
    return entries
  }
}
