import PlacesKit

/// A record of purges, so that an answer that was read or requested before a purge is not stored after it.
struct Purges: Sendable {
  /// The maximum number of recorded shares. If there are more, all shares count as purged: rather too little is stored than too much.
  static let maxScopes = 64

  /// The number of purges so far.
  private(set) var count = 0
  /// The number of the latest purge of each scope.
  private var latest: [CacheScope: Int] = [:]

  mutating func add(_ scope: CacheScope) {
    count += 1
    if latest[scope] == nil, latest.count >= Purges.maxScopes { latest = [.all: count] } else { latest[scope] = count }
  }

  /// True if a scope that contains this provider and partition was purged after the first `earlier` purges.
  func contain(provider: String, partition: Partition, after earlier: Int) -> Bool {
    earlier < count && latest.contains { $0.value > earlier && $0.key.holds(provider: provider, partition: partition) }
  }
}
