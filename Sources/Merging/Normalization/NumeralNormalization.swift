/// Replaces the numbers of other scripts and of symbols by ASCII digits: `第三`, `三号`, `٣`, `３`, `③`.
enum NumeralNormalization {
  /// The text with its numbers in ASCII digits. At most three Chinese numerals are replaced, and only if they are certainly a number: after
  /// 第, or before a word such as 号.
  static func inDigits(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let end = scalars[index...].firstIndex { numerals[$0] == nil } ?? scalars.count
      let counts = (index > 0 && scalars[index - 1] == "第") || (end < scalars.count && counters.contains(scalars[end]))
      if end > index, counts, let number = number(scalars[index..<end]) {
        result.append(contentsOf: "\(number)".unicodeScalars)
        index = end
      } else {
        result.append(contentsOf: plain(index, of: scalars))
        index += 1
      }
    }
    return String(result)
  }

  /// Whether a space belongs between two neighbouring characters: between a digit and a letter of another script than Latin, and between a
  /// Latin letter and a letter of a script without spaces.
  static func parts(_ a: Unicode.Scalar, _ b: Unicode.Scalar) -> Bool { isParted(a, from: b) || isParted(b, from: a) }

  private static func isParted(_ mark: Unicode.Scalar, from other: Unicode.Scalar) -> Bool {
    switch mark {
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
    guard values.count <= 3, let ten = values.firstIndex(of: 10) else { return values.count <= 3 ? values.reduce(0) { $0 * 10 + $1 } : nil }
    let (tens, ones) = (values[..<ten], values[(ten + 1)...])
    guard tens.count <= 1, ones.count <= 1, ones.first != 10 else { return nil }
    return (tens.first ?? 1) * 10 + (ones.first ?? 0)
  }

  private static let numerals: [Unicode.Scalar: Int] = [
    "〇": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
  ]
  private static let counters: Set<Unicode.Scalar> = ["号", "號", "番", "期"]
}
