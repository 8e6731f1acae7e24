import JSON
import PlacesKit

/// `[providers.ID]`: one instance of a plugin.
public struct ProviderSettings: Sendable, Hashable {
  /// Where the plugin's code runs.
  public enum Isolation: String, Sendable, Hashable, CaseIterable {
    case process
    case inProcess = "in-process"
  }

  /// What may be blended with other providers' rows.
  public enum Merge: String, Sendable, Hashable, CaseIterable {
    /// What the provider's terms allow.
    case terms
    case never
    /// Anything; needs `license_override`.
    case free
  }

  /// The instance's name, first part of its places' ids.
  public var id: String
  /// Where the instance is declared; nil for the built-in gazetteer.
  public var origin: Origin?
  /// A name found in `plugin_dirs`; nil where `command` is given.
  public var plugin: String?
  /// An executable and its arguments, speaking the provider protocol.
  public var command: [String]?
  /// Whether `command` may run on a kernel that cannot close the file system to it.
  public var allowUnconfined = false
  public var enabled = false
  /// Nil leaves it to the daemon: what parses bytes from the network gets a process of its own.
  public var isolation: Isolation?
  public var baseURL: String?
  /// A PEM file of authorities, instead of the machine's.
  public var caFile: String?
  public var allowPrivateAddresses = false
  public var apiKeyFile: String?
  /// The name of a systemd credential.
  public var credential: String?
  /// Milliseconds; nil for the request's own deadline.
  public var timeoutMs: Int?
  /// How much a vote of this provider counts, 0…10.
  public var weight = 1.0
  public var rate = RateSettings()
  /// The share of failed calls above which the provider is left alone for a while, 0…1; 1 for never.
  public var failureShare = 0.5
  public var budget = Budget()
  public var prices = PriceSettings()
  public var keep = KeepSettings()
  public var merge = Merge.terms
  public var shareBetweenUsers = false
  /// The text of a licence that allows more than the plugin's terms.
  public var licenseOverride: String?
  /// The plugin's own settings as written; `checked(against:)` gives them a meaning.
  public var settings: [String: Setting] = [:]
  /// Keys that stand there with something wrong, which has been told: what they leave empty is not missing.
  var unread: Set<String> = []

  /// A setting that the plugin's manifest explains.
  public struct Setting: Sendable, Hashable {
    public var value: JSONValue
    public var origin: Origin
    public init(value: JSONValue, origin: Origin) {
      self.value = value
      self.origin = origin
    }
  }

  public init(id: String) { self.id = id }

  /// Whether everything that stands there could be read.
  public var isWhole: Bool { unread.isEmpty }
  /// Whether it is clear what would run: one plugin, or one command.
  public var namesProgram: Bool { (plugin == nil) != (command == nil) && unread.isDisjoint(with: ["plugin", "command"]) }

  static var keys: [Key<ProviderSettings>] { running + reaching + spending }

  private static var running: [Key<ProviderSettings>] {
    [
      Key(optional: "plugin", \.plugin, .word, "Name of a plugin found in `plugin_dirs`."),
      Key(optional: "command", \.command, .command, "Executable that speaks the provider protocol, and its arguments."),
      Key(
        "allow_unconfined", \.allowUnconfined, .boolean,
        "Whether `command` may run where the kernel lacks Landlock, so that it can read what the daemon can."),
      Key("enabled", \.enabled, .boolean, "Whether the provider is asked."),
      Key(
        optional: "isolation", \.isolation, .choice,
        "Whether the plugin runs in a process of its own or, for those that come with the daemon, in the daemon's."),
      Key("weight", \.weight, .number(0...10), "How much the provider's opinion counts in the order of the rows."),
      Key("merge", \.merge, .choice, "What its rows may be blended with: what its terms allow, nothing, or anything."),
      Key(
        "share_between_users", \.shareBetweenUsers, .boolean,
        "Whether an answer that one user caused may serve another, where the terms allow."),
      Key(
        optional: "license_override", \.licenseOverride, .text, "Text of a licence that allows more than the plugin's terms; it is logged."),
    ]
  }

  private static var reaching: [Key<ProviderSettings>] {
    [
      Key(optional: "base_url", \.baseURL, .url, "Address of the service, where it is not the plugin's own."),
      Key(optional: "ca_file", \.caFile, .path, "PEM file of the authorities that may vouch for the service."),
      Key("allow_private_addresses", \.allowPrivateAddresses, .boolean, "Whether the service may have a private or local address."),
      Key(optional: "api_key_file", \.apiKeyFile, .path, "File that holds the key and nothing else, not readable by others."),
      Key(optional: "credential", \.credential, .word, "Name of the systemd credential that holds the key."),
      Key(optional: "timeout_ms", \.timeoutMs, .integer(10...30_000), "How long one call may take."),
      Key(
        "failure_share", \.failureShare, .number(0...1),
        "Share of its latest calls that may fail before the provider is left alone for a while; 1 for all of them."),
    ]
  }

  private static var spending: [Key<ProviderSettings>] {
    [
      Key(
        "rate", \.rate, .table(RateSettings.keys, standard: RateSettings()),
        "How often the service may be called, over all users: no more than the plugin's manifest says, but as you like at a service of your own. "
          + "Instances that ask one service of somebody else's without a key share what it allows."
      ),
      Key("budget", \.budget, .table(Budget.keys, standard: Budget()), "How many calls and how much money may be spent."),
      Key("prices", \.prices, .prices, "Prices that differ from the plugin's: `currency`, and a table for each price class."),
      Key(
        "keep", \.keep, .table(KeepSettings.keys, standard: KeepSettings()),
        "How long answers are kept, where shorter than the terms allow."),
    ]
  }
}
