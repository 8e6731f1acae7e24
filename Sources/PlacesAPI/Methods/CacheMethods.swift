import PlacesKit

/// The parameters of methods that concern a part of the cache or of the budgets. They select the part by provider and by user.
public struct ShareParameters: Sendable, Hashable {
  /// The provider whose data is selected; nil for all providers.
  public var provider: String?
  /// The id of the user whose data is selected; nil for the caller. Only administrators may name another user.
  public var user: Int?
  /// True to select the data of all users, which only administrators may do.
  public var all = false

  public init(provider: String? = nil, user: Int? = nil, all: Bool = false) {
    self.provider = provider
    self.user = user
    self.all = all
  }

  static let schema = Schema(
    ShareParameters(),
    [
      .optional("provider", \.provider, .providerID, "Only this provider."),
      .optional("user", \.user, .integer(0...4_294_967_294), "The id of another user, instead of the caller; for administrators."),
      .withDefault("all", \.all, .boolean, false, "True for the total of all users; for administrators."),
    ]
  ) { (parameters) throws(InvalidParameter) in
    guard !parameters.all || parameters.user == nil else {
      throw InvalidParameter("user", "`user` and `all` exclude each other: give one of them")
    }
  }

  /// True if these parameters select data of other users than the caller, which only administrators may do.
  /// - Parameter user: the caller's user id.
  public func concernsOthers(than user: UInt32) -> Bool { all || self.user.map { $0 != Int(user) } ?? false }
}

/// `cache.stats`: the contents of the cache and its hit rates.
public enum CacheStats: Method {
  public static let name = "cache.stats"
  public static let summary = "Returns cache statistics of the caller, by provider."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record("CacheShares", "Cache statistics.", [.required("providers", .list(.cacheShare), "The statistics of each provider.")]))
  public static let schema = ShareParameters.schema

  public struct Result: MethodResult, Hashable {
    public var providers: [Share]
    public init(providers: [Share]) { self.providers = providers }
  }

  /// The cache statistics of one provider.
  public struct Share: Sendable, Hashable, Codable {
    public var provider: String
    /// The number of stored answers.
    public var answers: Int
    /// The number of stored places.
    public var places: Int
    /// The number of learned choices (see `ChoicesList.Choice`).
    public var choices: Int
    /// The size of the answers and places, in bytes.
    public var bytes: Int
    /// The number of cache hits since the daemon's start, without hits of whole replies.
    public var hits: Int
    /// The number of cache misses since the daemon's start.
    public var misses: Int
    /// False if the provider is no longer configured; otherwise nil.
    public var configured: Bool?

    public init(
      provider: String, answers: Int, places: Int, choices: Int, bytes: Int, hits: Int, misses: Int, isConfigured: Bool = true
    ) {
      self.provider = provider
      self.answers = answers
      self.places = places
      self.choices = choices
      self.bytes = bytes
      self.hits = hits
      self.misses = misses
      configured = isConfigured ? nil : false
    }
  }
}

/// `cache.purge`: removes stored data, whether it has expired or not.
public enum CachePurge: Method {
  public static let name = "cache.purge"
  public static let summary = "Removes everything that is stored for the caller."
  public static let access = Access.everybody
  public static let reply = Shape.cacheRemoval
  public static let schema = ShareParameters.schema
  public typealias Result = CacheRemoval
}

/// The numbers of removed entries.
public struct CacheRemoval: MethodResult, Hashable {
  public var answers: Int
  public var places: Int
  /// The number of learned choices.
  public var choices: Int

  public init(answers: Int, places: Int, choices: Int) {
    self.answers = answers
    self.places = places
    self.choices = choices
  }
}

/// `cache.list`: the requests of the stored answers, without their rows.
public enum CacheList: Method {
  public static let name = "cache.list"
  public static let summary = "Lists cached answers, newest first."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record("CacheEntries", "Cached answers.", [.required("entries", .list(.cacheEntry), "The answers, newest first.")]))

  public struct Parameters: Sendable, Hashable {
    public var share = ShareParameters()
    /// Only entries whose request, in canonical form, contains this text are listed; nil for all entries.
    public var contains: String?
    public var limit = 100
    public init() {}
  }

  public static let schema: Schema<Parameters> = {
    let blank = Parameters()
    return Schema(
      blank,
      [
        .optional("provider", \.share.provider, .providerID, "Only this provider."),
        .optional("user", \.share.user, .integer(0...4_294_967_294), "Only answers of this user, by user id."),
        .optional("contains", \.contains, .text(1...256), "Only answers whose request, in canonical form, contains this text."),
        .withDefault("limit", \.limit, .integer(1...10_000), blank.limit, "The maximum number of answers."),
      ])
  }()

  public struct Result: MethodResult, Hashable {
    public var entries: [Entry]
    public init(entries: [Entry]) { self.entries = entries }
  }

  /// A stored answer, without its rows.
  public struct Entry: Sendable, Hashable, Codable {
    public var provider: String
    public var call: Call
    /// The request, in canonical form.
    public var key: String
    /// The id of the only user who may receive the answer; nil if every user may.
    public var user: Int?
    public var rows: Int
    public var bytes: Int
    /// The time at which the answer was stored; RFC 3339, UTC.
    public var storedAt: String
    /// The time at which the answer expires; RFC 3339, UTC. Nil if it never expires.
    public var expiresAt: String?

    public init(
      provider: String, call: Call, key: String, user: Int? = nil, rows: Int, bytes: Int, storedAt: String, expiresAt: String? = nil
    ) {
      self.provider = provider
      self.call = call
      self.key = key
      self.user = user
      self.rows = rows
      self.bytes = bytes
      self.storedAt = storedAt
      self.expiresAt = expiresAt
    }
  }
}

/// `cache.expire`: removes expired data at once.
public enum CacheExpire: Method {
  public static let name = "cache.expire"
  public static let summary = "Immediately removes everything that the providers' terms no longer allow storing."
  public static let access = Access.administrator
  public static let reply = Shape.cacheRemoval
  public static let schema = NoParameters.schema
  public typealias Result = CacheRemoval
}
