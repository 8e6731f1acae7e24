/// A quick hash of short byte strings, 64 bits wide (Fowler, Noll and Vo 1991). It is the same on every machine and in every process. It
/// does not withstand deliberate collisions.
public enum FNV1a {
  /// The hash of no bytes.
  @inlinable public static var seed: UInt64 { 0xCBF2_9CE4_8422_2325 }

  /// Extends a hash by one unit: a byte, or a whole word if speed matters more than standard values.
  @inlinable public static func extended(_ hash: UInt64, _ unit: UInt64) -> UInt64 { (hash ^ unit) &* 0x100_0000_01B3 }

  /// The hash of bytes, or a hash extended by bytes.
  @inlinable public static func hash(_ bytes: some Sequence<UInt8>, after hash: UInt64 = seed) -> UInt64 {
    // The iteration over a string's bytes is ten times as slow as over its contiguous storage.
    bytes.withContiguousStorageIfAvailable { $0.reduce(hash) { extended($0, UInt64($1)) } }
      ?? bytes.reduce(hash) { extended($0, UInt64($1)) }
  }
}
