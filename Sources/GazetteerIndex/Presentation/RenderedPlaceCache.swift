import Synchronization

/// The places that all connections to one file showed lately: with every keystroke most of them come again.
///
/// A table in which a place has a choice of two slots, of which the one that was used last stands first. A new place takes the
/// first slot, what was there moves to the second, and what was there goes. So every call does the same little work: to empty a
/// cache now and then makes everybody wait who asks in that moment.
final class RenderedPlaceCache: Sendable {
  /// Somebody who reads places in one language and region.
  struct Reader: Hashable {
    /// Nil for each place's own.
    var language: String?
    var region: String?
  }

  private struct Slot {
    var key: UInt64
    var place: RenderedPlace
  }

  /// A part of the table.
  private struct Places {
    /// Empty until the first place is kept.
    var slots: [Slot?] = []

    mutating func place(_ key: UInt64) -> RenderedPlace? {
      guard !slots.isEmpty else { return nil }
      let first = RenderedPlaceCache.group(of: key)
      if slots[first]?.key != key {
        guard slots[first + 1]?.key == key else { return nil }
        slots.swapAt(first, first + 1)
      }
      return slots[first]?.place
    }

    /// Gives what went for it.
    mutating func keep(_ place: RenderedPlace, _ key: UInt64) -> RenderedPlace? {
      if slots.isEmpty { slots = Array(repeating: nil, count: RenderedPlaceCache.capacity / RenderedPlaceCache.parts) }
      let first = RenderedPlaceCache.group(of: key)
      // Two calls may have presented the same place at once.
      let gone = slots[first]?.key == key ? slots[first] : slots[first + 1]
      if slots[first]?.key != key { slots[first + 1] = slots[first] }
      slots[first] = Slot(key: key, place: place)
      return gone?.place
    }
  }

  private struct Numbers {
    var known: [Reader: UInt64] = [:]
    var last: UInt64 = 0
  }

  /// Places at most, a power of two: about four megabytes.
  static let capacity = 4_096
  /// Parts of the table, a power of two and as many as `places` has: whoever looks into one waits for nobody who looks into another.
  private static let parts = 16
  private static let mostReaders = 64

  private let places = InlineArray<16, Mutex<Places>> { _ in Mutex(Places()) }
  private let numbers = Mutex(Numbers())

  /// A reader's number, which no other reader ever gets.
  func number(of reader: Reader) -> UInt64 {
    numbers.withLock { numbers in
      if let known = numbers.known[reader] { return known }
      if numbers.known.count >= RenderedPlaceCache.mostReaders { numbers.known = [:] }
      numbers.last += 1
      numbers.known[reader] = numbers.last
      return numbers.last
    }
  }

  /// A place as a reader was shown it; nil for one that is not kept.
  func place(_ rank: UInt32, for reader: UInt64) -> RenderedPlace? {
    let key = RenderedPlaceCache.key(rank, reader)
    return places[RenderedPlaceCache.part(of: key)].withLock { $0.place(key) }
  }

  /// Keeps a place as a reader is shown it.
  func insert(_ place: RenderedPlace, _ rank: UInt32, for reader: UInt64) {
    let key = RenderedPlaceCache.key(rank, reader)
    // What goes is taken apart behind the lock.
    _ = places[RenderedPlaceCache.part(of: key)].withLock { $0.keep(place, key) }
  }

  private static func key(_ rank: UInt32, _ reader: UInt64) -> UInt64 { reader << 32 | UInt64(rank) }

  // A key's part and its slots there are told by different bits of its hash (multiplicative hashing, Knuth 1973).

  private static func hash(_ key: UInt64) -> UInt64 { (key &* 0x9E37_79B9_7F4A_7C15) >> 32 }

  private static func part(of key: UInt64) -> Int { Int(hash(key) >> 24) & (parts - 1) }

  /// The first of the two slots in which a place may be.
  private static func group(of key: UInt64) -> Int { Int(hash(key)) & (capacity / parts - 1) & ~1 }
}
