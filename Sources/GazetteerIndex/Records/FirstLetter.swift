/// The first letter or digit of a text, in lower case. Names are compared by it before they are folded: a capital has two hundred names, and
/// ICU folds one in up to ten microseconds.
enum FirstLetter {
  /// Nil for a text without letters and digits.
  static func of(_ text: some Collection<UInt8>) -> UInt32? {
    var decoder = UTF8()
    var bytes = text.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&bytes) {
      if scalar.isASCII {
        switch UInt8(scalar.value) {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return scalar.value | 0x20
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): return scalar.value
        default: continue
        }
      }
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else { continue }
      return scalar.properties.lowercaseMapping.unicodeScalars.first?.value
    }
    return nil
  }
}
