import JSON
import PlacesKit

/// `[providers.ID]`: one provider, which is an instance of a plugin.
public struct ProviderSettings: Sendable, Hashable {
  /// The process that runs the plugin's code.
  public enum Isolation: String, Sendable, Hashable, CaseIterable {
    case process
    case inProcess = "in-process"
  }

  /// The providers whose rows may be blended with the rows of this provider.
  public enum Merge: String, Sendable, Hashable, CaseIterable {
    /// The providers that this provider's terms allow.
    case terms
    /// No other provider.
    case never
    /// All other providers; requires `license_override`.
    case free
  }

  /// The provider's id, which is the first part of its places' ids.
  public var id: String
  /// The position of the provider's declaration; nil for the built-in gazetteer.
  public var origin: Origin?
  /// The position of the value that names the key's file or credential; nil if the configuration names none.
  public var apiKeyOrigin: Origin?
  /// A plugin in `plugin_dirs`; nil if `command` is set.
  public var plugin: String?
  /// The name of a file in `services`, without `.toml`, for the plugin `described`.
  public var service: String?
  /// The parsed file that `service` names; nil if `service` is nil, or if the file is missing or invalid.
  public var serviceFile: ServiceFile?
  /// An executable that implements the provider protocol, and its arguments.
  public var command: [String]?
  /// True if `command` may run on a kernel without Landlock.
  public var allowUnconfined = false
  public var enabled = false
  /// The process that runs the plugin. Nil for the daemon's choice: a plugin that parses bytes from the network runs in its own process.
  public var isolation: Isolation?
  public var baseURL: String?
  /// A PEM file of certificate authorities that replaces the system's.
  public var caFile: String?
  /// True if the service may have a private or local address.
  public var allowPrivateAddresses = false
  public var apiKeyFile: String?
  /// The name of a systemd credential.
  public var credential: String?
  /// The time limit of one call in milliseconds; nil for the request's own deadline.
  public var timeoutMs: Int?
  /// The weight of the provider's own ranking in the order of the rows, from 0 to 10.
  public var weight = 1.0
  public var rate = RateSettings()
  /// The share of failed calls above which the provider is suspended, from 0 to 1; 1 for never.
  public var failureShare = 0.5
  public var budget = Budget()
  public var prices = PriceSettings()
  public var keep = KeepSettings()
  public var merge = Merge.terms
  /// True if an answer to one user may be served to other users, if the terms allow that.
  public var shareBetweenUsers = false
  /// The text of a licence that allows more than the plugin's terms.
  public var licenseOverride: String?
  /// The plugin's own settings as written; `checked(against:)` validates them.
  public var settings: [String: Setting] = [:]
  /// Keys whose values are invalid. They have been reported, and are not reported as missing.
  var invalidKeys: Set<String> = []

  /// A setting that the plugin's manifest declares.
  public struct Setting: Sendable, Hashable {
    public var value: JSONValue
    public var origin: Origin
    public init(value: JSONValue, origin: Origin) {
      self.value = value
      self.origin = origin
    }
  }

  public init(id: String) { self.id = id }

  /// True if the value of every key is valid.
  public var isValid: Bool { invalidKeys.isEmpty }
  /// True if the settings name the program to run: a plugin or a command but not both and, for the plugin `described`, a valid description.
  public var namesProgram: Bool {
    (plugin == nil) != (command == nil) && invalidKeys.isDisjoint(with: ["plugin", "command"])
      && (plugin != Configuration.described || serviceFile != nil)
  }

  static var keys: [KeyDefinition<ProviderSettings>] { executionKeys + serviceKeys + costKeys }

  private static var executionKeys: [KeyDefinition<ProviderSettings>] {
    [
      KeyDefinition(optional: "plugin", \.plugin, .name, "The name of a plugin in `plugin_dirs`."),
      KeyDefinition(
        optional: "service", \.service, .name, "For the plugin `described`: the name of a file in `services`, without `.toml`."),
      KeyDefinition(optional: "command", \.command, .command, "An executable that implements the provider protocol, and its arguments."),
      KeyDefinition(
        "allow_unconfined", \.allowUnconfined, .boolean,
        "True if `command` may run on a kernel without Landlock, where it can read all files that the daemon can read."),
      KeyDefinition("enabled", \.enabled, .boolean, "True if the provider is enabled."),
      KeyDefinition(
        optional: "isolation", \.isolation, .choice,
        "Where the plugin runs: in its own process or, only for bundled plugins, in the daemon's process."),
      KeyDefinition("weight", \.weight, .number(0...10), "The weight of the provider's own ranking in the order of the rows."),
      KeyDefinition("merge", \.merge, .choice, "What its rows may be blended with: what its terms allow, nothing, or everything."),
      KeyDefinition(
        "share_between_users", \.shareBetweenUsers, .boolean,
        "True if an answer to one user may be served to other users, if the terms allow that."),
      KeyDefinition(
        optional: "license_override", \.licenseOverride, .text,
        "The text of a licence that allows more than the plugin's terms; it is logged."),
    ]
  }

  private static var serviceKeys: [KeyDefinition<ProviderSettings>] {
    [
      KeyDefinition(optional: "base_url", \.baseURL, .url, "The address of the service, if it differs from the plugin's default."),
      KeyDefinition(optional: "ca_file", \.caFile, .path, "A PEM file with the certificate authorities that are trusted for the service."),
      KeyDefinition(
        "allow_private_addresses", \.allowPrivateAddresses, .boolean, "True if the service may have a private or local address."),
      KeyDefinition(optional: "api_key_file", \.apiKeyFile, .path, "A file that contains only the key and is not readable by other users."),
      KeyDefinition(optional: "credential", \.credential, .name, "The name of the systemd credential that contains the key."),
      KeyDefinition(optional: "timeout_ms", \.timeoutMs, .integer(10...30_000), "The time limit of one call, in milliseconds."),
      KeyDefinition(
        "failure_share", \.failureShare, .number(0...1),
        "The share of the latest calls that may fail before the provider is suspended for some time; 1 to never suspend it."),
    ]
  }

  private static var costKeys: [KeyDefinition<ProviderSettings>] {
    [
      KeyDefinition(
        "rate", \.rate, .table(RateSettings.keys, defaults: RateSettings()),
        "How often the service may be called, by all users together: at most as the plugin's manifest says, and without limit at a service of your own. "
          + "Instances that call the same third-party service without a key share its rate."
      ),
      KeyDefinition("budget", \.budget, .table(Budget.keys, defaults: Budget()), "The limits on calls and money."),
      KeyDefinition("prices", \.prices, .prices, "Prices that differ from the plugin's: `currency`, and a table for each price class."),
      KeyDefinition(
        "keep", \.keep, .table(KeepSettings.keys, defaults: KeepSettings()),
        "How long data is stored, if that is shorter than the terms allow."),
    ]
  }
}
