import JSON

extension Configuration {
  /// Providers that were switched on or off by command, whatever the files say: what the daemon keeps in `state_dir`. Empty where
  /// nothing was switched, and where this user may not look.
  public var switches: [String: Bool] {
    guard let bytes = try? FileReading(path: daemon.stateDirectory + "/switches.json").bytes, let value = try? JSONValue(parsing: bytes),
      value["version"]?.integer == 1, let members = value["enabled"]?.object?.members
    else { return [:] }
    return Dictionary(members.compactMap { member in member.value.boolean.map { (member.key, $0) } }) { $1 }
  }

  /// Where the gazetteer's index may lie: what this daemon built, then what the system's packages brought.
  public var dataDirectories: [String] {
    [daemon.stateDirectory] + (locations.isSystem ? [] : [Locations.system.stateDirectory]) + ["/usr/share/placesd"]
  }
}
