/// The folded words of many texts in two shared arrays, so that normalizing a row allocates no memory.
struct WordBuffer: Sendable {
  /// The letters of all words without spaces: lower-case ASCII letters and digits, a minus before a number below zero, a slash before a
  /// denominator, and pictures in UTF-8. A text without any of these is stored with its own bytes.
  private(set) var letters: [UInt8] = []
  private(set) var words: [Word] = []

  /// The range of the words of one text.
  struct TextSpan: Sendable {
    var words = 0..<0
    /// The words before the first dash between spaces, bracket, colon, bar or comma; all words if there is none.
    var head = 0..<0
    var script = NameScript.latin
    var isEmpty: Bool { words.isEmpty }
  }

  /// Reserves room for the words of about `rows` rows.
  init(rows: Int = 0) {
    letters.reserveCapacity(rows * 128)
    words.reserveCapacity(rows * 16)
  }

  subscript(index: Int) -> Word { words[index] }

  /// The maximum number of code points of a text that are compared. It is bounded because a comparison is quadratic in the number of words.
  static let maxLength = 256

  /// Folds a text, at most its first `maxLength` code points, and appends its words.
  /// - Parameter typed: true for a user's query, which is never cached.
  mutating func add(_ text: String, typed: Bool = false) -> TextSpan {
    let text =
      text.utf8.count <= WordBuffer.maxLength ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(WordBuffer.maxLength)))
    let first = words.count
    let start = letters.count
    var result = fold(text)
    if result.needsUnicode {
      words.removeSubrange(first...)
      letters.removeSubrange(start...)
      let latin = Transliteration.spelling(of: text, keeping: !typed)
      let script = latin.script
      result = fold(latin.letters, keepingOthers: true)
      result.script = script
    }
    if words.count == first, !text.isEmpty {
      letters.append(contentsOf: text.utf8)
      close(start)
    }
    return TextSpan(words: first..<words.count, head: first..<(result.head ?? words.count), script: result.script)
  }

  mutating func scaleWeight(of index: Int, by factor: Double) { if factor < 1 { words[index].weight *= factor } }

  /// The letters of these words without the spaces between them.
  func joined(_ range: Range<Int>) -> Range<Int> {
    guard let first = range.first, let last = range.last else { return 0..<0 }
    return words[first].start..<words[last].end
  }

  private struct Folded {
    /// The index of the word after the head; nil if all words belong to the head.
    var head: Int?
    /// Whether the text has other letters, so that it must be transliterated first.
    var needsUnicode = false
    var script = NameScript.latin
  }

  /// Folds ASCII and the Latin letters up to U+017F, and appends the words. If the text has other letters, stops and sets `needsUnicode`.
  /// - Parameter keepingOthers: for a text that was transliterated: letters that could not be transliterated are kept, except the signs for
  ///   a breath or a glottal stop.
  private mutating func fold(_ text: String, keepingOthers: Bool = false) -> Folded {
    var result = Folded()
    let bytes = text.utf8.span
    let firstWord = words.count
    var start = letters.count
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x61...0x7A: letters.append(byte)
      case 0x30...0x39:
        // `Terminal2` becomes the two words `Terminal 2`; `B12` stays one word.
        if letters.count - start >= 3, isLetter(letters[letters.count - 1]) {
          close(start)
          start = letters.count
        }
        letters.append(byte)
      case 0x41...0x5A: letters.append(byte | 0x20)
      case 0x27, 0x60: continue  // Joe's is Joes.
      case 0x2E where letters.count - start == 1 && index < bytes.count && isLetter(bytes[index]): continue  // S.A. is SA.
      // `I. J.` becomes the one word `IJ`.
      case 0x2E
      where letters.count - start == 1 && index + 2 < bytes.count && bytes[index] == 0x20 && isLetter(bytes[index + 1])
        && bytes[index + 2] == 0x2E:
        index += 1
      case _ where !keepingOthers && isSign(bytes, index - 1): return Folded(needsUnicode: true)
      case 0x2F where isFraction(bytes, index - 1, wordLength: letters.count - start):
        close(start)
        start = letters.count
        letters.append(byte)
      case 0x26, 0x2B:  // & and + are words.
        close(start)
        start = letters.count
        letters.append(contentsOf: "and".utf8)
        close(start)
        start = letters.count
      case 0x40:  // @ is the word `at`, and ends the head.
        close(start)
        if result.head == nil, words.count > firstWord { result.head = words.count }
        start = letters.count
        letters.append(contentsOf: "at".utf8)
        close(start)
        start = letters.count
      case 0..<0x80:
        close(start)
        start = letters.count
        if isBreak(byte, before: index < bytes.count ? bytes[index] : 0x20, after: index > 1 ? bytes[index - 2] : 0x20),
          result.head == nil, words.count > firstWord
        {
          result.head = words.count
        }
      case 0xC3...0xC5 where index < bytes.count:
        let scalar = Int(byte & 0x1F) << 6 | Int(bytes[index] & 0x3F)
        index += 1
        LatinDiacritics.append(scalar, to: &letters)
      case 0xC2:  // Signs from U+0080 to U+00BF.
        if !keepingOthers, index < bytes.count, SymbolNormalization.isSmallNumber(bytes[index]) { return Folded(needsUnicode: true) }
        index += 1
        close(start)
        start = letters.count
      case 0xCC, 0xCD:  // Combining marks up to U+036F, then Greek letters.
        guard byte == 0xCC || (index < bytes.count && bytes[index] < 0xB0) || keepingOthers else { return Folded(needsUnicode: true) }
        index += 1
      case 0xE2 where index + 1 < bytes.count && bytes[index] == 0x80:  // Punctuation from U+2000 to U+203F.
        let last = bytes[index + 1]
        index += 2
        if last == 0x98 || last == 0x99 { continue }  // ‘ and ’
        close(start)
        start = letters.count
        // – and —
        if last == 0x93 || last == 0x94, result.head == nil, words.count > firstWord { result.head = words.count }
      case 0xCA...0xCB where keepingOthers: index += 1  // Signs for a breath or a glottal stop.
      default:
        guard keepingOthers else { return Folded(needsUnicode: true) }
        if byte == 0xE2, index + 1 < bytes.count, let sign = SymbolNormalization.ascii(bytes[index], bytes[index + 1]) {
          letters.append(sign)
          index += 2
        } else {
          letters.append(byte)
        }
      }
    }
    close(start)
    return result
  }

  /// Appends the word that begins at `start`, if it has letters.
  private mutating func close(_ start: Int) {
    guard letters.count > start else { return }
    words.append(Word(letters: letters, start: start))
  }

  /// Whether there is a plus or minus at this position that is the sign of the following number. `SymbolNormalization.isBeforeNumber`
  /// decides the same for any text.
  private func isSign(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    guard bytes[index] == 0x2B || bytes[index] == 0x2D, index + 1 < bytes.count, NumberWord.isDigit(bytes[index + 1]) else { return false }
    var before = index - 1
    guard before >= 0, bytes[before] == 0x20 else { return before < 0 || [0x28, 0x5B, 0x2F, 0x2C].contains(bytes[before]) }
    while before > 0, bytes[before] == 0x20 { before -= 1 }
    return !NumberWord.isDigit(bytes[before])
  }

  /// Whether a slash is part of a fraction such as 3/4. The denominator is a word with its slash, as it is in `¾`.
  private func isFraction(_ bytes: Span<UInt8>, _ index: Int, wordLength: Int) -> Bool {
    guard wordLength == 1, index > 0, index + 1 < bytes.count, NumberWord.isDigit(bytes[index - 1]),
      [0x32, 0x33, 0x34, 0x38].contains(bytes[index + 1]), bytes[index - 1] < bytes[index + 1]
    else { return false }
    return index + 2 >= bytes.count || !NumberWord.isDigit(bytes[index + 2])
  }

  private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Whether a byte ends the head of a name.
  private func isBreak(_ byte: UInt8, before next: UInt8, after previous: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "|"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: ";"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "/"): next == 0x20 && previous == 0x20
    default: false
    }
  }
}
