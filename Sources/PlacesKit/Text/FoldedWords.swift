/// The words of a text with their foldings, for matching against the folded words of a query.
struct FoldedWords: Sendable {
  struct Word: Sendable {
    /// The range of the word's folding in `letters`.
    let folded: Range<Int>
    /// The word's range in the text, in code points.
    let codePoints: Range<Int>
    /// The word's range in the text, in UTF-8 bytes.
    let bytes: Range<Int>
  }

  private var words: [Word] = []
  /// The UTF-8 bytes of the words' foldings, one after the other.
  private var letters: [UInt8] = []

  mutating func reserveCapacity(words wordCount: Int, letters letterCount: Int) {
    words.reserveCapacity(wordCount)
    letters.reserveCapacity(letterCount)
  }

  /// Adds the next word of the text.
  mutating func append(_ folding: some Sequence<UInt8>, at codePoints: Range<Int>, bytes: Range<Int>) {
    let start = letters.count
    letters.append(contentsOf: folding)
    words.append(Word(folded: start..<letters.count, codePoints: codePoints, bytes: bytes))
  }

  /// The ranges that the words of a query match, as `Highlighting.matches` returns them.
  /// - Parameter covering: returns the shortest range of code points at the start of `word` whose folding has at least `length` bytes. The
  ///   range is not empty.
  func matches(ofWords queryWords: [String], covering: (_ length: Int, _ word: Word) -> Range<Int>) -> [Range<Int>] {
    if let ranges = rangesOfJoinedWords(queryWords, covering) { return ranges }
    var ranges: [Range<Int>] = []
    for queryWord in queryWords {
      var foundWord: Word?
      // Two words of the query do not match the same word of the text.
      for word in words where has(word, prefix: queryWord) && !ranges.contains(where: { $0.lowerBound == word.codePoints.lowerBound }) {
        // A word whose folding equals the query's word is preferred to a longer word that starts with it.
        let isWhole = word.folded.count == queryWord.utf8.count
        if foundWord == nil || isWhole { foundWord = word }
        if isWhole { break }
      }
      if let foundWord { ranges.append(part(of: foundWord, queryWord.utf8.count, covering)) }
    }
    if ranges.count > 1 { ranges.sort { $0.lowerBound < $1.lowerBound } }
    return ranges
  }

  /// The words of a query that are not the beginning of any word of the text. Empty if the text starts with the whole query, with or
  /// without its spaces.
  func unmatched(_ queryWords: [String]) -> [String] {
    if matchedLength(of: queryWords, from: 0) != nil { return [] }
    return queryWords.filter { queryWord in !words.contains { has($0, prefix: queryWord) } }
  }

  /// The ranges of the first consecutive words that, joined without spaces, start with all words of the query, joined in the same way. So
  /// `sanfran` and `san fran` match `San Francisco`. Nil if there are no such words.
  private func rangesOfJoinedWords(_ queryWords: [String], _ covering: (Int, Word) -> Range<Int>) -> [Range<Int>]? {
    for first in words.indices {
      guard var bytesLeft = matchedLength(of: queryWords, from: words[first].folded.lowerBound) else { continue }
      var ranges: [Range<Int>] = []
      for word in words[first...] where bytesLeft > 0 && !word.folded.isEmpty {
        ranges.append(part(of: word, bytesLeft, covering))
        bytesLeft -= min(word.folded.count, bytesLeft)
      }
      return ranges
    }
    return queryWords.allSatisfy(\.isEmpty) ? [] : nil
  }

  /// The code points at the start of a word whose folding has at least `length` bytes; all code points if the word's folding is not longer.
  private func part(of word: Word, _ length: Int, _ covering: (Int, Word) -> Range<Int>) -> Range<Int> {
    length > 0 && length < word.folded.count ? covering(length, word) : word.codePoints
  }

  /// True if the word's folding starts with `prefix`. Bytes are compared, as in the gazetteer's index, because a typed text may end between
  /// a letter and its marks.
  private func has(_ word: Word, prefix: String) -> Bool {
    prefix.utf8.count <= word.folded.count && letters[word.folded].starts(with: prefix.utf8)
  }

  /// The total number of bytes of the query's words, if `letters` has exactly these bytes from `start` on; otherwise nil.
  private func matchedLength(of queryWords: [String], from start: Int) -> Int? {
    var position = start
    for queryWord in queryWords {
      for byte in queryWord.utf8 {
        guard position < letters.count, letters[position] == byte else { return nil }
        position += 1
      }
    }
    return position - start
  }
}
