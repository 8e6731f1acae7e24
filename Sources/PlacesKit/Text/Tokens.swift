import CICU

/// A word of a text: a run of letters, digits and their marks. `/` and `-` between two digits belong to the word, as in `3191/17`.
public struct Token: Sendable, Hashable {
  /// The token as written in the text.
  public var text: String
  /// The token folded by `Folding`; empty if it consists of marks only, which folding removes.
  public var folded: String
  /// The token's range in the whole text, in code points.
  public var range: Range<Int>
  public var script: Script
  /// True if the token starts with a digit, as a house number or a postcode does.
  public var isNumber: Bool

  public init(text: String, folded: String, range: Range<Int>, script: Script, isNumber: Bool) {
    self.text = text
    self.folded = folded
    self.range = range
    self.script = script
    self.isNumber = isNumber
  }
}

extension Token {
  /// The words of a text in their order.
  public static func words(of text: String) -> [Token] {
    var copy = text
    return copy.withUTF8 { bytes in
      Token.bounds(bytes).map { word in
        let piece = UnsafeBufferPointer(rebasing: bytes[Int(word.byte_start)..<Int(word.byte_end)])
        let text = String(decoding: piece, as: UTF8.self)
        return Token(
          text: text, folded: KnownFoldings.folded(text),
          range: Int(word.start)..<Int(word.end), script: Script(word), isNumber: word.number == 1)
      }
    }
  }

  /// The ranges of the words of a UTF-8 text. A text of more than 16 words, which is rare, is scanned twice.
  static func bounds(_ bytes: UnsafeBufferPointer<UInt8>) -> [cicu_word] {
    guard let base = bytes.baseAddress, let length = Int32(exactly: bytes.count) else { return [] }
    var capacity = 16
    while true {
      var wordCount = 0
      let words = [cicu_word](unsafeUninitializedCapacity: capacity) { buffer, count in
        wordCount = Int(cicu_words(base, length, buffer.baseAddress, Int32(buffer.count)))
        count = min(wordCount, capacity)
      }
      if wordCount <= capacity { return words }
      capacity = wordCount
    }
  }
}

extension Script {
  init(_ word: cicu_word) {
    let (a, b, c, d) = word.script
    self.init(rawValue: String(decoding: [a, b, c, d].map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
