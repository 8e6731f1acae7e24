/// A kind of terms in which a name or word is looked up, and the weights of a match with such a term.
///
/// A row shows a place's name in the requested language, otherwise the name in a language of its country, otherwise its main name
/// (`StoredPlaceText`). A match of a name that the row shows weighs more than a match of another name.
struct TermLookup {
  var kind: TermKind
  /// The weight of a whole name or word.
  var wholeWeight: Double
  /// The weight of a prefix; nil if prefixes are not looked up.
  var prefixWeight: Double?
  /// Whether a match says little about what the user means, because the terms are names or words in any language or in another script:
  /// nearly every short text is a prefix of one of them. A prefix of such a term counts only if it is most of the term
  /// (`IndexFile.places(_:mostOf:)`), and a whole term raises the place's importance no more than a prefix does.
  var isLowConfidence = false

  /// A copy with its weights multiplied by a factor.
  private func weighted(by factor: Double) -> TermLookup {
    TermLookup(
      kind: kind, wholeWeight: wholeWeight * factor, prefixWeight: prefixWeight.map { $0 * factor }, isLowConfidence: isLowConfidence)
  }

  /// The kinds of names, in descending order of weight: names that a row shows before names that it does not show, and names in the query's
  /// script before others.
  /// - Parameters:
  ///   - language: the requested language; empty if none was requested.
  ///   - isLatin: whether all letters of the query are Latin.
  ///   - isAlphabetic: whether the query's script is an alphabet (`ParsedQuery.isAlphabetic`).
  ///   - hasMarks: whether folding changes the query in more than case.
  static func names(language: String, isLatin: Bool, isAlphabetic: Bool, hasMarks: Bool) -> [TermLookup] {
    let spelledNames = hasMarks ? [TermLookup(kind: .spelledName, wholeWeight: MatchWeight.name, prefixWeight: MatchWeight.namePrefix)] : []
    let localisedNames =
      language.isEmpty ? [] : [TermLookup(kind: .localisedName, wholeWeight: MatchWeight.name, prefixWeight: MatchWeight.namePrefix)]
    guard isLatin else {
      let preferredLookups = spelledNames + localisedNames.map { $0.weighted(by: MatchWeight.hiddenName) }
      let scriptLookup = TermLookup(
        kind: .scriptName, wholeWeight: MatchWeight.otherScript, prefixWeight: isAlphabetic ? MatchWeight.otherScriptPrefix : nil)
      let lookupsInScript = preferredLookups + [scriptLookup]
      // Different names in Han characters or kana may have the same transliteration, so names in Latin letters are looked up only if
      // nothing else matches (`fallbackNames`).
      guard isAlphabetic else { return lookupsInScript }
      return lookupsInScript + [.name, .localName, .otherName].map { TermLookup(kind: $0, wholeWeight: MatchWeight.transliterated) }
    }
    let showsLocalNames = language.isEmpty
    return spelledNames + localisedNames + [
      TermLookup(kind: .name, wholeWeight: MatchWeight.name, prefixWeight: MatchWeight.namePrefix),
      TermLookup(
        kind: .localName, wholeWeight: showsLocalNames ? MatchWeight.name : MatchWeight.hiddenName,
        prefixWeight: showsLocalNames ? MatchWeight.namePrefix : MatchWeight.hiddenPrefix),
      TermLookup(kind: .commonAlias, wholeWeight: MatchWeight.name),
      TermLookup(kind: .exonym, wholeWeight: MatchWeight.hiddenName, prefixWeight: MatchWeight.exonymPrefix),
      TermLookup(kind: .otherName, wholeWeight: MatchWeight.otherName, prefixWeight: MatchWeight.otherNamePrefix, isLowConfidence: true),
    ]
  }

  /// The kinds of words, in descending order of weight.
  static func words(showsLocalNames: Bool, isLatin: Bool, isAlphabetic: Bool) -> [TermLookup] {
    guard isLatin else {
      return [TermLookup(kind: .scriptWord, wholeWeight: MatchWeight.words, prefixWeight: isAlphabetic ? MatchWeight.wordPrefixes : nil)]
    }
    // A prefix of a word that no row shows means nothing: `syd` is a prefix of a word of Region Syddanmark, which an English row shows as
    // Region South Denmark. A prefix of a word of the main or English name means little if the row shows another name: `berl` is a prefix
    // of a word of Bernau bei Berlin, which the row shows as Bernau.
    return [
      TermLookup(kind: .word, wholeWeight: MatchWeight.words, prefixWeight: MatchWeight.wordPrefixes),
      TermLookup(
        kind: .englishWord, wholeWeight: MatchWeight.words,
        prefixWeight: showsLocalNames ? MatchWeight.hiddenWordPrefix : MatchWeight.wordPrefixes),
      TermLookup(
        kind: .localWord, wholeWeight: showsLocalNames ? MatchWeight.words : MatchWeight.otherWords,
        prefixWeight: showsLocalNames ? MatchWeight.wordPrefixes : nil),
      TermLookup(kind: .otherWord, wholeWeight: MatchWeight.otherWords, prefixWeight: MatchWeight.otherWordPrefixes, isLowConfidence: true),
    ]
  }

  /// The kinds of names in other scripts than the query's, looked up if nothing else matches.
  static func fallbackNames(isLatin: Bool, isAlphabetic: Bool) -> [TermLookup] {
    let otherKinds = isLatin ? [TermKind.scriptName] : [.name, .localName, .otherName]
    let scriptLookup = TermLookup(kind: .scriptName, wholeWeight: MatchWeight.otherScript, prefixWeight: MatchWeight.otherScriptPrefix)
    return (isAlphabetic ? [] : [scriptLookup])
      + otherKinds.map {
        TermLookup(kind: $0, wholeWeight: MatchWeight.transliterated, prefixWeight: MatchWeight.transliteratedPrefix, isLowConfidence: true)
      }
  }

  /// The kinds of words in other scripts, looked up if nothing else matches.
  static func fallbackWords(isLatin: Bool) -> [TermLookup] {
    (isLatin ? [TermKind.scriptWord] : [.word, .englishWord, .localWord, .otherWord]).map {
      TermLookup(
        kind: $0, wholeWeight: MatchWeight.transliteratedPrefix, prefixWeight: MatchWeight.transliteratedPrefix, isLowConfidence: true)
    }
  }

  /// The kinds that together contain the words of all names in Latin letters.
  static let latinWords: [TermKind] = [.word, .englishWord, .localWord, .otherWord]
}
