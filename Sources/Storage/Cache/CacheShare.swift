import PlacesKit

/// Whose and which part of the cache is meant.
public struct CacheShare: Sendable, Hashable {
  /// Nil for all.
  public var provider: String?
  /// Nil for everybody's.
  public var user: UInt32?
  /// Whether what users chose is meant as well, and not what a provider answered alone.
  public var holdsUses: Bool

  public init(provider: String? = nil, user: UInt32? = nil, holdsUses: Bool = true) {
    self.provider = provider
    self.user = user
    self.holdsUses = holdsUses
  }

  public static let all = CacheShare()

  func holds(provider: String, partition: Partition) -> Bool {
    guard self.provider.map({ $0 == provider }) ?? true else { return false }
    guard let user else { return true }
    switch partition {
    case .everybody: return false
    case .user(let owner): return owner == user
    case .session(let name): return name.hasPrefix("\(user)/")
    }
  }
}

/// How many were removed.
public struct CacheRemoval: Sendable, Hashable {
  public var answers: Int
  public var places: Int
  /// What users chose.
  public var choices = 0
}

/// What is kept of one provider's.
public struct CacheStatistics: Sendable, Hashable {
  public var provider: String
  public var answers = 0
  public var places = 0
  /// What users chose of the provider's places: one for each beginning of a text and place.
  public var choices = 0
  /// Bytes of the answers and places, without the database's own.
  public var bytes = 0
  /// Since the daemon's start.
  public var hits = 0
  public var misses = 0

  /// Whether there is more than counts of what was asked.
  public var keepsAnything: Bool { answers + places + choices + bytes > 0 }
}

/// One kept answer, without its rows.
public struct CacheEntry: Sendable, Hashable {
  public var provider: String
  public var call: Call
  /// What was asked, in canonical form (JSON).
  public var key: String
  public var partition: Partition
  public var rows: Int
  public var bytes: Int
  /// Seconds since 1970.
  public var storedAt: Double
  public var expiresAt: Double
}
