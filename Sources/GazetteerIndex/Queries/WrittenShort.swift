import SQLite

/// Words that people write short where names have them in full: by their first letter, as in `s. paulo`, `n las vegas` and
/// `ústí n. labem`, or without the letters in the middle, as in `sta marta` and `cd juárez`.
enum ShortWords {
  /// What Spanish and Portuguese shorten in names of towns, and the United States Postal Service (Publication 28, appendix C1). None of
  /// them begins the word it means; one that does needs no table.
  private static let inFull: [String: String] = [
    "cd": "ciudad", "cnel": "coronel", "gral": "general", "nva": "nueva", "pto": "puerto", "sra": "senora", "sta": "santa", "sto": "santo",
    "bch": "beach", "ctr": "center", "fls": "falls", "hbr": "harbor", "hts": "heights", "jct": "junction", "lk": "lake", "mtn": "mountain",
    "spgs": "springs", "vlg": "village", "vly": "valley",
  ]

  /// What ends or, in French, begins the name of a street (Publication 28, appendix C1; La Poste's abbreviations of types of ways).
  private static let streets: [String: String] = [
    "av": "avenue", "ave": "avenue", "bd": "boulevard", "blvd": "boulevard", "cres": "crescent", "ct": "court", "dr": "drive",
    "fg": "faubourg", "fbg": "faubourg", "hwy": "highway", "ln": "lane", "pkwy": "parkway", "pl": "place", "rd": "road", "rte": "route",
    "sq": "square",
  ]

  /// What the words may mean: with each that is no street's in full, and then as many times more with one word of a street too; and, where
  /// a number is among them, the same with it written otherwise (`Ordinals`). A street has one such word, so that `st` beside it is a saint
  /// (`grand ave st paul`) and `ct` Connecticut (`elm st hartford ct`); at the beginning `st` is a saint anyway.
  static func readings(of words: [String]) -> [[String]] {
    let full = words.map { inFull[$0] ?? $0 }
    var readings = [full]
    for index in words.indices where readings.count <= mostStreets {
      guard let street = street(words, index) else { continue }
      var reading = full
      reading[index] = street
      readings.append(reading)
    }
    return readings + readings.flatMap(Ordinals.otherwise)
  }

  /// The words with the last one as a street's in full; nil where it is none, or the only one.
  static func street(endingIn words: [String]) -> [String]? {
    guard words.count > 1, let street = street(words, words.count - 1) else { return nil }
    return words.dropLast() + [street]
  }

  private static func street(_ words: [String], _ index: Int) -> String? {
    words[index] == "st" && index > 0 ? "street" : streets[words[index]]
  }

  /// Words that a street ends in.
  static func isStreet(_ word: String) -> Bool { word == "street" || streets.values.contains(word) }

  /// So many words are tried as a street's: `oak st st paul ct` has three that may be.
  private static let mostStreets = 3
}

/// Whether letters alone stand for words that begin so.
enum Initials {
  /// There are none, but of words that lost their end (`l'aquila`).
  case none
  case perhaps
  /// A point follows one of them.
  case surely

  init(_ typed: String, _ words: [String]) {
    let hasOthers = words.contains { !Initials.isOne($0) }
    guard hasOthers, words.dropLast().contains(where: Initials.isOne), !typed.contains(where: { "'’".contains($0) }) else {
      self = .none
      return
    }
    self = Initials.hasPoint(typed) ? .surely : .perhaps
  }

  /// Whether a point stands right behind a letter alone: that of `st.` or at the end of `5 a st.` says nothing of others.
  private static func hasPoint(_ typed: String) -> Bool {
    var (isInWord, isAlone) = (false, false)
    for character in typed {
      if character == ".", isAlone { return true }
      isAlone = character.isLetter && !isInWord
      isInWord = character.isLetter || character.isNumber
    }
    return false
  }

  static func isOne(_ word: String) -> Bool {
    guard word.utf8.count == 1, let letter = word.utf8.first else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
  }
}

extension Matcher {
  /// The words with the short ones in full, and first letters as any word that begins so.
  mutating func matchWrittenShort(_ words: [String], _ splits: [AreaSplit]) throws(SQLiteError) {
    guard words.count > 1, reading.isAlphabetic else { return }
    for full in ShortWords.readings(of: words) {
      let splits = full == words ? splits : try areaSplits(full)
      if full != words { try matchName(full[...], splits) }
      guard reading.initials != .none else { continue }
      let times = reading.initials == .surely ? 1 : MatchWeight.initial
      try matchInitials(full[...], times, [])
      for split in splits { try matchInitials(split.name, times * split.weight, split.areas) }
    }
  }

  /// The last word is what it is: a letter that is still typed begins a word anyway.
  private mutating func matchInitials(_ words: ArraySlice<String>, _ times: Double, _ areas: [AreaSet]) throws(SQLiteError) {
    guard let last = words.last, words.dropLast().contains(where: Initials.isOne), !words.allSatisfy(Initials.isOne) else { return }
    for lookup in reading.words where !lookup.isVague {
      guard let start = lookup.start, mayEnter(times * start) else { continue }
      var lists: [PostingCursor] = []
      for word in words.dropLast() {
        let list = try Initials.isOne(word) ? file.places(lookup.kind, startingWith: word) : file.places(lookup.kind, word)
        if let list { lists.append(list) }
      }
      guard lists.count == words.count - 1 else { continue }
      if let list = try file.places(lookup.kind, last) { try walk(lists + [list], times * start, areas) }
      guard mayGoOn(words), let list = try file.places(lookup.kind, startingWith: last) else { continue }
      try walk(lists + [list], times * start, areas)
    }
  }
}
