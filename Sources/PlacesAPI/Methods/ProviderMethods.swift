import PlacesKit

/// Parameters of the methods that concern one provider.
public struct ProviderParameters: Sendable, Hashable {
  /// The configured provider's id.
  public var provider: String

  public init(provider: String) { self.provider = provider }

  static let schema = Schema(
    ProviderParameters(provider: ""), [.required("provider", \.provider, .providerID, "The configured provider's id.")])
}

/// `providers.list`: every configured provider.
public enum ProvidersList: Method {
  public static let name = "providers.list"
  public static let summary = "Lists the configured providers and how each stands."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record("Providers", "Every configured provider.", [.always("providers", .list(.providerStatus), "How each stands.")]))
  public static let schema = NoParameters.schema

  public struct Result: MethodResult, Hashable {
    public var providers: [ProviderStatus]
    public init(providers: [ProviderStatus]) { self.providers = providers }
  }
}

/// `providers.get`: one provider with its whole manifest.
public enum ProvidersGet: Method {
  public static let name = "providers.get"
  public static let summary = "Tells how a provider stands, and what its manifest declares."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record(
      "ProviderAndManifest", "One provider.",
      [
        .always("provider", .providerStatus, "How it stands."),
        .maybe("manifest", .manifest, "What it declares; left out where its plugin is not loaded."),
      ]))
  public static let schema = ProviderParameters.schema

  public struct Result: MethodResult, Hashable {
    public var provider: ProviderStatus
    /// Nil where the plugin could not be loaded.
    public var manifest: Manifest?

    public init(provider: ProviderStatus, manifest: Manifest?) {
      self.provider = provider
      self.manifest = manifest
    }
  }
}

/// `providers.test`: one real request.
public enum ProvidersTest: Method {
  public static let name = "providers.test"
  public static let summary = "Sends a provider one real request, and says what it cost."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record(
      "Test", "How a real request fared.",
      [
        .always("report", .report, "How it fared."), .always("rows", .list(.string), "The texts of the first rows."),
        .always("costMicros", .integer, "What it cost, in millionths of the currency's unit; 0 for nothing."),
        .maybe("currency", .string, "ISO 4217."),
        .maybe("status", .string, "What the service says of itself, where it does so for nothing."),
      ]))

  public struct Parameters: Sendable, Hashable {
    public var provider: String
    public var query = "berlin"

    public init(provider: String) { self.provider = provider }
  }

  public static let schema: Schema<Parameters> = {
    let blank = Parameters(provider: "")
    return Schema(
      blank,
      [
        .required("provider", \.provider, .providerID, "The configured provider's id."),
        .standard("query", \.query, .query, blank.query, "What it is asked."),
      ])
  }()

  public struct Result: MethodResult, Hashable {
    public var report: ProviderReport
    /// The texts of its first rows.
    public var rows: [String]
    /// Millionths of the currency's unit; 0 for a free call.
    public var costMicros: Int
    public var currency: String?
    /// What the service says of itself, such as `Photon 1.2.1`.
    public var status: String?

    public init(report: ProviderReport, rows: [String], costMicros: Int, currency: String? = nil, status: String? = nil) {
      self.report = report
      self.rows = rows
      self.costMicros = costMicros
      self.currency = currency
      self.status = status
    }
  }
}

/// The result of a method that changes how a provider stands.
public struct ProviderChange: MethodResult, Hashable {
  public var provider: ProviderStatus
  public init(provider: ProviderStatus) { self.provider = provider }
}

/// `providers.enable`: switches a provider on; kept in `state_dir`.
public enum ProvidersEnable: Method {
  public static let name = "providers.enable"
  public static let summary = "Switches a configured provider on, also for later starts."
  public static let access = Access.administrator
  public static let reply = Shape.providerChange
  public static let schema = ProviderParameters.schema
  public typealias Result = ProviderChange
}

/// `providers.disable`: switches a provider off; kept in `state_dir`.
public enum ProvidersDisable: Method {
  public static let name = "providers.disable"
  public static let summary = "Switches a configured provider off, also for later starts."
  public static let access = Access.administrator
  public static let reply = Shape.providerChange
  public static let schema = ProviderParameters.schema
  public typealias Result = ProviderChange
}

/// `providers.reset`: forgets that a provider was switched by command.
public enum ProvidersReset: Method {
  public static let name = "providers.reset"
  public static let summary = "Leaves it to the configuration again whether a provider is on."
  public static let access = Access.administrator
  public static let reply = Shape.providerChange
  public static let schema = ProviderParameters.schema
  public typealias Result = ProviderChange
}

/// `providers.resume`: asks a suspended provider again at once.
public enum ProvidersResume: Method {
  public static let name = "providers.resume"
  public static let summary = "Ends a provider's suspension."
  public static let access = Access.administrator
  public static let reply = Shape.providerChange
  public static let schema = ProviderParameters.schema
  public typealias Result = ProviderChange
}

/// `providers.log`: what a provider wrote lately.
public enum ProvidersLog: Method {
  public static let name = "providers.log"
  public static let summary = "Returns the latest lines that a provider logged or wrote to its standard error."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record(
      "ProviderLog", "What a provider wrote.",
      [.always("lines", .list(.string), "Its lines, oldest first, each with its time in UTC in front.")]))

  public struct Parameters: Sendable, Hashable {
    public var provider: String
    public var lines = 100

    public init(provider: String) { self.provider = provider }
  }

  public static let schema: Schema<Parameters> = {
    let blank = Parameters(provider: "")
    return Schema(
      blank,
      [
        .required("provider", \.provider, .providerID, "The configured provider's id."),
        .standard("lines", \.lines, .integer(1...1_000), blank.lines, "How many lines at most."),
      ])
  }()

  public struct Result: MethodResult, Hashable {
    /// Oldest first.
    public var lines: [String]
    public init(lines: [String]) { self.lines = lines }
  }
}
