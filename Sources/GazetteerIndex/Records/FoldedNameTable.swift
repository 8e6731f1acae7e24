import Text

/// The words of a name with their foldings, kept as they were told once: what they match is what `FoldedText` finds, without folding anything.
struct FoldedNameTable: Sendable {
  /// Each with where the code points that cover one letter of its folding, two, and so on stand in `covers`; nil where each letter is one.
  private var words = FoldedWords<Int?>()
  private var covers: [UInt8] = []

  /// Names of more words, and of words of more letters, are none that anybody would write on a sign.
  private static let (mostWords, mostLetters) = (64, 255)

  /// Nil for a name that is not kept: one that is too long, or that folds to more than ASCII.
  init?(_ name: String) {
    let tokens = Token.words(of: name)
    guard tokens.count <= FoldedNameTable.mostWords else { return nil }
    for token in tokens {
      let folded = Array(token.folded.utf8)
      guard folded.allSatisfy({ $0 < 0x80 }), max(folded.count, token.range.count) <= FoldedNameTable.mostLetters,
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
    words.append(folded, at: range, covered == nil ? nil : covers.count)
    if let covered { covers.append(contentsOf: covered) }
  }

  /// Each word as what stands before it, its folding, and where a letter is not a code point its length and what covers how many letters.
  func encode(into writer: inout ByteWriter) {
    writer.number(UInt64(words.words.count))
    var end = 0
    for word in words.words {
      writer.number(UInt64(word.codePoints.lowerBound - end) << 1 | (word.detail == nil ? 0 : 1))
      end = word.codePoints.upperBound
      writer.number(UInt64(word.folded.count))
      writer.raw(words.folding(of: word))
      guard let first = word.detail else { continue }
      writer.number(UInt64(word.codePoints.count))
      writer.raw(covers[first..<(first + max(0, word.folded.count - 1))])
    }
  }

  /// Nil for what `encode` did not write.
  init?(_ reader: inout ByteReader) {
    guard let count = reader.number(), count <= FoldedNameTable.mostWords else { return nil }
    words.reserveCapacity(words: Int(count))
    var end = 0
    for _ in 0..<count {
      guard let gap = reader.number(), gap < 1 << 20, let length = reader.number(), length <= FoldedNameTable.mostLetters,
        let folded = reader.raw(length)
      else { return nil }
      let start = end + Int(gap >> 1)
      guard gap & 1 == 1 else {
        end = start + folded.count
        add(folded, at: start..<end, nil as ArraySlice<UInt8>?)
        continue
      }
      guard let size = reader.number(), size <= FoldedNameTable.mostLetters, let covered = reader.raw(max(1, length) - 1) else {
        return nil
      }
      end = start + Int(size)
      add(folded, at: start..<end, covered)
    }
  }

  /// What words of a query, already folded, match.
  func matches(ofWords wanted: [String]) -> [Range<Int>] {
    words.matches(ofWords: wanted) { codePoints(covering: $0, of: $1) }
  }

  /// As `FoldedText` tells them.
  func unmatched(_ wanted: [String]) -> [String] { words.unmatched(wanted) }

  private func codePoints(covering length: Int, of word: FoldedWords<Int?>.Word) -> Range<Int> {
    let start = word.codePoints.lowerBound
    return start..<(start + (word.detail.map { Int(covers[$0 + length - 1]) } ?? length))
  }
}
