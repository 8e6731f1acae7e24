import PlacesKit

/// A part of the cache: the entries of one user or of all users, and of one provider or of all providers.
public struct CacheScope: Sendable, Hashable {
  /// Nil for all providers.
  public var provider: String?
  /// Nil for all users.
  public var user: UInt32?
  /// True if users' choices are included, in addition to providers' answers.
  public var includesChoices: Bool

  public init(provider: String? = nil, user: UInt32? = nil, includesChoices: Bool = true) {
    self.provider = provider
    self.user = user
    self.includesChoices = includesChoices
  }

  public static let all = CacheScope()

  /// True if the scope contains the answers of this provider and partition.
  func contains(provider: String, partition: Partition) -> Bool {
    guard self.provider.map({ $0 == provider }) ?? true else { return false }
    guard let user else { return true }
    switch partition {
    case .everybody: return false
    case .user(let owner): return owner == user
    case .session(let name): return name.hasPrefix("\(user)/")
    }
  }
}

/// The numbers of removed entries.
public struct RemovedEntries: Sendable, Hashable {
  public var answers: Int
  public var places: Int
  /// Users' choices.
  public var choices = 0
}

/// Statistics of one provider.
public struct CacheStatistics: Sendable, Hashable {
  public var provider: String
  public var answers = 0
  public var places = 0
  /// The number of choices of the provider's places. Each has a different combination of user, prefix of the typed text, and place.
  public var choices = 0
  /// The size of the answers and places in bytes, without the overhead of the database.
  public var bytes = 0
  /// The number of lookups since the start of the daemon that found an answer.
  public var hits = 0
  /// The number of lookups since the start of the daemon that found none.
  public var misses = 0

  /// True if anything is stored, whatever the numbers of hits and misses.
  public var storesAnything: Bool { answers + places + choices + bytes > 0 }
}

/// A stored answer without its rows.
public struct CacheEntry: Sendable, Hashable {
  public var provider: String
  public var call: Call
  /// The request, in canonical form (JSON).
  public var key: String
  public var partition: Partition
  /// The number of rows of the answer.
  public var rows: Int
  /// The size of the encoded answer in bytes.
  public var bytes: Int
  /// When the answer was stored, in seconds since 1970.
  public var storedAt: Double
  /// When the answer becomes stale, in seconds since 1970.
  public var expiresAt: Double
}
