import Synchronization

/// The mapped section of an index file, shared by all connections to it.
final class SharedMappedSection: Sendable {
  private let known = Mutex<(sum: UInt64, mapped: MappedSection)?>(nil)

  /// The section with a checksum: the known one, otherwise the result of `map`.
  func mapped(_ sum: UInt64, _ map: () -> MappedSection?) -> MappedSection? {
    known.withLock { known in
      if let known, known.sum == sum { return known.mapped }
      guard let mapped = map() else { return nil }
      known = (sum, mapped)
      return mapped
    }
  }
}
