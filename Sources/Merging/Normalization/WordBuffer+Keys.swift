import Text

/// Keys of ranges of letters.
extension WordBuffer {
  /// A key that is equal for equal letters; 0 for an empty range.
  func key(of range: Range<Int>) -> UInt64 {
    range.isEmpty ? 0 : FNV1a.hash(letters[range])
  }

  /// A key that is equal for the same distinctive words in any order; 0 if there are none.
  func coreKey(of range: Range<Int>) -> UInt64 {
    var key: UInt64 = 0
    for index in range where ![.filler, .legal, .generic, .symbol].contains(words[index].kind) {
      // A sum does not depend on the order of the words. The constants, which are those of SplitMix64, mix the bits of short words.
      key &+= (words[index].key ^ 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
    }
    return key
  }

  /// The set of the pairs of neighbouring letters: each pair sets the bit of its hash, 0…63.
  func letterPairs(of range: Range<Int>) -> UInt64 {
    var bits: UInt64 = 0
    var previous: UInt64 = 0
    for index in range {
      let letter = UInt64(letters[index])
      if previous != 0 { bits |= WordBuffer.bit(of: (previous &* 37) ^ letter) }
      previous = letter
    }
    return bits
  }

  /// One of 64 bits, by the hash of a key: the upper six bits of its product with 2⁶⁴ ÷ the golden ratio (Knuth's multiplicative hashing).
  static func bit(of key: UInt64) -> UInt64 { 1 << ((key &* 0x9E37_79B9_7F4A_7C15) >> 58) }

  /// The key of a postcode, without the last four digits of a nine-digit one of the United States.
  func postcode(_ range: Range<Int>) -> UInt64 {
    let digits = range.allSatisfy { (0x30...0x39).contains(letters[$0]) }
    return key(of: digits && range.count == 9 ? range.prefix(5) : range)
  }
}
