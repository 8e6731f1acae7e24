/// Removes words for the kind of settlement, which precede names in Cyrillic addresses: `г. Москва`, `м.Київ`, `гр. София`.
enum SettlementPrefixes {
  /// Words and abbreviations for towns, cities and villages in Russian, Belarusian, Ukrainian and Bulgarian.
  private static let words: Set<String> = [
    "г", "гор", "город", "пгт", "пос", "посёлок", "поселок", "дер", "деревня", "село", "м", "місто", "смт", "гр", "град",
  ]
  /// The maximum length of an abbreviation in letters.
  private static let maxAbbreviationLength = 3
  /// Abbreviations that a full stop may follow. Some of them are other words if no full stop follows.
  private static let abbreviations: Set<String> = words.union(["с", "д", "п", "ст", "х"]).filter { $0.count <= maxAbbreviationLength }

  /// The query without the words that state the kind of settlement before a name.
  static func removed(from query: String) -> String {
    // In UTF-8 each Cyrillic letter of these words begins with one of two bytes.
    guard query.utf8.contains(where: { $0 == 0xD0 || $0 == 0xD1 }) else { return query }
    var keptWords: [Substring] = []
    var remainingWords = query.split(separator: " ")
    while var word = remainingWords.first {
      remainingWords.removeFirst()
      let lowercased = word.lowercased()
      // A long word after another word is part of a name: Красное Село. An abbreviation is not: Россия г Москва.
      let followsName = keptWords.last.map { !$0.hasSuffix(",") && !$0.allSatisfy(\.isNumber) } ?? false
      let mayBePrefix = lowercased.count <= maxAbbreviationLength || !followsName
      if mayBePrefix, !remainingWords.isEmpty, words.contains(lowercased) { continue }
      if let fullStop = lowercased.firstIndex(of: "."), abbreviations.contains(String(lowercased[..<fullStop])) {
        word = word.drop { $0 != "." }.dropFirst()
        if word.isEmpty {
          // The name may not have been typed yet.
          if remainingWords.isEmpty, keptWords.isEmpty { return query }
          continue
        }
      }
      keptWords.append(word)
    }
    return keptWords.joined(separator: " ") + (query.last == " " && !keptWords.isEmpty ? " " : "")
  }
}
