/// The words of a text with their foldings, for matching against the folded words of a query. `Detail` is the owner's data of each word.
@frozen public struct FoldedWords<Detail: Sendable>: Sendable {
  @frozen public struct Word: Sendable {
    /// The range of its folding in `letters`.
    public let folded: Range<Int>
    /// Its range in the text, in code points.
    public let codePoints: Range<Int>
    public let detail: Detail

    @inlinable init(folded: Range<Int>, codePoints: Range<Int>, detail: Detail) {
      (self.folded, self.codePoints, self.detail) = (folded, codePoints, detail)
    }
  }

  @usableFromInline var held: [Word] = []
  /// The words' foldings, one after the other.
  @usableFromInline var letters: [UInt8] = []

  @inlinable public init() {}

  @inlinable public var words: [Word] { held }

  @inlinable public func folding(of word: Word) -> ArraySlice<UInt8> { letters[word.folded] }

  @inlinable public mutating func reserveCapacity(words: Int, letters: Int = 0) {
    held.reserveCapacity(words)
    self.letters.reserveCapacity(letters)
  }

  /// Adds the word after the last one.
  @inlinable public mutating func append(_ folding: some Sequence<UInt8>, at codePoints: Range<Int>, _ detail: Detail) {
    let start = letters.count
    letters.append(contentsOf: folding)
    held.append(Word(folded: start..<letters.count, codePoints: codePoints, detail: detail))
  }

  /// The ranges that the words of a query match, as `Highlighting.matches` returns them.
  /// - Parameter covering: the number of code points at a word's start that correspond to this many bytes of its folding, at least 1.
  @inlinable public func matches(ofWords wanted: [String], covering: (_ length: Int, _ word: Word) -> Range<Int>) -> [Range<Int>] {
    if let ranges = joined(wanted, covering: covering) { return ranges }
    var ranges: [Range<Int>] = []
    for text in wanted {
      var found: Word?
      for word in held where starts(word, text) && !ranges.contains(where: { $0.lowerBound == word.codePoints.lowerBound }) {
        // A word that equals the query's word is preferred to a longer word that starts with it.
        let isWhole = word.folded.count == text.utf8.count
        if found == nil || isWhole { found = word }
        if isWhole { break }
      }
      if let found { ranges.append(part(found, text.utf8.count, covering)) }
    }
    if ranges.count > 1 { ranges.sort { $0.lowerBound < $1.lowerBound } }
    return ranges
  }

  /// The words of a query with which no word of the text starts. Empty if the text starts with the whole query, with or without its spaces.
  @inlinable public func unmatched(_ wanted: [String]) -> [String] {
    if length(of: wanted, from: 0) != nil { return [] }
    return wanted.filter { text in !held.contains { starts($0, text) } }
  }

  /// The ranges of the first consecutive words that, written together, start with the whole query; nil if there are none.
  @inlinable func joined(_ wanted: [String], covering: (Int, Word) -> Range<Int>) -> [Range<Int>]? {
    for first in held.indices {
      guard var missing = length(of: wanted, from: held[first].folded.lowerBound) else { continue }
      var ranges: [Range<Int>] = []
      for word in held[first...] where missing > 0 && !word.folded.isEmpty {
        ranges.append(part(word, missing, covering))
        missing -= min(word.folded.count, missing)
      }
      return ranges
    }
    return wanted.allSatisfy(\.isEmpty) ? [] : nil
  }

  /// The code points at the beginning of a word whose folding covers `length` bytes; all code points if the word's folding is not longer.
  @inlinable func part(_ word: Word, _ length: Int, _ covering: (Int, Word) -> Range<Int>) -> Range<Int> {
    length > 0 && length < word.folded.count ? covering(length, word) : word.codePoints
  }

  /// True if the word's folding starts with the text. Bytes are compared, as in the index, because a typed text may end between a letter
  /// and its marks.
  @inlinable func starts(_ word: Word, _ text: String) -> Bool {
    var position = word.folded.lowerBound
    for byte in text.utf8 {
      guard position < word.folded.upperBound, letters[position] == byte else { return false }
      position += 1
    }
    return true
  }

  /// The total number of bytes of the words, if `letters` has exactly these bytes from `start` on; otherwise nil.
  @inlinable func length(of wanted: [String], from start: Int) -> Int? {
    var position = start
    for word in wanted {
      for byte in word.utf8 {
        guard position < letters.count, letters[position] == byte else { return nil }
        position += 1
      }
    }
    return position - start
  }
}
