/// Which parts of a shown text a query matches.
public enum Highlighting {
  /// Half-open ranges in code points of `text`, ascending, without overlaps: each word of the query that a word of the text
  /// starts with, once; a query written together (`sanfran`) also across the text's words (`San Francisco`).
  ///
  /// Right also where folding changes lengths: `strass` in `Straße` ends after the `ß`, and a letter keeps its marks.
  public static func matches(of query: String, in text: String) -> [Range<Int>] {
    matches(ofWords: Folding.words(of: query), in: text)
  }

  /// The same for a query whose words are already folded.
  public static func matches(ofWords queryWords: [String], in text: String) -> [Range<Int>] {
    let words = Token.words(of: text)
    if let ranges = joined(queryWords.joined(), in: words) { return ranges }
    var used: Set<Int> = []
    var ranges: [Range<Int>] = []
    for wanted in queryWords {
      let candidates = words.indices.filter { !used.contains($0) && words[$0].folded.hasPrefix(wanted) }
      // The word itself before a longer one that only starts with it.
      guard let index = candidates.first(where: { words[$0].folded == wanted }) ?? candidates.first else { continue }
      used.insert(index)
      ranges.append(range(of: wanted.utf8.count, in: words[index]))
    }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The ranges of the first row of words that, written together, start with the query.
  private static func joined(_ query: String, in words: [Token]) -> [Range<Int>]? {
    guard !query.isEmpty else { return [] }
    let wanted = Array(query.utf8)
    for first in words.indices {
      var matched = 0
      var ranges: [Range<Int>] = []
      for word in words[first...] {
        let folded = word.folded.utf8
        let length = min(folded.count, wanted.count - matched)
        guard folded.prefix(length).elementsEqual(wanted[matched..<(matched + length)]) else { break }
        matched += length
        if length > 0 { ranges.append(range(of: length, in: word)) }
        if matched == wanted.count { return ranges }
      }
    }
    return nil
  }

  /// The fewest code points of a word whose folding covers so many bytes of the word's folding.
  private static func range(of length: Int, in word: Token) -> Range<Int> {
    guard length < word.folded.utf8.count else { return word.range }
    let scalars = word.text.unicodeScalars
    if scalars.count == word.folded.utf8.count, word.text.utf8.count == scalars.count {
      return word.range.lowerBound..<(word.range.lowerBound + length)
    }
    var count = 0
    var index = scalars.startIndex
    while index < scalars.endIndex {
      index = scalars.index(after: index)
      count += 1
      while index < scalars.endIndex, scalars[index].properties.isMark {
        index = scalars.index(after: index)
        count += 1
      }
      if Folding.key(String(scalars[..<index])).utf8.count >= length { break }
    }
    return word.range.lowerBound..<(word.range.lowerBound + count)
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isMark: Bool {
    switch generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
