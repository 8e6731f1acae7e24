/// Other transliterations of words in scripts that leave some letters open.
enum ScriptVariants {
  /// Words that were typed in kana, with vowels as short as Hepburn romanization without marks has them: `oo`, `ou` and `uu` become one
  /// letter. Nil if that changes nothing.
  static func withoutLongVowels(_ words: [String], typed: String?) -> [String]? {
    guard let typed, typed.unicodeScalars.contains(where: { (0x3041...0x30FF).contains($0.value) || (0xFF66...0xFF9D).contains($0.value) })
    else { return nil }
    let short = words.map(withoutLongVowels)
    return short == words ? nil : short
  }

  /// The words with the Arabic article before the first; nil if the query is not Arabic or has the article.
  static func withArticle(_ words: [String], typed: String?) -> [String]? {
    guard let first = words.first, !first.hasPrefix("al"),
      let typed, typed.unicodeScalars.contains(where: { (0x0600..<0x0700).contains($0.value) })
    else { return nil }
    return ["al" + first] + words.dropFirst()
  }

  private static func withoutLongVowels(_ word: String) -> String {
    var short: [UInt8] = []
    for letter in word.utf8 {
      let isLong = letter == UInt8(ascii: "u") ? "ou".utf8.contains(short.last ?? 0) : letter == UInt8(ascii: "o") && short.last == letter
      if !isLong { short.append(letter) }
    }
    return String(decoding: short, as: UTF8.self)
  }
}
