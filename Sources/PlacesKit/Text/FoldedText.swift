/// A text whose words are folded once, for asking again and again what of it is matched by what somebody types.
public struct FoldedText: Sendable {
  private struct Word {
    /// Where its folding lies in `letters`.
    var folded: Range<Int>
    /// Where it stands in the text: bytes, and code points.
    var bytes: Range<Int>
    var codePoints: Range<Int>
  }

  private let text: String
  private var words: [Word] = []
  /// The words' foldings, one after the other.
  private var letters: [UInt8] = []

  public init(_ text: String) {
    var text = text
    self.text = text
    text.withUTF8 { bytes in
      if let bounds = Folding.plainBounds(bytes) {
        words.reserveCapacity(bounds.count)
        letters.reserveCapacity(bytes.count)
        for word in bounds {
          let start = letters.count
          for index in word { letters.append(Folding.lowercased(bytes[index])) }
          words.append(Word(folded: start..<letters.count, bytes: word, codePoints: word))
        }
      } else {
        for word in Token.bounds(bytes) {
          let range = Int(word.byte_start)..<Int(word.byte_end)
          let folded = KnownFoldings.folded(String(decoding: bytes[range], as: UTF8.self))
          let start = letters.count
          letters.append(contentsOf: folded.utf8)
          words.append(Word(folded: start..<letters.count, bytes: range, codePoints: Int(word.start)..<Int(word.end)))
        }
      }
    }
  }

  /// What words of a query, already folded, match: ranges as `Highlighting.matches` tells them.
  public func matches(ofWords queryWords: [String]) -> [Range<Int>] {
    if let ranges = joined(queryWords) { return ranges }
    // Each word of the text once.
    var used: [Int] = []
    var ranges: [Range<Int>] = []
    for wanted in queryWords {
      var found: Int?
      for index in words.indices where starts(words[index], wanted) && !used.contains(index) {
        // The word itself before a longer one that only starts with it.
        let isWhole = words[index].folded.count == wanted.utf8.count
        if found == nil || isWhole { found = index }
        if isWhole { break }
      }
      guard let found else { continue }
      used.append(found)
      ranges.append(codePoints(covering: wanted.utf8.count, of: words[found]))
    }
    if ranges.count > 1 { ranges.sort { $0.lowerBound < $1.lowerBound } }
    return ranges
  }

  /// The words of a query, already folded, that no word of the text starts with; none where they are the start of the text, written
  /// together or apart.
  public func unmatched(_ queryWords: [String]) -> [String] {
    if length(of: queryWords, from: 0) != nil { return [] }
    return queryWords.filter { wanted in !words.contains { starts($0, wanted) } }
  }

  private func starts(_ word: Word, _ wanted: String) -> Bool {
    var position = word.folded.lowerBound
    for byte in wanted.utf8 {
      guard position < word.folded.upperBound, letters[position] == byte else { return false }
      position += 1
    }
    return true
  }

  /// The ranges of the first row of words that, written together, start with the query.
  private func joined(_ queryWords: [String]) -> [Range<Int>]? {
    for first in words.indices {
      guard var missing = length(of: queryWords, from: words[first].folded.lowerBound) else { continue }
      var ranges: [Range<Int>] = []
      for word in words[first...] where missing > 0 && !word.folded.isEmpty {
        ranges.append(codePoints(covering: missing, of: word))
        missing -= min(word.folded.count, missing)
      }
      return ranges
    }
    return queryWords.allSatisfy(\.isEmpty) ? [] : nil
  }

  /// The bytes that the words have together where the letters from a place on start with them; nil where they do not.
  private func length(of queryWords: [String], from start: Int) -> Int? {
    var position = start
    for word in queryWords {
      for byte in word.utf8 {
        guard position < letters.count, letters[position] == byte else { return nil }
        position += 1
      }
    }
    return position - start
  }

  /// The fewest code points at the start of a word whose folding covers so many bytes of the word's folding.
  private func codePoints(covering length: Int, of word: Word) -> Range<Int> {
    guard length < word.folded.count else { return word.codePoints }
    var text = text
    let count = text.withUTF8 { bytes in
      let isPlain = word.bytes.count == word.codePoints.count && word.bytes.count == word.folded.count
      // Plain letters fold to themselves, and where another one follows the last has no marks.
      if isPlain || bytes[word.bytes].prefix(length + 1).allSatisfy(Folding.isPlainLetter) { return length }
      return FoldedText.codePoints(covering: length, of: String(decoding: bytes[word.bytes], as: UTF8.self))
    }
    return word.codePoints.lowerBound..<(word.codePoints.lowerBound + count)
  }

  private static func codePoints(covering length: Int, of word: String) -> Int {
    let scalars = word.unicodeScalars
    var count = 0
    var index = scalars.startIndex
    while index < scalars.endIndex {
      index = scalars.index(after: index)
      count += 1
      while index < scalars.endIndex, scalars[index].properties.isMark {
        index = scalars.index(after: index)
        count += 1
      }
      // What joins digits counts only when the next one is there.
      if scalars[..<index].last == "/" || scalars[..<index].last == "-" { continue }
      if KnownFoldings.folded(String(scalars[..<index])).utf8.count >= length { break }
    }
    return count
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
