import JSON

extension Configuration {
  private var switchesFile: String { daemon.stateDirectory + "/switches.json" }

  /// Every value in force, with what was switched by command in the place of what the files say.
  public var entriesWithSwitches: [Entry] {
    let switched = switches.map { ("providers.\($0.key).enabled", $0.value) }
    let values = Dictionary(uniqueKeysWithValues: switched)
    return entries.map { entry in
      guard let isOn = values[entry.name] else { return entry }
      return Entry(name: entry.name, value: .boolean(isOn), origin: .file(switchesFile))
    }
  }

  /// Providers that were switched on or off by command, whatever the files say: what the daemon keeps in `state_dir`. Empty where
  /// nothing was switched, and where this user may not look.
  public var switches: [String: Bool] {
    guard let bytes = try? FileReading(path: switchesFile).bytes, let value = try? JSONValue(parsing: bytes),
      value["version"]?.integer == 1, let members = value["enabled"]?.object?.members
    else { return [:] }
    let switched = members.compactMap { member in member.value.boolean.map { (member.key, $0) } }
    // What may have been switched off stays off.
    let doubtful = (value["doubtful"]?.array ?? []).compactMap(\.string).map { ($0, false) }
    return Dictionary(doubtful + switched) { $1 }
  }

  /// The providers that are on: by what was switched by command, else by what the files say.
  public var switchedOn: [ProviderSettings] {
    let switches = switches
    return providers.filter { switches[$0.id] ?? $0.enabled }
  }

  /// Where the gazetteer's index may lie: what this daemon built, then what the system's packages brought.
  public var dataDirectories: [String] {
    [daemon.stateDirectory] + (locations.isSystem ? [] : [Locations.system.stateDirectory]) + ["/usr/share/placesd"]
  }
}
