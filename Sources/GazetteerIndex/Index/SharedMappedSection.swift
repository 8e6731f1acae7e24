import Synchronization

/// The tail of an index file that all connections to it look into.
final class SharedMappedSection: Sendable {
  private let known = Mutex<(sum: UInt64, mapped: MappedSection)?>(nil)

  /// The tail of this sum: what is known of it, else what `map` gives; nil where that gives nothing.
  func mapped(_ sum: UInt64, _ map: () -> MappedSection?) -> MappedSection? {
    known.withLock { known in
      if let known, known.sum == sum { return known.mapped }
      guard let mapped = map() else { return nil }
      known = (sum, mapped)
      return mapped
    }
  }
}
