import SQLite

extension Matcher {
  /// Places that match with two neighbours as one word: of `dorf strasse 60 triesen` what is at Dorfstrasse.
  func compounds(of words: [String]) throws(SQLiteError) -> TopList {
    var matcher = another()
    for (index, next) in zip(words.indices, words.indices.dropFirst()) where words.count > 2 {
      guard !words[index...next].contains(where: { $0.contains(where: \.isNumber) }) else { continue }
      let joined = Array(words[..<index]) + [words[index...next].joined()] + words[(next + 1)...]
      try matcher.matchName(joined[...], matcher.areaSplits(joined))
    }
    return matcher.top
  }
}
