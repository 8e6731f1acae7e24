/// A CRC-32C (Castagnoli; RFC 3720, appendix B.4) of the parts of a row. It detects a damaged row before the row is used.
struct Checksum: Sendable {
  private var remainder: UInt32 = .max

  /// The checksum of everything added so far.
  var value: Int64 { Int64(~remainder) }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { remainder = Checksum.table[Int((remainder ^ UInt32(byte)) & 0xFF)] ^ (remainder >> 8) }
  }

  /// Adds a text with its length. Without the length, `ab` and `c` would have the same checksum as `a` and `bc`.
  mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    add(text.utf8)
  }

  mutating func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { add($0) } }
  mutating func add(_ number: Int) { add(Int64(number)) }
  mutating func add(_ number: Double) { add(Int64(bitPattern: number.bitPattern)) }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? (value >> 1) ^ 0x82F6_3B78 : value >> 1 }
  }
}
