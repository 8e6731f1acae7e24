import PlacesKit
import Text

/// The words of a name with their foldings, kept as they were told once: what they match is what `FoldedText` finds, without folding anything.
struct KeptWords: Sendable {
  private struct Word {
    /// Where its folding lies in `letters`.
    var folded: Range<Int>
    /// Where it stands in the name, in code points.
    var codePoints: Range<Int>
    /// Where the code points that cover one letter of the folding, two, and so on stand in `covers`; nil where each letter is one.
    var covers: Int?
  }

  private var words: [Word] = []
  /// The words' foldings, one after the other.
  private var letters: [UInt8] = []
  private var covers: [UInt8] = []

  /// Names of more words, and of words of more letters, are none that anybody would write on a sign.
  private static let (mostWords, mostLetters) = (64, 255)

  /// Nil for a name that is not kept: one that is too long, or that folds to more than ASCII.
  init?(_ name: String) {
    let tokens = Token.words(of: name)
    guard tokens.count <= KeptWords.mostWords else { return nil }
    for token in tokens {
      let folded = Array(token.folded.utf8)
      guard folded.allSatisfy({ $0 < 0x80 }), max(folded.count, token.range.count) <= KeptWords.mostLetters,
        Token.words(of: token.text).count == 1
      else { return nil }
      var covered: [UInt8] = []
      for count in folded.indices.dropFirst() {
        let start = String(decoding: folded[..<count], as: UTF8.self)
        guard let range = Highlighting.matches(ofWords: [start], in: token.text).first, range.lowerBound == 0 else { return nil }
        covered.append(UInt8(range.upperBound))
      }
      let isPlain = token.range.count == folded.count && covered.elementsEqual((0..<covered.count).map { UInt8($0 + 1) })
      add(folded, at: token.range, isPlain ? nil : covered)
    }
  }

  private mutating func add(_ folded: some Collection<UInt8>, at range: Range<Int>, _ covered: (some Collection<UInt8>)?) {
    let start = letters.count
    letters.append(contentsOf: folded)
    words.append(Word(folded: start..<letters.count, codePoints: range, covers: covered == nil ? nil : covers.count))
    if let covered { covers.append(contentsOf: covered) }
  }

  /// Each word as what stands before it, its folding, and where a letter is not a code point its length and what covers how many letters.
  func encode(into writer: inout ByteWriter) {
    writer.number(UInt64(words.count))
    var end = 0
    for word in words {
      writer.number(UInt64(word.codePoints.lowerBound - end) << 1 | (word.covers == nil ? 0 : 1))
      end = word.codePoints.upperBound
      writer.number(UInt64(word.folded.count))
      writer.raw(letters[word.folded])
      guard let first = word.covers else { continue }
      writer.number(UInt64(word.codePoints.count))
      writer.raw(covers[first..<(first + max(0, word.folded.count - 1))])
    }
  }

  /// Nil for what `encode` did not write.
  init?(_ reader: inout ByteReader) {
    guard let count = reader.number(), count <= KeptWords.mostWords else { return nil }
    words.reserveCapacity(Int(count))
    var end = 0
    for _ in 0..<count {
      guard let gap = reader.number(), gap < 1 << 20, let length = reader.number(), length <= KeptWords.mostLetters,
        let folded = reader.raw(length)
      else { return nil }
      let start = end + Int(gap >> 1)
      guard gap & 1 == 1 else {
        end = start + folded.count
        add(folded, at: start..<end, nil as ArraySlice<UInt8>?)
        continue
      }
      guard let size = reader.number(), size <= KeptWords.mostLetters, let covered = reader.raw(max(1, length) - 1) else { return nil }
      end = start + Int(size)
      add(folded, at: start..<end, covered)
    }
  }

  /// What words of a query, already folded, match, and those of them that no word starts with.
  func matches(ofWords wanted: [String]) -> (ranges: [TextRange], unmatched: [String]) {
    if let ranges = joined(wanted) {
      return (ranges, length(of: wanted, from: 0) == nil ? wanted.filter { !isStarted($0) } : [])
    }
    var used: UInt64 = 0
    var ranges: [TextRange] = []
    for text in wanted {
      var found: Int?
      for (index, word) in words.enumerated() where used & (1 << UInt64(index)) == 0 && starts(word, text) {
        // The word itself before a longer one that only starts with it.
        if word.folded.count == text.utf8.count {
          found = index
          break
        }
        if found == nil { found = index }
      }
      guard let found else { continue }
      used |= 1 << UInt64(found)
      ranges.append(codePoints(covering: text.utf8.count, of: words[found]))
    }
    if ranges.count > 1 { ranges.sort { $0.start < $1.start } }
    return (ranges, length(of: wanted, from: 0) == nil ? wanted.filter { !isStarted($0) } : [])
  }

  private func isStarted(_ text: String) -> Bool { words.contains { starts($0, text) } }

  private func starts(_ word: Word, _ text: String) -> Bool {
    var position = word.folded.lowerBound
    for byte in text.utf8 {
      guard position < word.folded.upperBound, letters[position] == byte else { return false }
      position += 1
    }
    return true
  }

  /// The ranges of the first row of words that, written together, start with the query.
  private func joined(_ wanted: [String]) -> [TextRange]? {
    for first in words.indices {
      guard var missing = length(of: wanted, from: words[first].folded.lowerBound) else { continue }
      var ranges: [TextRange] = []
      for word in words[first...] where missing > 0 && !word.folded.isEmpty {
        ranges.append(codePoints(covering: missing, of: word))
        missing -= min(word.folded.count, missing)
      }
      return ranges
    }
    return wanted.allSatisfy(\.isEmpty) ? [] : nil
  }

  /// The bytes that the words have together where the letters from a place on start with them; nil where they do not.
  private func length(of wanted: [String], from start: Int) -> Int? {
    var position = start
    for word in wanted {
      for byte in word.utf8 {
        guard position < letters.count, letters[position] == byte else { return nil }
        position += 1
      }
    }
    return position - start
  }

  private func codePoints(covering length: Int, of word: Word) -> TextRange {
    let start = word.codePoints.lowerBound
    guard length > 0, length < word.folded.count else { return TextRange(start: start, end: word.codePoints.upperBound) }
    let count = word.covers.map { Int(covers[$0 + length - 1]) } ?? length
    return TextRange(start: start, end: start + count)
  }
}
