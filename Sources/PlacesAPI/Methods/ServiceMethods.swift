import PlacesKit

/// `service.info`: the daemon's version, limits and defaults.
public enum ServiceInfo: Method {
  public static let name = "service.info"
  public static let summary = "Returns the daemon's name, version, protocol, capabilities, limits and defaults."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record(
      "Service", "The daemon and its settings.",
      [
        .required("name", .string, "Always placesd."), .required("version", .string, "The version."),
        .required(
          "protocol",
          .record(
            Record(
              "Protocol", "The version of this protocol.",
              [
                .required("major", .integer, "Raised by incompatible changes."), .required("minor", .integer, "Raised by additions."),
              ])), "The version of the protocol."),
        .required("capabilities", .list(.string), "Names of capabilities that clients may test for; ignore unknown names."),
        .required("limits", .limits, "The limits of a connection."),
        .required("defaults", .defaults, "The values of parameters that a request omits."),
        .required("suggestedDebounceMs", .integer, "The recommended pause after a keystroke before a request is sent, in milliseconds."),
        .required("minimumLetters", .integer, "The recommended minimum length of a query."),
        .optional("warnings", .list(.string), "What limits the daemon now, such as a full cache disk, as sentences."),
      ]))
  public static let schema = NoParameters.schema

  public struct Result: MethodResult, Hashable {
    public var name: String
    public var version: String
    public var `protocol`: ProtocolVersion
    /// Names of capabilities that clients may test for, such as `stream` or `sessions`. Clients ignore unknown names.
    public var capabilities: [String]
    public var limits: Limits
    public var defaults: Defaults
    /// The recommended pause between a keystroke and the request, in milliseconds.
    public var suggestedDebounceMs: Int
    /// The recommended minimum length of a query, in letters.
    public var minimumLetters: Int
    /// Current restrictions of the daemon, as sentences; nil if there are none.
    public var warnings: [String]?

    public init(
      name: String = "placesd", version: String, protocolVersion: ProtocolVersion = .current, capabilities: [String], limits: Limits,
      defaults: Defaults, suggestedDebounceMs: Int, minimumLetters: Int, warnings: [String]? = nil
    ) {
      self.name = name
      self.version = version
      self.protocol = protocolVersion
      self.capabilities = capabilities
      self.limits = limits
      self.defaults = defaults
      self.suggestedDebounceMs = suggestedDebounceMs
      self.minimumLetters = minimumLetters
      self.warnings = warnings
    }
  }

  /// The version of the RPC protocol. Additions raise the minor version, incompatible changes the major version.
  public struct ProtocolVersion: Sendable, Hashable, Codable {
    public var major: Int
    public var minor: Int
    public static let current = ProtocolVersion(major: 1, minor: 2)

    public init(major: Int, minor: Int) {
      self.major = major
      self.minor = minor
    }
  }

  /// The limits of a connection; sizes are in bytes.
  public struct Limits: Sendable, Hashable, Codable {
    public var requestBytes: Int
    public var replyBytes: Int
    /// The maximum number of levels of nesting in a request.
    public var depth: Int
    /// The maximum number of requests in a batch.
    public var batch: Int
    /// The maximum number of requests that wait for their replies.
    public var inFlight: Int
    /// The maximum size of all replies that the client has not read.
    public var unreadBytes: Int

    public init(requestBytes: Int, replyBytes: Int, depth: Int, batch: Int, inFlight: Int, unreadBytes: Int) {
      self.requestBytes = requestBytes
      self.replyBytes = replyBytes
      self.depth = depth
      self.batch = batch
      self.inFlight = inFlight
      self.unreadBytes = unreadBytes
    }
  }

  /// The values of parameters that a request omits.
  public struct Defaults: Sendable, Hashable, Codable {
    public var limit: Int
    public var deadlineMs: Int
    public var language: String?
    public var region: String?
    public var bias: Area?

    public init(limit: Int = 10, deadlineMs: Int, language: String? = nil, region: String? = nil, bias: Area? = nil) {
      self.limit = limit
      self.deadlineMs = deadlineMs
      self.language = language
      self.region = region
      self.bias = bias
    }
  }
}

/// `rpc.discover`: an OpenRPC 1.3 document that describes every method.
public enum Discover: Method {
  public static let name = "rpc.discover"
  public static let summary = "Returns an OpenRPC document that describes every method."
  public static let access = Access.everybody
  public static let reply = Shape.other(["type": "object"], "the OpenRPC document")
  public static let schema = NoParameters.schema
  public typealias Result = JSONValue
}

/// `types.list`: the type table, which has every place type that a request may name.
public enum TypesList: Method {
  public static let name = "types.list"
  public static let summary = "Lists the place types and collections, with each provider's own names for them."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record(
      "Types", "The type table.",
      [
        .required("types", .list(.typeEntry), "The types."),
        .required(
          "collections", .list(.word(TypeCollection.self)), "The names of sets of types; a request may name one of them, and no other type."
        ),
      ]))
  public static let schema = NoParameters.schema

  public struct Result: MethodResult, Hashable {
    public var types: [Entry]
    public var collections: [TypeCollection]

    public init(types: [Entry], collections: [TypeCollection] = TypeCollection.allCases) {
      self.types = types
      self.collections = collections
    }

    /// The whole table.
    /// - Parameter words: returns each provider's own names for a type, by provider id.
    public init(words: (PlaceType) -> [String: [String]]) {
      self.init(types: PlaceType.all.map { Entry(type: $0, group: $0.group ?? .service, providers: words($0)) })
    }
  }

  public struct Entry: Sendable, Hashable, Codable {
    public var type: PlaceType
    public var group: TypeGroup
    /// Each provider's own names for this type, by provider id.
    public var providers: [String: [String]]

    public init(type: PlaceType, group: TypeGroup, providers: [String: [String]]) {
      self.type = type
      self.group = group
      self.providers = providers
    }
  }
}

/// `service.reload`: reads the configuration again. An invalid configuration changes nothing.
public enum ServiceReload: Method {
  public static let name = "service.reload"
  public static let summary = "Reloads the configuration; an invalid one changes nothing."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record(
      "Reload", "The result of a reload.",
      [
        .required("reloaded", .boolean, "True if the new configuration is in force."),
        .required("errors", .list(.string), "The errors, each with file, line and column."),
        .required(
          "atNextStart", .list(.string), "Changed keys and sections that take effect only at the next start of the daemon."),
        .optional("failed", .list(.string), "Why enabled providers could not be started, if the configuration is in force without them."),
      ]))
  public static let schema = NoParameters.schema

  public struct Result: MethodResult, Hashable {
    public var reloaded: Bool
    /// The errors, each with file, line and column; empty if the new configuration is in force.
    public var errors: [String]
    /// The keys and sections that changed but take effect only when the daemon is started again.
    public var atNextStart: [String]
    /// The reasons why enabled providers could not be started; nil if all were started.
    public var failed: [String]?

    public init(reloaded: Bool, errors: [String] = [], atNextStart: [String] = [], failed: [String] = []) {
      self.reloaded = reloaded
      self.errors = errors
      self.atNextStart = atNextStart
      self.failed = failed.isEmpty ? nil : failed
    }
  }
}

/// `service.metrics`: the daemon's counters, as a tree or as OpenMetrics text for monitoring.
public enum ServiceMetrics: Method {
  public static let name = "service.metrics"
  public static let summary = "Returns the daemon's counters, as a tree or as OpenMetrics text."
  public static let access = Access.administrator
  public static let reply = Shape.other(
    ["type": ["object", "string"]],
    "an object of counters by name, each a number or a list of objects with labels and value; or a string of OpenMetrics text")

  public enum Format: String, Sendable, Hashable, Codable, CaseIterable { case json, openmetrics }

  public struct Parameters: Sendable, Hashable {
    public var format = Format.json
    public init() {}
  }

  public static let schema = Schema(
    Parameters(), [.withDefault("format", \.format, .word, .json, "The format: a JSON object, or OpenMetrics text in a string.")])

  public typealias Result = JSONValue
}

/// `service.log`: the latest lines of the log, and its level.
public enum ServiceLog: Method {
  public static let name = "service.log"
  public static let summary = "Returns the latest log lines; with `level`, also sets the log level until the next start or reload."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record(
      "Log", "The daemon's log.",
      [
        .required("level", .word(LogLevel.self), "The log level; less important lines are not logged."),
        .required("lines", .list(.string), "The latest lines, oldest first, each preceded by its time in UTC."),
      ]))

  public struct Parameters: Sendable, Hashable {
    public var level: LogLevel?
    public var lines = 100
    public init() {}
  }

  public static let schema = Schema(
    Parameters(),
    [
      .optional("level", \.level, .word, "The new log level; less important lines are not logged."),
      .withDefault("lines", \.lines, .integer(0...1_000), 100, "The maximum number of lines."),
    ])

  public struct Result: MethodResult, Hashable {
    public var level: LogLevel
    /// The lines of the log, oldest first.
    public var lines: [String]

    public init(level: LogLevel, lines: [String]) {
      self.level = level
      self.lines = lines
    }
  }
}
