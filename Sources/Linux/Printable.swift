/// Makes text from outside safe for terminals and logs.
public enum Printable {
  /// The text with U+FFFD for each code point for which `isControl` is true. The number of code points does not change, so ranges of code
  /// points stay valid.
  public static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }

  /// True for C0 and C1 controls, DEL, line and paragraph separators, bidirectional controls (Unicode UAX 9), the byte-order mark, and
  /// tag characters.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xE0000...0xE007F: true
    default: false
    }
  }
}
