/// The numbers of English streets, which maps have as words or as numbers: `Fifth Avenue` is 5th Avenue.
enum Ordinals {
  private static let words = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
  ]

  /// The other way to write each.
  private static let others: [String: String] = {
    var others: [String: String] = [:]
    for (index, word) in words.enumerated() {
      let number = number(index + 1)
      others[word] = number
      others[number] = word
    }
    return others
  }()

  /// The words with their ordinals written otherwise, and with the number before a street's word as the ordinal that it is (`w 42 street`);
  /// nil where there is none.
  static func otherwise(_ words: [String]) -> [String]? {
    var found = words
    for (index, word) in zip(words.indices, words) where index < words.count - 1 {
      if let other = others[word] {
        found[index] = other
      } else if ShortWords.isStreet(words[index + 1]), let value = Int(word), (1...999).contains(value) {
        found[index] = number(value)
      }
    }
    return found == words ? nil : found
  }

  /// `1st`, `2nd`, `3rd`, `11th`, `42nd`.
  private static func number(_ value: Int) -> String {
    let ending = (11...13).contains(value % 100) ? "th" : [1: "st", 2: "nd", 3: "rd"][value % 10] ?? "th"
    return "\(value)\(ending)"
  }
}
