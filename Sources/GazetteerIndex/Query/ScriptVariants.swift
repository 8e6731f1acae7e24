/// Makes other transliterations of words, for scripts whose letters can be transliterated in several ways.
enum ScriptVariants {
  /// Words that were typed in kana, with their long vowels shortened: `oo`, `ou` and `uu` become one letter, as in Hepburn romanization
  /// without marks. Nil if the text has no kana or no long vowels.
  /// - Parameter typed: the text before folding; nil if folding changes nothing but case.
  static func withoutLongVowels(_ words: [String], typed: String?) -> [String]? {
    guard let typed, typed.unicodeScalars.contains(where: { (0x3041...0x30FF).contains($0.value) || (0xFF66...0xFF9D).contains($0.value) })
    else { return nil }
    let shortened = words.map(withoutLongVowels)
    return shortened == words ? nil : shortened
  }

  /// The words with the Arabic article before the first word; nil if the text is not Arabic or has the article.
  /// - Parameter typed: the text before folding; nil if folding changes nothing but case.
  static func withArticle(_ words: [String], typed: String?) -> [String]? {
    guard let first = words.first, !first.hasPrefix("al"),
      let typed, typed.unicodeScalars.contains(where: { (0x0600..<0x0700).contains($0.value) })
    else { return nil }
    return ["al" + first] + words.dropFirst()
  }

  private static func withoutLongVowels(_ word: String) -> String {
    var shortened: [UInt8] = []
    for letter in word.utf8 {
      let previousLetter = shortened.last
      // A `u` after `o` or `u`, and an `o` after `o`, only lengthen the vowel.
      let lengthensVowel =
        switch letter {
        case UInt8(ascii: "u"): previousLetter == UInt8(ascii: "o") || previousLetter == UInt8(ascii: "u")
        case UInt8(ascii: "o"): previousLetter == UInt8(ascii: "o")
        default: false
        }
      if !lengthensVowel { shortened.append(letter) }
    }
    return String(decoding: shortened, as: UTF8.self)
  }
}
