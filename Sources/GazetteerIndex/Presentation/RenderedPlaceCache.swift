import Synchronization

/// Caches rendered places for all open files of one reader. Most rows of a keystroke's answer were also in the answer to the keystroke
/// before.
///
/// The cache is a direct-mapped table: a new place replaces the one in its slot, so that the table never has to be emptied.
final class RenderedPlaceCache: Sendable {
  /// A place, and the language and region for which its row was rendered.
  struct Key: Hashable {
    var rank: UInt32
    /// Nil for the place's own language.
    var language: String?
    var region: String?

    fileprivate var slot: Int { hashValue & (capacity - 1) }
  }

  /// The number of slots, which must be a power of two. A full cache takes about four megabytes.
  static let capacity = 4_096

  /// Empty until the first insertion.
  private let slots = Mutex<[(key: Key, place: RenderedPlace)?]>([])

  /// A rendered place; nil if it is not in the cache.
  subscript(key: Key) -> RenderedPlace? {
    slots.withLock { slots in
      guard !slots.isEmpty, let entry = slots[key.slot], entry.key == key else { return nil }
      return entry.place
    }
  }

  func insert(_ place: RenderedPlace, for key: Key) {
    // The closure returns the replaced place, so that the place is released after the lock.
    _ = slots.withLock { slots in
      if slots.isEmpty { slots = Array(repeating: nil, count: RenderedPlaceCache.capacity) }
      let replaced = slots[key.slot]
      slots[key.slot] = (key, place)
      return replaced
    }
  }
}
