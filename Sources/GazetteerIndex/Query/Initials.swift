/// Whether single letters or short parts of a query may abbreviate words, as in `s. paulo`, `n las vegas` and `ba-wü`.
enum Initials {
  /// No word before the last one is a single letter, or it is one because of an apostrophe (`l'aquila`).
  case none
  /// A word before the last one is a single letter.
  case possible
  /// A full stop follows a single letter before the last word.
  case certain
  /// The query is two parts of two to five letters with a hyphen between them. Each part may be the beginning of a word.
  case parts

  /// - Parameter words: the folded words of the typed text.
  init(_ typed: String, _ words: [String]) {
    let parts = typed.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, parts.allSatisfy({ (2...5).contains($0.count) && $0.allSatisfy(\.isLetter) }) {
      self = .parts
      return
    }
    let hasLongerWords = words.contains { !Initials.isInitial($0) }
    guard hasLongerWords, words.dropLast().contains(where: Initials.isInitial), !typed.contains(where: { "'’".contains($0) }) else {
      self = .none
      return
    }
    self = Initials.hasFullStop(typed) ? .certain : .possible
  }

  /// Whether a full stop follows a single letter. The full stop in `st.` or `5 a st.` does not.
  private static func hasFullStop(_ typed: String) -> Bool {
    var (isInWord, isSingle) = (false, false)
    for character in typed {
      if character == ".", isSingle { return true }
      isSingle = character.isLetter && !isInWord
      isInWord = character.isLetter || character.isNumber
    }
    return false
  }

  /// Whether a word is a single Latin letter.
  static func isInitial(_ word: String) -> Bool {
    guard word.utf8.count == 1, let letter = word.utf8.first else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
  }
}
