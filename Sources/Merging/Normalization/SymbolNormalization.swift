/// Symbols other than ASCII letters and digits that distinguish siblings: `Gate Ⅲ`, `Haus ①`, `Platform 9¾`, `Ebene -1`,
/// `Pizza 🍕`.
enum SymbolNormalization {
  /// The sign that is written before the digits of a number below zero.
  static let minus: Unicode.Scalar = "\u{2212}"
  /// The sign that is written before the digits of a denominator, as in Unicode's own decompositions of fractions.
  static let fractionSlash: Unicode.Scalar = "\u{2044}"

  /// The ASCII form of `minus` or `fractionSlash` in folded words, by the second and third byte of its UTF-8; nil for any other character.
  static func ascii(_ second: UInt8, _ third: UInt8) -> UInt8? {
    switch (second, third) {
    case (0x88, 0x92): UInt8(ascii: "-")
    case (0x81, 0x84): UInt8(ascii: "/")
    default: nil
    }
  }

  /// Whether a byte after 0xC2 is the second byte of ², ³, ¹, ¼, ½ or ¾.
  static func isSmallNumber(_ second: UInt8) -> Bool {
    second == 0xB2 || second == 0xB3 || second == 0xB9 || (0xBC...0xBE).contains(second)
  }

  /// The plain form of a circled, bracketed or superscript number or letter, of a Roman number or of a fraction: ` 3 ` for `⑶`, ` 3 ⁄4 `
  /// for `¾`. Nil for any other character.
  static func plain(_ scalar: Unicode.Scalar) -> String? {
    guard scalar.value >= 0x80 else { return nil }
    if let letter = enclosedLetter(scalar) { return " \(letter) " }
    switch scalar.properties.generalCategory {
    case .otherNumber, .letterNumber: return scalar.properties.numericValue.flatMap(inDigits)
    default: return nil
    }
  }

  /// A value as a whole number or as a fraction with the lowest possible denominator; nil if there is none up to 320, the denominator of
  /// the least Tamil fraction.
  private static func inDigits(_ value: Double) -> String? {
    guard value >= 0, value <= 1_000_000 else { return nil }
    for denominator in 1...320 {
      let numerator = value * Double(denominator)
      guard abs(numerator - numerator.rounded()) < 1e-6 else { continue }
      return denominator == 1 ? " \(Int(value)) " : " \(Int(numerator.rounded())) \(fractionSlash)\(denominator) "
    }
    return nil
  }

  /// The lower-case letter of a circled, bracketed, squared or filled letter; nil for any other character.
  private static func enclosedLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    for first in [0x249C, 0x24B6, 0x24D0, 0x1F110, 0x1F130, 0x1F150, 0x1F170] as [UInt32] where (first..<first + 26).contains(scalar.value)
    {
      return Unicode.Scalar(UInt8(ascii: "a") + UInt8(scalar.value - first))
    }
    return nil
  }

  /// Whether a plus or minus at this position is the sign of the following number: in `Ebene -1`, but not in `12-14`, `12 -14` or `A - 1`.
  static func isBeforeNumber(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    guard index + 1 < scalars.count, scalars[index + 1].properties.numericType != nil else { return false }
    guard index > 0 else { return true }
    guard isGap(scalars[index - 1]) else { return false }
    let before = scalars[..<index].last { $0 != " " }
    return scalars[index - 1] != " " || before?.properties.numericType == nil
  }

  /// Whether the sign of a number may follow a character.
  private static func isGap(_ scalar: Unicode.Scalar) -> Bool { [" ", "(", "[", "/", ","].contains(scalar) }

  /// Whether a character is a picture, an arrow or a shape. Each of them is a word.
  static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    guard (0x2190...0x2BFF).contains(scalar.value) || (0x1F000...0x1FAFF).contains(scalar.value) else { return false }
    return [.otherSymbol, .mathSymbol].contains(scalar.properties.generalCategory)
  }

  /// Whether a folded word is a picture. In folded words only pictures begin with these bytes of UTF-8.
  static func isPicture(_ word: ArraySlice<UInt8>) -> Bool {
    let (first, second) = (word.first ?? 0, word.dropFirst().first ?? 0)
    return (first == 0xE2 && (0x86...0xAF).contains(second)) || (first == 0xF0 && second == 0x9F)
  }
}
