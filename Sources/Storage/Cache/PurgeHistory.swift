import PlacesKit

/// A record of purges. An answer that was read or requested before a purge must not be stored after it.
struct PurgeHistory: Sendable {
  /// The maximum number of recorded scopes. If another one is added, everything counts as purged, so that no purged answer is stored.
  static let maxScopes = 64

  /// The number of purges so far.
  private(set) var count = 0
  /// The number of the latest purge of each scope.
  private var latestByScope: [CacheScope: Int] = [:]

  mutating func add(_ scope: CacheScope) {
    count += 1
    if latestByScope[scope] == nil, latestByScope.count >= PurgeHistory.maxScopes {
      latestByScope = [.all: count]
    } else {
      latestByScope[scope] = count
    }
  }

  /// True if a scope that contains this provider and partition was purged after the first `earlierCount` purges.
  func containsPurge(ofProvider provider: String, partition: Partition, after earlierCount: Int) -> Bool {
    earlierCount < count && latestByScope.contains { $0.value > earlierCount && $0.key.contains(provider: provider, partition: partition) }
  }
}
