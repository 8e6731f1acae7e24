import Synchronization

/// The places that all connections to one file rendered: most rows of a keystroke were rows of the keystroke before.
///
/// A two-way set-associative table: a new place replaces the least recently used of the two places in its set. Emptying a whole cache now and
/// then would be shorter code, but the requests after it would be slow.
final class RenderedPlaceCache: Sendable {
  /// The language and region that rows are rendered for.
  struct Locale: Hashable {
    /// Nil for each place's own language.
    var language: String?
    var region: String?
  }

  private struct Slot {
    var key: UInt64
    var place: RenderedPlace
  }

  private struct Table {
    /// Two for each set, the more recently used one first. Empty until the first insertion.
    var slots: [Slot?] = []
    var locales: [Locale: UInt64] = [:]
    var lastLocale: UInt64 = 0
  }

  /// The maximum number of places, a power of two: about four megabytes.
  static let capacity = 4_096
  private static let maxLocales = 64

  private let table = Mutex(Table())

  /// The unique number of a locale.
  func number(of locale: Locale) -> UInt64 {
    table.withLock { table in
      if let known = table.locales[locale] { return known }
      if table.locales.count >= RenderedPlaceCache.maxLocales { table.locales = [:] }
      table.lastLocale += 1
      table.locales[locale] = table.lastLocale
      return table.lastLocale
    }
  }

  /// A place rendered for a locale; nil if it is not in the cache.
  func place(_ rank: UInt32, for locale: UInt64) -> RenderedPlace? {
    let (key, first) = RenderedPlaceCache.slot(rank, locale)
    return table.withLock { table in
      guard !table.slots.isEmpty else { return nil }
      if table.slots[first]?.key != key {
        guard table.slots[first + 1]?.key == key else { return nil }
        table.slots.swapAt(first, first + 1)
      }
      return table.slots[first]?.place
    }
  }

  func insert(_ place: RenderedPlace, _ rank: UInt32, for locale: UInt64) {
    let (key, first) = RenderedPlaceCache.slot(rank, locale)
    // The replaced place is released after the lock.
    _ = table.withLock { table in
      if table.slots.isEmpty { table.slots = Array(repeating: nil, count: RenderedPlaceCache.capacity) }
      // Two calls may have rendered the same place at once.
      let isKnown = table.slots[first]?.key == key
      let replaced = table.slots[isKnown ? first : first + 1]
      if !isKnown { table.slots[first + 1] = table.slots[first] }
      table.slots[first] = Slot(key: key, place: place)
      return replaced
    }
  }

  /// The key of a place, and the first slot of its set (multiplicative hashing, Knuth 1973).
  private static func slot(_ rank: UInt32, _ locale: UInt64) -> (key: UInt64, first: Int) {
    let key = locale << 32 | UInt64(rank)
    return (key, Int((key &* 0x9E37_79B9_7F4A_7C15) >> 40) & (capacity - 1) & ~1)
  }
}
