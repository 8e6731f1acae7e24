import Synchronization

/// The places that were rendered last, for all open files of one reader. Most rows of a keystroke's answer were also in the answer to the
/// keystroke before.
///
/// The cache is a direct-mapped table: a new place replaces the one in its slot, so that the table never has to be emptied.
final class RenderedPlaceCache: Sendable {
  /// The language and region that rows are rendered for.
  struct Locale: Hashable {
    /// Nil for each place's own language.
    var language: String?
    var region: String?
  }

  private struct Table {
    /// Empty until the first insertion.
    var slots: [(key: UInt64, place: RenderedPlace)?] = []
    var locales: [Locale: UInt64] = [:]
    var lastLocale: UInt64 = 0
  }

  /// The number of slots, a power of two: about four megabytes.
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
    let (key, slot) = RenderedPlaceCache.slot(rank, locale)
    return table.withLock { table in
      guard !table.slots.isEmpty, let known = table.slots[slot], known.key == key else { return nil }
      return known.place
    }
  }

  func insert(_ place: RenderedPlace, _ rank: UInt32, for locale: UInt64) {
    let (key, slot) = RenderedPlaceCache.slot(rank, locale)
    // The replaced place is returned, so that it is released after the lock.
    _ = table.withLock { table in
      if table.slots.isEmpty { table.slots = Array(repeating: nil, count: RenderedPlaceCache.capacity) }
      let replaced = table.slots[slot]
      table.slots[slot] = (key, place)
      return replaced
    }
  }

  /// The key and the slot of a place (multiplicative hashing, Knuth 1973).
  private static func slot(_ rank: UInt32, _ locale: UInt64) -> (key: UInt64, slot: Int) {
    let key = locale << 32 | UInt64(rank)
    return (key, Int((key &* 0x9E37_79B9_7F4A_7C15) >> 40) & (capacity - 1))
  }
}
