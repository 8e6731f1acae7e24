/// Recognizes postal codes, for services that have a separate parameter for them.
public enum PostalCode {
  /// True if a text has the form of a postal code, such as `10115`, `SW1A 1AA`, `1012 AB` or `D-10115`. It must be one or two words that
  /// together have three to ten letters and digits, at least one digit, at most five letters, and at most three letters in a row.
  public static func isCode(_ text: String) -> Bool {
    var (letters, lettersInRow, digits, separators) = (0, 0, 0, 0)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits += 1
        lettersInRow = 0
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        letters += 1
        lettersInRow += 1
        guard lettersInRow <= 3 else { return false }
      case UInt8(ascii: " "), UInt8(ascii: "-"):
        separators += 1
        lettersInRow = 0
      default: return false
      }
    }
    return digits >= 1 && letters <= 5 && (3...10).contains(letters + digits) && separators <= 1 && text.utf8.first != UInt8(ascii: "-")
  }
}
