import PlacesKit

/// `service.info`: what runs here, and what a client should know before it asks.
public enum ServiceInfo: Method {
  public static let name = "service.info"
  public static let summary = "Tells name, version, protocol, capabilities, limits and defaults of the daemon."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record(
      "Service", "What runs here.",
      [
        .always("name", .string, "placesd."), .always("version", .string, "Its version."),
        .always(
          "protocol",
          .record(
            Record(
              "Protocol", "The version of this protocol.",
              [
                .always("major", .integer, "Rises where clients must change."), .always("minor", .integer, "Rises with every addition."),
              ])), "What it speaks."),
        .always("capabilities", .list(.string), "Words that clients may test for; unknown ones mean nothing."),
        .always("limits", .limits, "What a connection may do."),
        .always("defaults", .defaults, "What stands where a request says nothing."),
        .always("suggestedDebounceMs", .integer, "How long to wait for the next letter before asking."),
        .always("minimumLetters", .integer, "From how many letters on asking makes sense."),
      ]))
  public static let schema = NoParameters.schema

  public struct Result: MethodResult, Hashable {
    public var name: String
    public var version: String
    public var `protocol`: ProtocolVersion
    /// Words that clients may test for, such as `stream` or `sessions`; unknown ones mean nothing.
    public var capabilities: [String]
    public var limits: Limits
    public var defaults: Defaults
    /// How long to wait for the next letter before asking.
    public var suggestedDebounceMs: Int
    /// From how many letters on asking makes sense.
    public var minimumLetters: Int

    public init(
      name: String = "placesd", version: String, protocolVersion: ProtocolVersion = .current, capabilities: [String], limits: Limits,
      defaults: Defaults, suggestedDebounceMs: Int, minimumLetters: Int
    ) {
      self.name = name
      self.version = version
      self.protocol = protocolVersion
      self.capabilities = capabilities
      self.limits = limits
      self.defaults = defaults
      self.suggestedDebounceMs = suggestedDebounceMs
      self.minimumLetters = minimumLetters
    }
  }

  /// Additions raise the minor version, anything else the major one.
  public struct ProtocolVersion: Sendable, Hashable, Codable {
    public var major: Int
    public var minor: Int
    public static let current = ProtocolVersion(major: 1, minor: 2)

    public init(major: Int, minor: Int) {
      self.major = major
      self.minor = minor
    }
  }

  /// What a connection may do; sizes in bytes.
  public struct Limits: Sendable, Hashable, Codable {
    public var requestBytes: Int
    public var replyBytes: Int
    public var depth: Int
    public var batch: Int
    public var inFlight: Int
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

  /// What stands where a request says nothing.
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

/// `rpc.discover`: the OpenRPC document (OpenRPC 1.3) of every method.
public enum Discover: Method {
  public static let name = "rpc.discover"
  public static let summary = "Returns an OpenRPC document that describes every method."
  public static let access = Access.everybody
  public static let reply = Shape.other(["type": "object"], "the OpenRPC document")
  public static let schema = NoParameters.schema
  public typealias Result = JSONValue
}

/// `types.list`: the type table.
public enum TypesList: Method {
  public static let name = "types.list"
  public static let summary = "Lists the place types and collections, with each provider's own words for them."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record(
      "Types", "The type table.",
      [
        .always("types", .list(.typeEntry), "The types."),
        .always("collections", .list(.word(TypeCollection.self)), "Names for sets of types, of which a request may have one alone."),
      ]))
  public static let schema = NoParameters.schema

  public struct Result: MethodResult, Hashable {
    public var types: [Entry]
    public var collections: [TypeCollection]

    public init(types: [Entry], collections: [TypeCollection] = TypeCollection.allCases) {
      self.types = types
      self.collections = collections
    }

    /// The whole table; `words` gives each provider's own words for a type.
    public init(words: (PlaceType) -> [String: [String]]) {
      self.init(types: PlaceType.all.map { Entry(type: $0, group: $0.group ?? .service, providers: words($0)) })
    }
  }

  public struct Entry: Sendable, Hashable, Codable {
    public var type: PlaceType
    public var group: TypeGroup
    /// By provider id: the words that mean this type there.
    public var providers: [String: [String]]

    public init(type: PlaceType, group: TypeGroup, providers: [String: [String]]) {
      self.type = type
      self.group = group
      self.providers = providers
    }
  }
}

/// `service.reload`: reads the configuration again, and keeps the old one where the new one is bad.
public enum ServiceReload: Method {
  public static let name = "service.reload"
  public static let summary = "Reads the configuration again; a bad one changes nothing."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record(
      "Reload", "What became of a new configuration.",
      [
        .always("reloaded", .boolean, "Whether it is in force."),
        .always("errors", .list(.string), "What is wrong, each with file, line and column."),
        .always(
          "atNextStart", .list(.string), "Keys and sections of it that changed and take effect only when the daemon is started again."),
        .maybe("failed", .list(.string), "Why providers that are on could not be brought up, where it is in force without them."),
      ]))
  public static let schema = NoParameters.schema

  public struct Result: MethodResult, Hashable {
    public var reloaded: Bool
    /// What is wrong, each with file, line and column; empty where the new configuration is in force.
    public var errors: [String]
    /// Keys and sections that changed and take effect only when the daemon is started again.
    public var atNextStart: [String]
    /// Why providers that are on could not be brought up; nil where all were.
    public var failed: [String]?

    public init(reloaded: Bool, errors: [String] = [], atNextStart: [String] = [], failed: [String] = []) {
      self.reloaded = reloaded
      self.errors = errors
      self.atNextStart = atNextStart
      self.failed = failed.isEmpty ? nil : failed
    }
  }
}

/// `service.metrics`: counters and times, for people and for monitoring.
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
    Parameters(), [.standard("format", \.format, .word, .json, "A JSON object, or a string of OpenMetrics text.")])

  public typealias Result = JSONValue
}

/// `service.log`: the latest lines of the log, and its level.
public enum ServiceLog: Method {
  public static let name = "service.log"
  public static let summary = "Returns the latest log lines; with `level`, changes what is logged until the next start or reload."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record(
      "Log", "The daemon's log.",
      [
        .always("level", .word(LogLevel.self), "The least important level that is logged."),
        .always("lines", .list(.string), "The latest lines, oldest first, each with its time in UTC in front."),
      ]))

  public struct Parameters: Sendable, Hashable {
    public var level: LogLevel?
    public var lines = 100
    public init() {}
  }

  public static let schema = Schema(
    Parameters(),
    [
      .optional("level", \.level, .word, "The least important level that is logged from now on."),
      .standard("lines", \.lines, .integer(0...1_000), 100, "How many lines at most."),
    ])

  public struct Result: MethodResult, Hashable {
    public var level: LogLevel
    /// Oldest first.
    public var lines: [String]

    public init(level: LogLevel, lines: [String]) {
      self.level = level
      self.lines = lines
    }
  }
}
