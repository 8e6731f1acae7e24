import CTerminal

/// The width of texts on a terminal, in columns.
enum Width {
  /// The number of columns of a character: 2 for a wide one (East Asian, emoji), 0 for a combining mark alone.
  static func of(_ character: Character) -> Int {
    var widest = 0
    var isEmoji = false
    for scalar in character.unicodeScalars {
      // U+FE0F selects the emoji presentation, which is wide.
      if scalar == "\u{FE0F}" { isEmoji = true }
      widest = max(widest, Int(cterminal_width(scalar.value)))
    }
    return isEmoji ? 2 : widest
  }

  static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

  /// The beginning of a text that fits into this number of columns, followed by `…` if the text was cut.
  static func cut(_ text: String, to columns: Int) -> String {
    if of(text) <= columns { return text }
    guard columns > 0 else { return "" }
    var result = ""
    // One column is for the `…`.
    var used = 1
    for character in text {
      used += of(character)
      if used > columns { break }
      result.append(character)
    }
    return result + "…"
  }
}
