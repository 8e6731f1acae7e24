import JSON
import PlacesKit
import TOML
import Text

extension ProviderSettings {
  /// The plugin's own settings, checked against its manifest and with the manifest's defaults filled in. Throws every problem at once:
  /// settings that are unknown, missing or of the wrong kind, and a missing `base_url`, key or contact.
  public func checked(against manifest: Manifest) throws(ConfigurationErrors) -> [String: JSONValue] {
    var problems: [ConfigurationProblem] = []
    var result: [String: JSONValue] = [:]
    for setting in manifest.settings where setting.defaultValue != nil { result[setting.name] = setting.defaultValue }
    for (name, configured) in settings {
      let fullName = "providers.\(id).\(name)"
      guard let setting = manifest.settings.first(where: { $0.name == name }) else {
        problems.append(unknownSetting(name, at: configured.origin, manifest: manifest))
        continue
      }
      if setting.accepts(configured.value) {
        result[name] = configured.value
      } else {
        let shownValue: String
        if let string = configured.value.string {
          // An address may contain a password, so it is not repeated in the message.
          shownValue = setting.kind == .url ? "the value" : quoted(string)
        } else {
          shownValue = "a value of the kind \(configured.value.kind)"
        }
        problems.append(ConfigurationProblem(configured.origin, "`\(fullName)` must be \(setting.expected), not \(shownValue)"))
      }
    }
    problems += unknownPrices(in: manifest)
    problems += missingSettings(for: manifest)
    guard problems.isEmpty else { throw ConfigurationErrors(problems) }
    return result
  }

  /// A problem for each setting that the provider requires and that is missing; a disabled provider may omit these settings.
  public func missingSettings(for manifest: Manifest) -> [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    let origin = origin ?? .standard
    // False for a key whose invalid value has already been reported.
    func lacks(_ key: String) -> Bool {
      settings[key] == nil && !invalidKeys.contains(key) && manifest.settings.first { $0.name == key }?.defaultValue == nil
    }
    for setting in manifest.settings where setting.required && lacks(setting.name) {
      problems.append(
        ConfigurationProblem(
          origin, "[providers.\(id)] needs `\(setting.name)`", suggestion: "\(clause(setting.summary)) (\(setting.expected))"))
    }
    if manifest.needsBaseURL, baseURL == nil, lacks("base_url") {
      problems.append(ConfigurationProblem(origin, "[providers.\(id)] needs `base_url`", suggestion: "give the address of the service"))
    }
    if manifest.needsCredential, apiKeyFile == nil, credential == nil, lacks("api_key_file"), lacks("credential") {
      let suggestion = "put the key into a file of mode 600 and name it in `api_key_file`, or use `credential`"
      problems.append(ConfigurationProblem(origin, "[providers.\(id)] needs a key", suggestion: suggestion))
    }
    if manifest.terms.needsContact, !usesSelfHostedService(manifest), !invalidKeys.contains("base_url"), lacks("contact") {
      let suggestion = "its operator asks for an address at which you can be reached"
      problems.append(ConfigurationProblem(origin, "[providers.\(id)] needs `contact`", suggestion: suggestion))
    }
    return problems
  }

  private func unknownSetting(_ name: String, at origin: Origin, manifest: Manifest) -> ConfigurationProblem {
    let names = manifest.settings.map(\.name)
    let suggestion = nearest(to: name, among: names + ProviderSettings.keys.map(\.name)).map { "did you mean `\($0)`?" }
    let ownSettings =
      names.isEmpty ? "the plugin has no settings of its own" : "its own settings: " + names.sorted().joined(separator: ", ")
    return ConfigurationProblem(origin, "unknown key `providers.\(id).\(name)`", suggestion: suggestion ?? ownSettings)
  }
}
