/// A text whose words are folded once (`Folding`), so that it can be matched against many queries.
public struct FoldedText: Sendable {
  private let text: String
  private var words = FoldedWords()

  public init(_ text: String) {
    var text = text
    self.text = text
    text.withUTF8 { bytes in
      if let bounds = Folding.plainBounds(bytes) {
        words.reserveCapacity(words: bounds.count, letters: bytes.count)
        for word in bounds { words.append(bytes[word].lazy.map(Folding.lowercased), at: word, bytes: word) }
      } else {
        for word in Token.bounds(bytes) {
          let range = Int(word.byte_start)..<Int(word.byte_end)
          let folded = KnownFoldings.folded(String(decoding: bytes[range], as: UTF8.self))
          words.append(folded.utf8, at: Int(word.start)..<Int(word.end), bytes: range)
        }
      }
    }
  }

  /// The ranges that the folded words of a query match, as `Highlighting.matches` returns them.
  public func matches(ofWords queryWords: [String]) -> [Range<Int>] {
    words.matches(ofWords: queryWords) { codePoints(covering: $0, of: $1) }
  }

  /// The words of a query, already folded, that are not the beginning of any word of the text. Empty if the text starts with the whole
  /// query, with or without its spaces.
  public func unmatched(_ queryWords: [String]) -> [String] { words.unmatched(queryWords) }

  /// The shortest range of code points at the start of `word` whose folding has at least `length` bytes.
  private func codePoints(covering length: Int, of word: FoldedWords.Word) -> Range<Int> {
    var text = text
    let count = text.withUTF8 { bytes in
      let isPlain = word.bytes.count == word.codePoints.count && word.bytes.count == word.folded.count
      // An ASCII letter or digit folds to one byte, and has no combining marks if another ASCII letter or digit follows.
      if isPlain || bytes[word.bytes].prefix(length + 1).allSatisfy(Folding.isPlainLetter) { return length }
      return FoldedText.codePoints(covering: length, of: String(decoding: bytes[word.bytes], as: UTF8.self))
    }
    return word.codePoints.lowerBound..<(word.codePoints.lowerBound + count)
  }

  /// The number of code points in that range, for a word of any script. Folds longer and longer prefixes of the word, each with the marks
  /// of its last letter, until a folding is long enough.
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
      // `/` and `-` belong to a word only between digits, so no prefix ends with them.
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
