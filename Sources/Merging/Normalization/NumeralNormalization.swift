/// Replaces the numbers of other scripts and of symbols by ASCII digits: `第三`, `三号`, `٣`, `３`, `③`.
enum NumeralNormalization {
  /// The text with its numbers in ASCII digits. A run of Chinese numerals is replaced as a whole or not at all: if it has at most three of
  /// them, and is certainly a number because it stands after 第 or before a word such as 号.
  static func inDigits(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let end = scalars[index...].firstIndex { numerals[$0] == nil } ?? scalars.count
      let isCertain = (index > 0 && scalars[index - 1] == "第") || (end < scalars.count && wordsAfterNumber.contains(scalars[end]))
      if end > index, isCertain, let number = number(scalars[index..<end]) {
        result.append(contentsOf: "\(number)".unicodeScalars)
        index = end
      } else {
        for plainIndex in index..<max(end, index + 1) { result.append(contentsOf: plain(plainIndex, of: scalars)) }
        index = max(end, index + 1)
      }
    }
    return String(result)
  }

  /// Whether a space belongs between two neighbouring characters: between a digit and a letter from U+0370 on (Greek and later blocks), and
  /// between a Latin letter and a Chinese, Japanese or Korean one (U+3040…U+D7AF).
  static func needsSpaceBetween(_ a: Unicode.Scalar, _ b: Unicode.Scalar) -> Bool { isSeparated(a, from: b) || isSeparated(b, from: a) }

  private static func isSeparated(_ digitOrLatin: Unicode.Scalar, from other: Unicode.Scalar) -> Bool {
    switch digitOrLatin {
    case "0"..."9": other.value >= 0x370 && other.properties.isAlphabetic
    case "a"..."z": (0x3040...0xD7AF).contains(other.value)
    default: false
    }
  }

  /// The plain form of the character at an index.
  private static func plain(_ index: Int, of scalars: [Unicode.Scalar]) -> String.UnicodeScalarView {
    switch scalars[index] {
    case "+", "\u{FF0B}": one(SymbolNormalization.isBeforeNumber(index, in: scalars) ? " " : "+")
    case "-", "\u{FF0D}", SymbolNormalization.minus:
      one(SymbolNormalization.isBeforeNumber(index, in: scalars) ? SymbolNormalization.minus : "-")
    default: SymbolNormalization.plain(scalars[index])?.unicodeScalars ?? one(digit(scalars[index]) ?? scalars[index])
    }
  }

  private static func one(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView { String.UnicodeScalarView([scalar]) }

  private static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard scalar.value >= 0x80, scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
    return UInt8(exactly: value).flatMap { $0 < 10 ? Unicode.Scalar(0x30 + $0) : nil }
  }

  /// The number that numerals denote, digit by digit or as tens and ones: 二十一, 十一, 二十, 二一. Nil if they denote none below a thousand.
  private static func number(_ numerals: ArraySlice<Unicode.Scalar>) -> Int? {
    let values = numerals.compactMap { NumeralNormalization.numerals[$0] }
    guard values.count <= 3, values.allSatisfy({ $0 <= 10 }) else { return nil }
    guard let ten = values.firstIndex(of: 10) else { return values.reduce(0) { $0 * 10 + $1 } }
    let (tens, ones) = (values[..<ten], values[(ten + 1)...])
    guard tens.count <= 1, ones.count <= 1, ones.first != 10 else { return nil }
    return (tens.first ?? 1) * 10 + (ones.first ?? 0)
  }

  /// The values of Chinese numerals. The last three are never replaced. They are listed so that no part of a greater number is replaced.
  private static let numerals: [Unicode.Scalar: Int] = [
    "〇": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "百": 100, "千": 1_000, "万": 10_000,
  ]
  private static let wordsAfterNumber: Set<Unicode.Scalar> = ["号", "號", "番", "期"]
}
