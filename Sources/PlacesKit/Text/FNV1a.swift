/// The 64-bit FNV-1a hash (Fowler, Noll and Vo 1991). It is fast for short byte strings, and equal on every machine and in every process.
/// An attacker can construct texts with the same hash.
public enum FNV1a {
  /// The hash of no bytes.
  @inlinable public static var seed: UInt64 { 0xCBF2_9CE4_8422_2325 }

  /// Extends a hash by one unit: a byte, or up to 64 bits if the result need not be a standard FNV-1a value.
  @inlinable public static func extended(_ hash: UInt64, _ unit: UInt64) -> UInt64 { (hash ^ unit) &* 0x100_0000_01B3 }

  /// The hash of bytes. If `hash` is given, the result is `hash` extended by the bytes.
  @inlinable public static func hash(_ bytes: some Sequence<UInt8>, after hash: UInt64 = seed) -> UInt64 {
    // Iterating over a string's bytes takes ten times as long as iterating over its contiguous storage.
    bytes.withContiguousStorageIfAvailable { $0.reduce(hash) { extended($0, UInt64($1)) } }
      ?? bytes.reduce(hash) { extended($0, UInt64($1)) }
  }
}
