import Synchronization

/// The places that all connections to one file showed lately: with every keystroke most of them come again.
///
/// A table in which a place has a choice of two slots, of which the one that was used last stands first. A new place takes the
/// first slot, what was there moves to the second, and what was there goes. So every call does the same little work: to empty a
/// cache now and then makes everybody wait who asks in that moment.
final class RecentlyPresented: Sendable {
  /// Somebody who reads places in one language and region.
  struct Reader: Hashable {
    /// Nil for each place's own.
    var language: String?
    var region: String?
  }

  private struct Slot {
    var key: UInt64
    var place: PresentedPlace
  }

  private struct Places {
    var numbers: [Reader: UInt64] = [:]
    var lastNumber: UInt64 = 0
    /// Empty until the first place is kept.
    var slots: [Slot?] = []

    mutating func place(_ key: UInt64) -> PresentedPlace? {
      guard !slots.isEmpty else { return nil }
      let first = RecentlyPresented.group(of: key)
      if slots[first]?.key != key {
        guard slots[first + 1]?.key == key else { return nil }
        slots.swapAt(first, first + 1)
      }
      return slots[first]?.place
    }

    mutating func keep(_ place: PresentedPlace, _ key: UInt64) {
      if slots.isEmpty { slots = Array(repeating: nil, count: RecentlyPresented.capacity) }
      let first = RecentlyPresented.group(of: key)
      // Two calls may have presented the same place at once.
      if slots[first]?.key != key { slots[first + 1] = slots[first] }
      slots[first] = Slot(key: key, place: place)
    }
  }

  /// Places at most, a power of two: about four megabytes.
  static let capacity = 4_096
  private static let mostReaders = 64

  private let places = Mutex(Places())

  /// A reader's number, which no other reader ever gets.
  func number(of reader: Reader) -> UInt64 {
    places.withLock { places in
      if let known = places.numbers[reader] { return known }
      if places.numbers.count >= RecentlyPresented.mostReaders { places.numbers = [:] }
      places.lastNumber += 1
      places.numbers[reader] = places.lastNumber
      return places.lastNumber
    }
  }

  /// A place as a reader was shown it; nil for one that is not kept.
  func place(_ rank: UInt32, for reader: UInt64) -> PresentedPlace? {
    places.withLock { $0.place(RecentlyPresented.key(rank, reader)) }
  }

  /// Keeps a place as a reader is shown it.
  func keep(_ place: PresentedPlace, _ rank: UInt32, for reader: UInt64) {
    places.withLock { $0.keep(place, RecentlyPresented.key(rank, reader)) }
  }

  private static func key(_ rank: UInt32, _ reader: UInt64) -> UInt64 { reader << 32 | UInt64(rank) }

  /// The first of the two slots in which a place may be (multiplicative hashing, Knuth 1973).
  private static func group(of key: UInt64) -> Int { Int((key &* 0x9E37_79B9_7F4A_7C15) >> 32) & (capacity - 1) & ~1 }
}
