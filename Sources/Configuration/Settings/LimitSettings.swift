/// `[limits]`: limits of connections and messages on the socket.
public struct LimitSettings: Sendable, Hashable {
  public var requestBytes = 1 << 20
  public var replyBytes = 4 << 20
  /// The maximum nesting depth of a request.
  public var depth = 64
  /// The maximum number of requests in one batch.
  public var batch = 64
  /// The maximum number of requests of one connection that have no reply yet.
  public var inFlight = 64
  /// The maximum size of the replies that a client has not read. If there are more bytes, the daemon closes the client's connection.
  public var unreadBytes = 8 << 20
  public var connections = 1024
  public var connectionsPerUser = 128

  public init() {}

  static var keys: [KeyDefinition<LimitSettings>] {
    [
      KeyDefinition("request_bytes", \.requestBytes, .integer(1024...67_108_864), "Largest request, in bytes."),
      KeyDefinition("reply_bytes", \.replyBytes, .integer(65_536...67_108_864), "Largest reply, in bytes."),
      KeyDefinition("depth", \.depth, .integer(8...512), "Largest nesting depth of a request."),
      KeyDefinition("batch", \.batch, .integer(1...1024), "Largest number of requests in one batch."),
      KeyDefinition("in_flight", \.inFlight, .integer(1...1024), "Largest number of requests in flight on one connection."),
      KeyDefinition(
        "unread_bytes", \.unreadBytes, .integer(65_536...67_108_864), "Largest number of unread reply bytes of one connection."),
      KeyDefinition("connections", \.connections, .integer(1...65_536), "Largest number of open connections."),
      KeyDefinition("connections_per_user", \.connectionsPerUser, .integer(1...65_536), "Largest number of open connections of one user."),
    ]
  }
}

/// `[quota]`: the limits of one user; nil for no limit.
public struct QuotaSettings: Sendable, Hashable {
  public var requestsPerMinute: Int?
  public var paidCallsPerDay: Int?
  /// Millionths of the currency's unit.
  public var moneyPerDay: Int?

  public init() {}

  static var keys: [KeyDefinition<QuotaSettings>] {
    [
      KeyDefinition(
        optional: "requests_per_minute", \.requestsPerMinute, .integer(1...1_000_000), "Maximum number of requests of one user per minute."),
      KeyDefinition(
        optional: "paid_calls_per_day", \.paidCallsPerDay, .integer(0...1_000_000_000),
        "Maximum number of paid calls that one user may cause per day."),
      KeyDefinition(
        optional: "money_per_day", \.moneyPerDay, .money,
        "Maximum amount that one user may spend per day, at all providers together; all prices must be in one currency."),
    ]
  }
}

/// `[cache]`: the maximum sizes of the cache.
public struct CacheLimits: Sendable, Hashable {
  /// The maximum size of the cache's file, in MiB.
  public var diskMegabytes = 256
  /// The maximum size of the answers that are cached in memory, in MiB.
  public var memoryMegabytes = 8

  public init() {}

  static var keys: [KeyDefinition<CacheLimits>] {
    [
      KeyDefinition("disk_mb", \.diskMegabytes, .integer(1...1_048_576), "Maximum size of the cache's file, in MiB."),
      KeyDefinition("memory_mb", \.memoryMegabytes, .integer(0...65_536), "Maximum size of the answers cached in memory, in MiB."),
    ]
  }
}

/// `[http]`: how providers' requests leave the machine.
public struct NetworkSettings: Sendable, Hashable {
  /// The URL of the proxy; nil for none. Proxy variables of the environment are never read.
  public var proxy: String?
  /// Hosts that are contacted without the proxy.
  public var noProxy: [String] = []

  public init() {}

  static var keys: [KeyDefinition<NetworkSettings>] {
    [
      KeyDefinition(optional: "proxy", \.proxy, .proxy, "The proxy for all requests; proxy variables of the environment are ignored."),
      KeyDefinition("no_proxy", \.noProxy, .hosts, "Hosts that are contacted without the proxy."),
    ]
  }
}
