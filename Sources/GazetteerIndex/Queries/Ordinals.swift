/// The numbers of English streets, which maps have as words or as numbers: `Fifth Avenue` is 5th Avenue.
enum Ordinals {
  private static let words = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
  ]

  private static let values = Dictionary(uniqueKeysWithValues: words.enumerated().map { ($1, $0 + 1) })
  private static let numbers = Dictionary(uniqueKeysWithValues: words.indices.map { (number($0 + 1), $0 + 1) })

  /// The words with their ordinals as numbers, and as words, where that differs from what they are. The number before a street's word is
  /// the ordinal that it means (`w 42 street`).
  static func otherwise(_ words: [String]) -> [[String]] {
    var (asNumbers, asWords) = (words, words)
    for (index, word) in zip(words.indices, words) where index < words.count - 1 {
      let bare = ShortWords.isStreet(words[index + 1]) ? Int(word).flatMap { (1...999).contains($0) ? $0 : nil } : nil
      guard let value = values[word] ?? numbers[word] ?? bare else { continue }
      asNumbers[index] = number(value)
      asWords[index] = value <= Ordinals.words.count ? Ordinals.words[value - 1] : number(value)
    }
    return (asNumbers == asWords ? [asNumbers] : [asNumbers, asWords]).filter { $0 != words }
  }

  /// `1st`, `2nd`, `3rd`, `11th`, `42nd`.
  private static func number(_ value: Int) -> String {
    let ending = (11...13).contains(value % 100) ? "th" : [1: "st", 2: "nd", 3: "rd"][value % 10] ?? "th"
    return "\(value)\(ending)"
  }
}
