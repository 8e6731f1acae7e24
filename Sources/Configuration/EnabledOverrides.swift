import JSON

extension Configuration {
  private var overridesFile: String { daemon.stateDirectory + "/switches.json" }

  /// Every value in force. A command that enabled or disabled a provider overrides the files.
  public var effectiveValues: [EffectiveValue] {
    let isEnabledByName = Dictionary(uniqueKeysWithValues: enabledOverrides.map { ("providers.\($0.key).enabled", $0.value) })
    return valuesOfFiles.map { entry in
      guard let isEnabled = isEnabledByName[entry.name] else { return entry }
      return EffectiveValue(name: entry.name, value: .boolean(isEnabled), origin: .file(overridesFile))
    }
  }

  /// True for each provider that a command enabled, and false for each provider that a command disabled, by the provider's id. These values
  /// override the setting `enabled`. The daemon stores them in `state_dir`. Empty if there are none, or if this user may not read the file.
  public var enabledOverrides: [String: Bool] {
    guard let bytes = try? FileContents(path: overridesFile).bytes, let value = try? JSONValue(parsing: bytes),
      value["version"]?.integer == 1, let members = value["enabled"]?.object?.members
    else { return [:] }
    let certain = members.compactMap { member in member.value.boolean.map { (member.key, $0) } }
    // If it is uncertain whether a command disabled a provider, the provider stays disabled.
    let uncertain = (value["doubtful"]?.array ?? []).compactMap(\.string).map { ($0, false) }
    return Dictionary(uncertain + certain) { $1 }
  }

  /// The enabled providers. The last command for a provider decides; if there was none, the files decide.
  public var enabledProviders: [ProviderSettings] {
    let enabledOverrides = enabledOverrides
    return providers.filter { enabledOverrides[$0.id] ?? $0.enabled }
  }

  /// The directories in which the daemon looks for the gazetteer's index, in this order: its own state directory, that of the system's
  /// daemon, and the directory of indexes that a package installs.
  public var dataDirectories: [String] {
    [daemon.stateDirectory] + (locations.isSystem ? [] : [Locations.system.stateDirectory]) + ["/usr/share/placesd"]
  }
}
