import PlacesKit

/// The parameters of methods that concern one provider.
public struct ProviderParameters: Sendable, Hashable {
  /// The configured provider's id.
  public var provider: String

  public init(provider: String) { self.provider = provider }

  static let schema = Schema(
    ProviderParameters(provider: ""), [.required("provider", \.provider, .providerID, "The id of a configured provider.")])
}

/// `providers.list`: every configured provider.
public enum ProvidersList: Method {
  public static let name = "providers.list"
  public static let summary = "Lists the configured providers with the status of each."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record("Providers", "Every configured provider.", [.required("providers", .list(.providerStatus), "The status of each provider.")]))
  public static let schema = NoParameters.schema

  public struct Result: MethodResult, Hashable {
    public var providers: [ProviderStatus]
    public init(providers: [ProviderStatus]) { self.providers = providers }
  }
}

/// `providers.get`: the status and the manifest of one provider.
public enum ProvidersGet: Method {
  public static let name = "providers.get"
  public static let summary = "Returns a provider's status and its manifest."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record(
      "ProviderAndManifest", "One provider.",
      [
        .required("provider", .providerStatus, "The status of the provider."),
        .optional("manifest", .manifest, "The manifest; absent if the plugin is not loaded."),
      ]))
  public static let schema = ProviderParameters.schema

  public struct Result: MethodResult, Hashable {
    public var provider: ProviderStatus
    /// Nil if the plugin is not loaded.
    public var manifest: Manifest?

    public init(provider: ProviderStatus, manifest: Manifest?) {
      self.provider = provider
      self.manifest = manifest
    }
  }
}

/// `providers.test`: sends one real request to a provider.
public enum ProvidersTest: Method {
  public static let name = "providers.test"
  public static let summary = "Sends one real request to a provider and reports what it cost."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record(
      "Test", "The result of a real request.",
      [
        .required("report", .report, "The outcome of the request."), .required("rows", .list(.string), "The texts of the first rows."),
        .optional("costMicros", .integer, "The cost, in millionths of the currency unit; absent if the price is not known."),
        .optional("currency", .string, "The currency, as an ISO 4217 code."),
        .optional("status", .string, "The status that the service reports, if it reports one free of charge."),
        .optional(
          "serviceMessage", .string, "What the service itself says about an error, in one line of at most 300 characters, without the key."),
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
        .required("provider", \.provider, .providerID, "The id of a configured provider."),
        .withDefault("query", \.query, .query, blank.query, "The text to search for."),
      ])
  }()

  public struct Result: MethodResult, Hashable {
    public var report: ProviderReport
    /// The texts of the first rows of the answer.
    public var rows: [String]
    /// The cost, in millionths of the currency's unit; 0 for a free call, nil if the price is not known.
    public var costMicros: Int?
    public var currency: String?
    /// The status that the service reports, such as `Photon 1.2.1`; nil if it does not report one free of charge.
    public var status: String?
    /// The service's own message about an error, on one line of at most 300 characters, without the key; nil if it sent none.
    public var serviceMessage: String?

    public init(
      report: ProviderReport, rows: [String], costMicros: Int?, currency: String? = nil, status: String? = nil,
      serviceMessage: String? = nil
    ) {
      self.report = report
      self.rows = rows
      self.costMicros = costMicros
      self.currency = currency
      self.status = status
      self.serviceMessage = serviceMessage
    }
  }
}

/// The result of a method that changes a provider's state.
public struct ProviderChange: MethodResult, Hashable {
  public var provider: ProviderStatus
  public init(provider: ProviderStatus) { self.provider = provider }
}

/// `providers.enable`: enables a provider, and records this in `state_dir`, so that it also applies after a restart.
public enum ProvidersEnable: Method {
  public static let name = "providers.enable"
  public static let summary = "Enables a configured provider, also after a restart."
  public static let access = Access.administrator
  public static let reply = Shape.providerChange
  public static let schema = ProviderParameters.schema
  public typealias Result = ProviderChange
}

/// `providers.disable`: disables a provider, and records this in `state_dir`, so that it also applies after a restart.
public enum ProvidersDisable: Method {
  public static let name = "providers.disable"
  public static let summary = "Disables a configured provider, also after a restart."
  public static let access = Access.administrator
  public static let reply = Shape.providerChange
  public static let schema = ProviderParameters.schema
  public typealias Result = ProviderChange
}

/// `providers.reset`: removes the effect of `providers.enable` and `providers.disable`, so that the configuration decides again.
public enum ProvidersReset: Method {
  public static let name = "providers.reset"
  public static let summary = "Removes the effect of providers.enable and providers.disable: the configuration decides again."
  public static let access = Access.administrator
  public static let reply = Shape.providerChange
  public static let schema = ProviderParameters.schema
  public typealias Result = ProviderChange
}

/// `providers.resume`: ends a provider's suspension, so that it is queried again at once.
public enum ProvidersResume: Method {
  public static let name = "providers.resume"
  public static let summary = "Ends a provider's suspension."
  public static let access = Access.administrator
  public static let reply = Shape.providerChange
  public static let schema = ProviderParameters.schema
  public typealias Result = ProviderChange
}

/// `providers.log`: the latest lines that a provider logged or wrote to standard error.
public enum ProvidersLog: Method {
  public static let name = "providers.log"
  public static let summary = "Returns the latest lines that a provider logged or wrote to standard error."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record(
      "ProviderLog", "The log of a provider.",
      [.required("lines", .list(.string), "The lines, oldest first, each preceded by its time in UTC.")]))

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
        .required("provider", \.provider, .providerID, "The id of a configured provider."),
        .withDefault("lines", \.lines, .integer(1...1_000), blank.lines, "The maximum number of lines."),
      ])
  }()

  public struct Result: MethodResult, Hashable {
    /// The lines of the provider's log, oldest first.
    public var lines: [String]
    public init(lines: [String]) { self.lines = lines }
  }
}
