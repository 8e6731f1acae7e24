/// Abbreviations for the kind of settlement, which precede names in Cyrillic addresses: `г. Москва`, `м.Київ`, `гр. София`.
enum SettlementPrefixes {
  /// Towns, cities and villages in Russian, Belarusian, Ukrainian and Bulgarian.
  private static let words: Set<String> = [
    "г", "гор", "город", "пгт", "пос", "посёлок", "поселок", "дер", "деревня", "село", "м", "місто", "смт", "гр", "град",
  ]
  /// Abbreviations with a full stop; some of these letters have other meanings without it.
  private static let abbreviations: Set<String> = words.union(["с", "д", "п", "ст", "х"]).filter { $0.count < 4 }

  /// The query without such words before another word.
  static func removed(from query: String) -> String {
    // In UTF-8 each Cyrillic letter of these words begins with one of two bytes.
    guard query.utf8.contains(where: { $0 == 0xD0 || $0 == 0xD1 }) else { return query }
    var kept: [Substring] = []
    var rest = query.split(separator: " ")
    while var word = rest.first {
      rest.removeFirst()
      let lowered = word.lowercased()
      // A long word after another one is part of a name: Красное Село. A short one is not: Россия г Москва.
      let begins = lowered.count < 4 || (kept.last.map { $0.hasSuffix(",") || $0.allSatisfy(\.isNumber) } ?? true)
      if begins, !rest.isEmpty, words.contains(lowered) { continue }
      if let stop = lowered.firstIndex(of: "."), abbreviations.contains(String(lowered[..<stop])) {
        word = word.drop { $0 != "." }.dropFirst()
        if word.isEmpty {
          // The name may not have been typed yet.
          if rest.isEmpty, kept.isEmpty { return query }
          continue
        }
      }
      kept.append(word)
    }
    return kept.joined(separator: " ") + (query.last == " " && !kept.isEmpty ? " " : "")
  }
}
