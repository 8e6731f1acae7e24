import PlacesKit

/// Which purges there were, so that what was read or asked for before one is not kept after it.
struct Purges: Sendable {
  /// Shares that are told apart. With more, everything counts as purged: then too little is kept for once, and never too much.
  static let mostShares = 64

  /// How many there were.
  private(set) var count = 0
  private var latest: [CacheShare: Int] = [:]

  mutating func add(_ share: CacheShare) {
    count += 1
    if latest[share] == nil, latest.count >= Purges.mostShares { latest = [.all: count] } else { latest[share] = count }
  }

  /// Whether something was purged after there had been so many purges.
  func concern(provider: String, partition: Partition, since earlier: Int) -> Bool {
    earlier < count && latest.contains { $0.value > earlier && $0.key.holds(provider: provider, partition: partition) }
  }
}
