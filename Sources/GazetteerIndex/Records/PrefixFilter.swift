/// A Bloom filter of prefixes (Bloom 1970; blocked as Putze, Sanders and Singler 2007): each prefix sets four bits of one word, so that a look is one
/// memory access. It says "no" for certain and "yes" wrongly in about three of a hundred cases.
struct PrefixFilter {
  /// Longer prefixes are not kept.
  static let longest = 20

  private(set) var words: [UInt64]
  private let mask: UInt64

  /// Room for so many prefixes at about twelve bits each.
  init(capacity: Int) {
    var size = 64
    while size * 64 < capacity * 10 { size *= 2 }
    words = [UInt64](repeating: 0, count: size)
    mask = UInt64(size - 1)
  }

  /// From the bytes of a stored filter; nil unless their number is a power of two.
  init?(bytes: [UInt8]) {
    let count = bytes.count / 8
    guard count > 0, count & (count - 1) == 0, bytes.count == count * 8 else { return nil }
    words = bytes.withUnsafeBytes { raw in
      (0..<count).map { UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
    }
    mask = UInt64(count - 1)
  }

  var bytes: [UInt8] { words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } } }

  /// The hash of the empty prefix; `extended` adds a byte (FNV-1a, 64 bits).
  static let seed: UInt64 = 0xcbf2_9ce4_8422_2325
  static func extended(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }

  private static func bits(_ hash: UInt64) -> (word: UInt64, bits: UInt64) {
    // FNV mixes its high bits badly for short texts.
    var mixed = hash ^ (hash >> 32)
    mixed = mixed &* 0x9E37_79B9_7F4A_7C15
    let bits = (1 << (mixed & 63)) | (1 << (mixed >> 6 & 63)) | (1 << (mixed >> 12 & 63)) | (1 << (mixed >> 18 & 63)) as UInt64
    return (mixed >> 24, bits)
  }

  mutating func insert(_ hash: UInt64) {
    let (word, bits) = PrefixFilter.bits(hash)
    words[Int(word & mask)] |= bits
  }

  func mayContain(_ hash: UInt64) -> Bool {
    let (word, bits) = PrefixFilter.bits(hash)
    return words[Int(word & mask)] & bits == bits
  }
}
