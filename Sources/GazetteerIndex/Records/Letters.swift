import Text

/// Distinguishes Latin letters from those of other scripts.
enum LatinScript {
  /// Whether no letter of a text belongs to another script. Digits and signs belong to every script.
  static func only(in text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } || text.unicodeScalars.allSatisfy(isAllowed) }

  /// Whether a character is a Latin letter or no letter. The ranges are Unicode's blocks of Latin letters, modifier letters and combining
  /// marks, and full-width letters.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x0370, 0x1D00..<0x1F00, 0x2000..<0x2C00, 0x2C60..<0x2C80, 0xA720..<0xA800, 0xAB30..<0xAB70, 0xFF00..<0xFF66: true
    default: !scalar.properties.isAlphabetic
    }
  }
}

/// The first letter or digit of a text, in lower case. Names are compared by it before they are folded: a capital has two hundred names,
/// and ICU folds one in up to ten microseconds.
enum FirstLetter {
  /// The first letter or digit of a UTF-8 text; nil for a text without letters and digits.
  static func of(_ text: some Collection<UInt8>) -> UInt32? {
    var decoder = UTF8()
    var bytes = text.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&bytes) {
      if let byte = UInt8(exactly: scalar.value), byte < 0x80 {
        if Folding.isPlainLetter(byte) { return UInt32(Folding.lowercased(byte)) }
        continue
      }
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else { continue }
      return scalar.properties.lowercaseMapping.unicodeScalars.first?.value
    }
    return nil
  }
}

extension UInt8 {
  /// Whether it is an ASCII digit.
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
