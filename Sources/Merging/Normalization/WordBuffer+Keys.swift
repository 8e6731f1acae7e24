/// Keys of ranges of letters.
extension WordBuffer {
  /// A key that is equal for equal letters; 0 for an empty range.
  func key(of range: Range<Int>) -> UInt64 {
    var key: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in range { key = (key ^ UInt64(letters[index])) &* 0x100_0000_01B3 }
    return range.isEmpty ? 0 : key
  }

  /// A key that is equal for the same distinctive words in any order; 0 if there are none.
  func coreKey(of range: Range<Int>) -> UInt64 {
    var key: UInt64 = 0
    for index in range where ![.filler, .legal, .generic, .symbol].contains(words[index].kind) {
      key &+= (words[index].key ^ 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
    }
    return key
  }

  /// One bit for each pair of neighbouring letters, hashed to 64.
  func pairs(of range: Range<Int>) -> UInt64 {
    var bits: UInt64 = 0
    var previous: UInt64 = 0
    for index in range {
      let letter = UInt64(letters[index])
      if previous != 0 { bits |= 1 << ((((previous &* 37) ^ letter) &* 0x9E37_79B9_7F4A_7C15) >> 58) }
      previous = letter
    }
    return bits
  }

  /// The key of a postcode, without the last four digits of a nine-digit one of the United States.
  func postcode(_ range: Range<Int>) -> UInt64 {
    let digits = range.allSatisfy { (0x30...0x39).contains(letters[$0]) }
    return key(of: digits && range.count == 9 ? range.prefix(5) : range)
  }
}
