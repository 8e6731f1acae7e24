/// The meanings of words in names of places, for modules that compare names by other rules.
public enum NameVocabulary {
  /// A key that is equal for an abbreviation and its long form (`St` and Saint), and for words for directions, sizes and ages in several
  /// languages (`N`, north and nord); nil for any other word, and for numbers.
  /// - Parameter word: a word that is folded to Latin letters in lower case.
  public static func meaning(of word: String) -> UInt64? {
    let key = Word.key(of: word)
    guard let entry = WordTable.entries[key], entry.kind != .number else { return longForms.contains(key) ? key : nil }
    return entry.key ?? (longForms.contains(key) ? key : nil)
  }

  /// True for an article, a preposition, and a legal form such as GmbH, which people leave out of a name.
  /// - Parameter word: a word that is folded to Latin letters in lower case.
  public static func isMinor(_ word: String) -> Bool {
    let kind = WordTable.entries[Word.key(of: word)]?.kind
    return kind == .filler || kind == .legal
  }

  /// The keys of the long forms of abbreviations.
  private static let longForms = Set(WordTable.entries.values.compactMap { $0.kind == .number ? nil : $0.key })
}
