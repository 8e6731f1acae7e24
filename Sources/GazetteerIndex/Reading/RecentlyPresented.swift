import Synchronization

/// The places that all connections to one file showed lately: with every keystroke most of them come again.
///
/// When the younger half is full it becomes the older one, and what nobody asked for since it did so the last time goes.
final class RecentlyPresented: Sendable {
  /// Somebody who reads places in one language and region.
  struct Reader: Hashable {
    /// Nil for each place's own.
    var language: String?
    var region: String?
  }

  private struct Places {
    var numbers: [Reader: UInt64] = [:]
    var lastNumber: UInt64 = 0
    var younger: [UInt64: PresentedPlace] = [:]
    var older: [UInt64: PresentedPlace] = [:]

    mutating func keep(_ place: PresentedPlace, _ key: UInt64) {
      if younger.count >= RecentlyPresented.capacity {
        older = younger
        younger = [:]
      }
      younger[key] = place
    }
  }

  /// Places in each half: about two megabytes.
  static let capacity = 2_048
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
    let key = RecentlyPresented.key(rank, reader)
    return places.withLock { places in
      if let place = places.younger[key] { return place }
      guard let place = places.older[key] else { return nil }
      places.keep(place, key)
      return place
    }
  }

  /// Keeps a place as a reader is shown it.
  func keep(_ place: PresentedPlace, _ rank: UInt32, for reader: UInt64) {
    places.withLock { $0.keep(place, RecentlyPresented.key(rank, reader)) }
  }

  private static func key(_ rank: UInt32, _ reader: UInt64) -> UInt64 { reader << 32 | UInt64(rank) }
}
