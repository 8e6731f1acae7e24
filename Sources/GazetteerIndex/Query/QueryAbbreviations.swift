/// Writes out abbreviations of words in names: `sta marta`, `cd juárez`, `rose st`. At the end of a query, an abbreviation that is a prefix
/// of its word matches without this; `ave` is here for queries in which other words follow it.
enum QueryAbbreviations {
  /// Abbreviations in names of towns: Spanish and Portuguese ones, and those of the United States Postal Service (Publication 28, appendix
  /// C1).
  private static let townWords: [String: String] = [
    "cd": "ciudad", "cnel": "coronel", "gral": "general", "nva": "nueva", "pto": "puerto", "sra": "senora", "sta": "santa", "sto": "santo",
    "bch": "beach", "ctr": "center", "fls": "falls", "hbr": "harbor", "hts": "heights", "jct": "junction", "lk": "lake", "mtn": "mountain",
    "spgs": "springs", "vlg": "village", "vly": "valley",
  ]

  /// Abbreviations of words that end or, in French, begin the name of a street (Publication 28, appendix C1; La Poste's types of ways).
  private static let streetWords: [String: String] = [
    "av": "avenue", "ave": "avenue", "bd": "boulevard", "blvd": "boulevard", "cres": "crescent", "ct": "court", "dr": "drive",
    "fg": "faubourg", "fbg": "faubourg", "hwy": "highway", "ln": "lane", "pkwy": "parkway", "pl": "place", "rd": "road", "rte": "route",
    "sq": "square",
  ]

  /// The maximum number of words that are tried, one at a time, as the abbreviation of a street type: `oak st st paul ct` has three.
  private static let maxStreetReadings = 3

  /// The words with all abbreviations in names of towns written out; and for each abbreviation of a street word, the same with this one
  /// written out too. Only one is written out at a time, because a street's name has one such word: another `st` is a saint (`grand ave st
  /// paul`), and another `ct` is Connecticut (`elm st hartford ct`).
  static func readings(of words: [String]) -> [[String]] {
    let withTownWords = words.map { townWords[$0] ?? $0 }
    var readings = withTownWords == words ? [] : [withTownWords]
    let limit = readings.count + maxStreetReadings
    for index in words.indices where readings.count < limit {
      guard let streetWord = streetWord(words, index) else { continue }
      var reading = withTownWords
      reading[index] = streetWord
      readings.append(reading)
    }
    return readings
  }

  /// The words with the last one, an abbreviation of a street, written out. Nil if the last word is not such an abbreviation, or is an
  /// English or French one without words before it.
  static func street(endingIn words: [String]) -> [String]? {
    let german = Abbreviations.writtenOut(words)
    if german.last != words.last { return german }
    guard words.count > 1, let streetWord = streetWord(words, words.count - 1) else { return nil }
    return words.dropLast() + [streetWord]
  }

  /// The street word that the word at an index abbreviates; nil if there is none. `st` at the beginning of the words is a saint.
  private static func streetWord(_ words: [String], _ index: Int) -> String? {
    words[index] == "st" && index > 0 ? "street" : streetWords[words[index]]
  }

  /// Whether a word, written out, is a street word such as `avenue`.
  static func isStreet(_ word: String) -> Bool { word == "street" || streetWords.values.contains(word) }
}

/// Rewrites ordinals in the names of English streets, which maps write as words or as numbers: `Fifth Avenue` is 5th Avenue.
enum OrdinalWords {
  private static let ordinals = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
  ]
  private static let valuesByWord = Dictionary(uniqueKeysWithValues: ordinals.enumerated().map { ($1, $0 + 1) })
  private static let valuesByNumeral = Dictionary(uniqueKeysWithValues: ordinals.indices.map { (numeral($0 + 1), $0 + 1) })

  /// The words with their ordinals written as numbers, and with them written as words. A reading that equals the typed words is left out. A
  /// plain number before a street word is an ordinal (`w 42 street`).
  static func readings(of words: [String]) -> [[String]] {
    var (asNumerals, asWords) = (words, words)
    for (index, word) in zip(words.indices, words) where index < words.count - 1 {
      let plainNumber = QueryAbbreviations.isStreet(words[index + 1]) ? Int(word).flatMap { (1...999).contains($0) ? $0 : nil } : nil
      guard let value = valuesByWord[word] ?? valuesByNumeral[word] ?? plainNumber else { continue }
      asNumerals[index] = numeral(value)
      asWords[index] = value <= ordinals.count ? ordinals[value - 1] : numeral(value)
    }
    return (asNumerals == asWords ? [asNumerals] : [asNumerals, asWords]).filter { $0 != words }
  }

  /// The ordinal of a number, in digits: `1st`, `2nd`, `3rd`, `11th`, `42nd`.
  private static func numeral(_ value: Int) -> String {
    let ending = (11...13).contains(value % 100) ? "th" : [1: "st", 2: "nd", 3: "rd"][value % 10] ?? "th"
    return "\(value)\(ending)"
  }
}
