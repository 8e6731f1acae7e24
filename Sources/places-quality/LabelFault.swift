import Text

/// What is wrong with the label of a place, such as `Berlin, Germany`.
enum LabelFault: String {
  case repetition = "a region or country is, or begins with, a part before it"
  case kindOfRegion = "a region has a word for its kind"
  case otherScript = "characters of the other Chinese script"

  /// The first fault of a label; nil if there is none.
  /// - Parameter language: the requested language, such as `de` or `zh-Hant`.
  init?(_ label: String, language: String) {
    let parts = label.split(separator: ",").map { part in String(part.drop { $0 == " " }) }
    if LabelFault.hasRepetition(parts) {
      self = .repetition
    } else if parts.contains(where: { $0.hasPrefix("State of ") || $0.hasSuffix(" Municipality") }) {
      self = .kindOfRegion
    } else if language.hasPrefix("zh"), LabelFault.isOfOtherScript(label, isTraditional: language == "zh-Hant") {
      self = .otherScript
    } else {
      return nil
    }
  }

  /// Whether a part equals one before it, or begins with the words or, if the other part is Chinese, the characters of one before it:
  /// Lisbon, Lisbon District. A part may begin with one after it: Mexico City, Mexico.
  private static func hasRepetition(_ parts: [String]) -> Bool {
    for (index, part) in parts.enumerated() {
      for earlier in parts.prefix(index) where !earlier.isEmpty {
        // In UTF-8, most Chinese characters begin with a byte of at least 0xE4.
        let isSpaced = earlier.utf8.allSatisfy { $0 < 0xE4 }
        if part == earlier || part.hasPrefix(isSpaced ? earlier + " " : earlier) { return true }
      }
    }
    return false
  }

  /// Whether a label has a character of the other script. Each character is converted alone, because the conversion of a word depends on
  /// its meaning: for `內里`, a part of a transliterated name, it would choose another traditional character.
  private static func isOfOtherScript(_ label: String, isTraditional: Bool) -> Bool {
    label.contains { ChineseScript.converted(String($0), toTraditional: isTraditional) != String($0) }
  }
}
