import Text

/// How a query was written: it decides whose names are meant by it.
struct Reading {
  /// The language asked for, without its country; empty where none was.
  var language = ""
  /// Whether all letters are Latin.
  var isLatin = true
  /// Whether each letter stands for a sound, so that one may be mistyped: in Latin, Greek, Cyrillic, Armenian and Georgian.
  var isAlphabetic = true
  /// The letters as they were typed; nil where all are ASCII.
  var spelling: String?
  /// Whether nothing more will be typed.
  var isFinished = false
  /// Whether letters alone stand for words that begin so.
  private(set) var initials = Initials.none
  /// The words that were typed, folded.
  let folded: [String]
  /// The same as names in Latin letters or with their article have them; nil where that is nothing else.
  private(set) var respelled: [String]?
  /// Where names are looked up, best first.
  let names: [Lookup]
  /// Where words are looked up, best first.
  let words: [Lookup]

  init(_ typed: String, language: String?, isFinished: Bool = false) {
    let query = Settlements.bare(typed)
    self.isFinished = isFinished
    self.language = language.map { PlaceTerms.base($0) } ?? ""
    isLatin = LatinScript.only(in: query)
    isAlphabetic = isLatin || query.unicodeScalars.allSatisfy { $0.value < 0x590 || (0x10A0..<0x1100).contains($0.value) }
    spelling = Folding.spelling(of: query)
    folded = Abbreviations.writtenOut(Folding.words(of: query), isFinished: isFinished)
    if isAlphabetic { initials = Initials(query, folded) }
    if !isAlphabetic { respelled = Respelling.respelled(folded, typed: query) }
    names = Reading.names(language: self.language, isLatin, isAlphabetic, isSpelled: spelling != nil)
    words = Reading.words(showsLocal: self.language.isEmpty, isLatin, isAlphabetic, isSpelled: spelling != nil)
  }

  /// One list in which a name or word is looked up, and what it is worth in full and as a beginning.
  struct Lookup {
    var kind: TermKind
    var whole: Double
    /// Nil where a beginning says too little.
    var start: Double?
    /// What the whole name is worth of a place that spells one as it was typed; nil where a list tells that, or no mark was typed.
    var spelled: Double?
    /// Whether a beginning counts only as most of the name: that of any name in any language says nothing.
    var isVague = false

    func times(_ factor: Double) -> Lookup {
      var lookup = self
      lookup.whole *= factor
      lookup.start = start.map { $0 * factor }
      return lookup
    }

    /// The same for a query with marks. How a place spells its own names stands in a list; of others only the place itself tells.
    func foldedAlike() -> Lookup {
      var lookup = times(MatchWeight.folded)
      if kind != .name, kind != .localName { lookup.spelled = whole }
      return lookup
    }
  }

  /// What a row shows counts before what it doesn't, and what is spelled as it was typed, mark for mark and in its script, before what is
  /// only folded alike: `kö` means Köln before Kolkata.
  private static func names(language: String, _ isLatin: Bool, _ isAlphabetic: Bool, isSpelled: Bool) -> [Lookup] {
    let spelled = isSpelled ? [Lookup(kind: .spelledName, whole: MatchWeight.name, start: MatchWeight.nameStart)] : []
    let localised = language.isEmpty ? [] : [Lookup(kind: .localisedName, whole: MatchWeight.name, start: MatchWeight.nameStart)]
    guard isLatin else {
      let own = spelled + localised.map { $0.times(MatchWeight.hiddenName) }
      let script = Lookup(kind: .scriptName, whole: MatchWeight.otherScript, start: isAlphabetic ? MatchWeight.otherScriptStart : nil)
      // Han and kana fold alike by chance, so that 北京 begins Basingstoke in katakana and 渋谷 is read as Сегу: what is spelled so comes first,
      // and names in Latin letters last.
      guard isAlphabetic else { return own + [script.foldedAlike()] }
      return own + [script] + [.name, .localName, .otherName].map { Lookup(kind: $0, whole: MatchWeight.crossing, start: nil) }
    }
    let showsLocal = language.isEmpty
    let folded =
      localised + [
        Lookup(kind: .name, whole: MatchWeight.name, start: MatchWeight.nameStart),
        Lookup(
          kind: .localName, whole: showsLocal ? MatchWeight.name : MatchWeight.hiddenName,
          start: showsLocal ? MatchWeight.nameStart : MatchWeight.hiddenStart),
        Lookup(kind: .commonAlias, whole: MatchWeight.name, start: nil),
        Lookup(kind: .otherName, whole: MatchWeight.otherName, start: MatchWeight.otherNameStart, isVague: true),
      ]
    return isSpelled ? spelled + folded.map { $0.foldedAlike() } : folded
  }

  private static func words(showsLocal: Bool, _ isLatin: Bool, _ isAlphabetic: Bool, isSpelled: Bool) -> [Lookup] {
    guard isLatin else {
      let words = Lookup(kind: .scriptWord, whole: MatchWeight.words, start: isAlphabetic ? MatchWeight.wordStarts : nil)
      return [isAlphabetic ? words : words.times(MatchWeight.folded)]
    }
    // The beginning of a word that no row shows says nothing: syd of Region Syddanmark, where it stands as Region South Denmark. That of an
    // English or main name says little, such as berl of Bernau bei Berlin, where it stands as Bernau.
    return [
      Lookup(kind: .word, whole: MatchWeight.words, start: MatchWeight.wordStarts),
      Lookup(
        kind: .englishWord, whole: MatchWeight.words, start: showsLocal ? MatchWeight.hiddenWordStart : MatchWeight.wordStarts),
      Lookup(
        kind: .localWord, whole: showsLocal ? MatchWeight.words : MatchWeight.otherWords,
        start: showsLocal ? MatchWeight.wordStarts : nil),
      Lookup(kind: .otherWord, whole: MatchWeight.otherWords, start: MatchWeight.otherWordStarts, isVague: true),
    ].map { $0.times(isSpelled ? MatchWeight.folded : 1) }
  }

  /// What is tried where nothing else is found: names in another script than what was typed.
  var lastNames: [Lookup] {
    let others = isLatin ? [TermKind.scriptName] : [.name, .localName, .otherName]
    return (isAlphabetic ? [] : [Lookup(kind: .scriptName, whole: MatchWeight.otherScript, start: MatchWeight.otherScriptStart)])
      + others.map { Lookup(kind: $0, whole: MatchWeight.crossing, start: MatchWeight.crossingStart, isVague: true) }
  }

  var lastWords: [Lookup] {
    (isLatin ? [TermKind.scriptWord] : [.word, .englishWord, .localWord, .otherWord]).map {
      Lookup(kind: $0, whole: MatchWeight.crossingStart, start: MatchWeight.crossingStart, isVague: true)
    }
  }

  /// The text under which names of a kind are found, for so many words of the query, written together; nil where none is.
  func text(_ key: String, words count: Int, in kind: TermKind) -> String? {
    switch kind {
    case .localisedName: PlaceTerms.localised(key, language)
    // The spelling is that of the whole query.
    case .spelledName: count == folded.count ? spelling : nil
    default: key
    }
  }
}
