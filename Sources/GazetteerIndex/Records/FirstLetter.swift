import Text

/// The first letter or digit of a text, in lower case. Names are compared by it before they are folded: a capital has two hundred names, and
/// ICU folds one in up to ten microseconds.
enum FirstLetter {
  /// Nil for a text without letters and digits.
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
