import Synchronization

/// The tail of an index file that all connections to it look into.
final class SharedTail: Sendable {
  private let known = Mutex<(sum: UInt64, tail: IndexTail)?>(nil)

  /// The tail of this sum: what is known of it, else what `map` gives; nil where that gives nothing.
  func tail(_ sum: UInt64, _ map: () -> IndexTail?) -> IndexTail? {
    known.withLock { known in
      if let known, known.sum == sum { return known.tail }
      guard let tail = map() else { return nil }
      known = (sum, tail)
      return tail
    }
  }
}
