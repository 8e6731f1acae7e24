import PlacesKit

/// Checks an instance's settings against the settings that the manifest declares.
public enum SettingsCheck {
  /// The settings with defaults filled in.
  /// - Throws: `settings` with every fault in one message: unknown and missing names, wrong kinds, values outside the choices.
  public static func check(_ givenSettings: [String: JSONValue], against declaredSettings: [Setting], of subject: String)
    throws(ProviderStartError)
    -> [String:
    JSONValue]
  {
    var checkedSettings: [String: JSONValue] = [:]
    var faults: [String] = []
    for setting in declaredSettings {
      if let value = givenSettings[setting.name] {
        checkedSettings[setting.name] = value
        // The message does not contain the value, which may be a secret.
        if !setting.accepts(value) { faults.append("\(setting.name) must be \(setting.expected)") }
      } else if setting.required {
        faults.append("\(setting.name) is missing: \(setting.summary)")
      } else {
        checkedSettings[setting.name] = setting.defaultValue
      }
    }
    let knownNames = declaredSettings.map(\.name)
    for name in givenSettings.keys.sorted() where !knownNames.contains(name) {
      faults.append(
        "\(name) is not one of its settings"
          + (knownNames.isEmpty ? "; it has no settings" : "; it has \(knownNames.joined(separator: ", "))"))
    }
    guard faults.isEmpty else { throw ProviderStartError(.settings, subject, "provider \(subject): \(faults.joined(separator: "; "))") }
    return checkedSettings
  }
}
