/// Every key of the configuration, for the manual, the example and `placesctl config show`.
public enum ConfigurationKeys {
  /// A table of the file and its keys; `providers.ID` represents every instance.
  public struct Section: Sendable {
    public var name: String
    public var keys: [KeyDescription]
  }

  public static let sections: [Section] = [
    Section(name: "daemon", DaemonSettings.keys, DaemonSettings(locations: .system)),
    Section(name: "limits", LimitSettings.keys, LimitSettings()),
    Section(name: "quota", QuotaSettings.keys, QuotaSettings()),
    Section(name: "cache", CacheLimits.keys, CacheLimits()),
    Section(name: "http", NetworkSettings.keys, NetworkSettings()),
    Section(name: "providers.ID", ProviderSettings.keys, ProviderSettings(id: "ID")),
  ]
}

extension ConfigurationKeys.Section {
  init<Values>(name: String, _ keys: [KeyDefinition<Values>], _ defaults: Values) {
    self.name = name
    self.keys = keys.flatMap { $0.description(in: name, defaults: defaults) }
  }
}
