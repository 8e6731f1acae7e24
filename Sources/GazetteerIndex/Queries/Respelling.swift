/// Other letters for words in scripts that leave some open. What was typed was looked up before.
enum Respelling {
  /// The words as names in Latin letters have them that were typed in kana, where vowels are long (`とうきょう` is toukyou, and Tokyo), and
  /// with the article of an Arabic name whose first word was typed without (`قاهرة` for القاهرة); nil where that changes nothing.
  static func respelled(_ words: [String], typed: String) -> [String]? {
    guard let first = words.first else { return nil }
    if typed.unicodeScalars.contains(where: { (0x3041...0x30FF).contains($0.value) || (0xFF66...0xFF9D).contains($0.value) }) {
      let short = words.map(withoutLongVowels)
      return short == words ? nil : short
    }
    guard typed.unicodeScalars.contains(where: { (0x0600..<0x0700).contains($0.value) }), !first.hasPrefix("al") else { return nil }
    return ["al" + first] + words.dropFirst()
  }

  /// As the Hepburn romanization leaves them without marks: `oo`, `ou` and `uu` become one letter.
  private static func withoutLongVowels(_ word: String) -> String {
    var short: [UInt8] = []
    for letter in word.utf8 {
      let isLong = letter == UInt8(ascii: "u") ? "ou".utf8.contains(short.last ?? 0) : letter == UInt8(ascii: "o") && short.last == letter
      if !isLong { short.append(letter) }
    }
    return String(decoding: short, as: UTF8.self)
  }
}
