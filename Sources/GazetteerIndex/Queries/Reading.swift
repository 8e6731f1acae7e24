/// How a query was written: it decides whose names are meant by it.
struct Reading {
  /// The language asked for, without its country; empty where none was.
  var language = ""
  /// Whether all letters are Latin.
  var isLatin = true

  init(_ query: String, language: String?) {
    self.language = language.map { PlaceTerms.base($0) } ?? ""
    isLatin = LatinLetters.only(in: query)
  }

  /// One list in which a name or word is looked up, and what it is worth in full and as a beginning.
  struct Lookup {
    var kind: TermKind
    var whole: Double
    /// Nil where a beginning says too little.
    var start: Double?
    /// Whether a beginning counts only as most of the name: that of any name in any language says nothing.
    var isVague = false
  }

  /// Where names are looked up, best first.
  var names: [Lookup] {
    let localised = language.isEmpty ? [] : [Lookup(kind: .localisedName, whole: MatchWeight.name, start: MatchWeight.nameStart)]
    if isLatin {
      return [Lookup(kind: .name, whole: MatchWeight.name, start: MatchWeight.nameStart)] + localised + [
        Lookup(kind: .otherName, whole: MatchWeight.otherName, start: MatchWeight.otherNameStart, isVague: true),
        Lookup(kind: .scriptName, whole: MatchWeight.crossing, start: nil),
      ]
    }
    return localised + [
      Lookup(kind: .scriptName, whole: MatchWeight.name, start: MatchWeight.nameStart),
      Lookup(kind: .name, whole: MatchWeight.crossing, start: nil), Lookup(kind: .otherName, whole: MatchWeight.crossing, start: nil),
    ]
  }

  /// Where words are looked up, best first.
  var words: [Lookup] {
    let own = Lookup(kind: isLatin ? .word : .scriptWord, whole: MatchWeight.words, start: MatchWeight.wordStarts)
    return isLatin
      ? [own, Lookup(kind: .otherWord, whole: MatchWeight.otherWords, start: MatchWeight.otherWordStarts, isVague: true)] : [own]
  }

  /// What is tried when hardly anything else is found: beginnings written in another script than the name.
  var lastNames: [Lookup] {
    (isLatin ? [TermKind.scriptName] : [.name, .otherName]).map {
      Lookup(kind: $0, whole: MatchWeight.crossing, start: MatchWeight.crossingStart, isVague: true)
    }
  }

  var lastWords: [Lookup] {
    (isLatin ? [TermKind.scriptWord] : [.word, .otherWord]).map {
      Lookup(kind: $0, whole: MatchWeight.crossingStart, start: MatchWeight.crossingStart, isVague: true)
    }
  }

  /// The text under which names of a kind are found.
  func text(_ key: String, in kind: TermKind) -> String { kind == .localisedName ? PlaceTerms.localised(key, language) : key }
}
