import SQLite

extension Matcher {
  /// What is found where words that nothing has are read as those that they may have been meant for: of `landstrase 97 schaan` the house at
  /// Landstrasse, and of `dorfstrasse 60 triesn` the one in Triesen.
  func mistypedWords(_ words: [String]) throws(SQLiteError) -> TopList {
    var found = another()
    guard reading.isAlphabetic, (2...8).contains(words.count) else { return found.top }
    var readings = [(words: [String](), errors: 0)]
    var mistyped = 0
    for (index, word) in words.enumerated() {
      var meant = [(word, 0)]
      if try !isWord(word) {
        mistyped += 1
        // The last one may be unfinished instead.
        let unfinished = index == words.count - 1 ? meant : []
        meant = mistyped < MatchWeight.errors.count ? try wordsMeant(by: word).map { ($0, 1) } + unfinished : unfinished
      }
      readings = readings.flatMap { reading in meant.map { (reading.words + [$0.0], reading.errors + $0.1) } }
    }
    for (words, errors) in readings where errors > 0 {
      let times = MatchWeight.errors[errors]
      try found.matchName(words[...], times: times, in: [])
      for split in try areaSplits(words) { try found.matchName(split.name, times: times * split.weight, in: split.areas) }
    }
    return found.top
  }

  /// So many readings of a word are tried, the likeliest first.
  private static let mostMeant = 4

  /// Words with one error less; none for short words, which may have been meant for too many.
  private func wordsMeant(by word: String) throws(SQLiteError) -> [String] {
    guard word.utf8.count >= TypingErrors.shortestBeside else { return [] }
    var meant: [String] = []
    for guess in TypingErrors.guesses(for: word, errors: 1, in: file.mapped.prefixes) where meant.count < Matcher.mostMeant {
      let text = String(decoding: guess.text, as: UTF8.self)
      if try isWord(text) { meant.append(text) }
    }
    return meant
  }

  /// Whether some name or address has the word, or some area is called so.
  private func isWord(_ word: String) throws(SQLiteError) -> Bool {
    if word.contains(where: \.isNumber) { return true }
    for lookup in reading.words { if try file.places(lookup.kind, word) != nil { return true } }
    return try file.places(.area, word) != nil
  }
}
