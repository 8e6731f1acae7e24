/// Abbreviations for the kind of settlement, which precede names in Cyrillic addresses: `г. Москва`, `м.Київ`, `гр. София`.
enum SettlementPrefixes {
  /// Towns, cities and villages in Russian, Belarusian, Ukrainian and Bulgarian.
  private static let words: Set<String> = [
    "г", "гор", "город", "пгт", "пос", "посёлок", "поселок", "дер", "деревня", "село", "м", "місто", "смт", "гр", "град",
  ]
  /// Abbreviations that a full stop follows. Some of these letters have other meanings without a full stop.
  private static let abbreviations: Set<String> = words.union(["с", "д", "п", "ст", "х"]).filter { $0.count < 4 }

  /// The query without the words that state the kind of settlement before a name.
  static func removed(from query: String) -> String {
    // In UTF-8 each Cyrillic letter of these words begins with one of two bytes.
    guard query.utf8.contains(where: { $0 == 0xD0 || $0 == 0xD1 }) else { return query }
    var kept: [Substring] = []
    var remaining = query.split(separator: " ")
    while var word = remaining.first {
      remaining.removeFirst()
      let lowered = word.lowercased()
      // A long word after another one is part of a name: Красное Село. A short one is not: Россия г Москва.
      let followsName = kept.last.map { !$0.hasSuffix(",") && !$0.allSatisfy(\.isNumber) } ?? false
      if lowered.count < 4 || !followsName, !remaining.isEmpty, words.contains(lowered) { continue }
      if let stop = lowered.firstIndex(of: "."), abbreviations.contains(String(lowered[..<stop])) {
        word = word.drop { $0 != "." }.dropFirst()
        if word.isEmpty {
          // The name may not have been typed yet.
          if remaining.isEmpty, kept.isEmpty { return query }
          continue
        }
      }
      kept.append(word)
    }
    return kept.joined(separator: " ") + (query.last == " " && !kept.isEmpty ? " " : "")
  }
}
