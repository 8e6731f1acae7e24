/// Limits the number of combining marks that follow a letter, by the Stream-Safe Text Format of UAX #15, section 13.
///
/// Swift compares strings by canonical equivalence. For this it sorts the marks of a letter, in time that grows with the square of their
/// number. Without the limit, comparing one string that has half a million marks would take a minute.
enum StreamSafe {
  /// The maximum number of consecutive combining marks, far more than any language uses.
  static let maxMarks = 30
  /// The minimum length, in bytes, of a text with too many marks: each mark takes at least two bytes.
  private static let minLength = 2 * (maxMarks + 1)
  /// The first UTF-8 byte of U+0300, the lowest code point of a mark. No mark begins with a smaller byte.
  private static let firstByte: UInt8 = 0xCC

  /// The text with an invisible combining grapheme joiner (U+034F) before each mark that exceeds the limit.
  static func text(_ text: String) -> String {
    guard text.utf8.count >= minLength, text.utf8.contains(where: { $0 >= firstByte }), hasExcess(text) else { return text }
    var safe = String.UnicodeScalarView()
    var markCount = 0
    for scalar in text.unicodeScalars {
      markCount = isMark(scalar) ? markCount + 1 : 0
      if markCount > maxMarks {
        safe.append("\u{34F}")
        markCount = 1
      }
      safe.append(scalar)
    }
    return String(safe)
  }

  private static func hasExcess(_ text: String) -> Bool {
    var markCount = 0
    return text.unicodeScalars.contains { scalar in
      markCount = isMark(scalar) ? markCount + 1 : 0
      return markCount > maxMarks
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
  }
}
