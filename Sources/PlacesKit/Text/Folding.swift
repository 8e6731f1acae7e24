import CICU

/// Folds texts, so that searches can compare them without regard to case, marks and script. Folding applies ICU's compatibility case
/// folding (NFKC_Casefold), removes marks, and converts every script to Latin (CLDR's transforms) and Latin to ASCII. For example,
/// `München` and `MUNCHEN` both become `munchen`, and the Cyrillic letters of `Мюнхен` become ASCII letters too.
public enum Folding {
  /// The words of a text, folded, with one space between them: `St. Gallen` gives `st gallen`.
  public static func fold(_ text: String) -> String { words(of: text).joined(separator: " ") }

  /// The words of a text, folded, without anything between them: `St. Gallen` gives `stgallen`.
  public static func key(_ text: String) -> String { words(of: text).joined() }

  /// The words of a text, folded, without those that fold to nothing.
  public static func words(of text: String) -> [String] {
    var copy = text
    return copy.withUTF8 { bytes in
      plainBounds(bytes)?.map { fold(plain: UnsafeBufferPointer(rebasing: bytes[$0])) }
        ?? Token.bounds(bytes).compactMap { word in
          let folded = fold(word: UnsafeBufferPointer(rebasing: bytes[Int(word.byte_start)..<Int(word.byte_end)]))
          return folded.isEmpty ? nil : folded
        }
    }
  }

  /// The letters and digits of a text in lower case, with their marks and without anything between them: `sãopaulo` for `São Paulo`. The
  /// gazetteer prefers names whose spelling equals the query's. Nil if the result is ASCII, because `key` then returns the same letters,
  /// and for a text of more than 1,024 UTF-16 units.
  public static func spelling(of text: String) -> String? {
    var copy = text
    return copy.withUTF8 { bytes in
      guard let base = bytes.baseAddress, bytes.contains(where: { $0 >= 0x80 }), let length = Int32(exactly: bytes.count) else {
        return nil
      }
      let capacity = bytes.count * 4 + 16
      var written = -1
      let spelled = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        written = Int(cicu_spell(base, length, buffer.baseAddress, Int32(clamping: capacity)))
        count = max(0, written)
      }
      return spelled.contains { $0 >= 0x80 } ? String(decoding: spelled, as: UTF8.self) : nil
    }
  }

  /// Loads ICU's tables for letters beyond ASCII on a separate thread, so that no request waits for them. That takes about 35 ms.
  public static func preloadTables() { cicu_warm() }

  /// Folds one word. If the word is too long for ICU's buffers, only its first 256 bytes are folded.
  static func fold(word: UnsafeBufferPointer<UInt8>) -> String {
    foldQuickly(word) ?? foldByRules(word)
  }

  /// Folds one word of any script with ICU.
  static func foldByRules(_ word: UnsafeBufferPointer<UInt8>) -> String {
    let folded = foldWithICU(word) ?? foldWithICU(cut(word, to: 256))
    return String(decoding: folded ?? [], as: UTF8.self)
  }

  /// Folds one word of ASCII, or of letters that can be folded one by one; nil for any other word.
  static func foldQuickly(_ word: UnsafeBufferPointer<UInt8>) -> String? {
    if word.allSatisfy({ $0 < 0x80 }) { return fold(plain: word) }
    guard let base = word.baseAddress, let length = Int32(exactly: word.count) else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: word.count + 64) { buffer -> String? in
      let written = Int(cicu_fold_letters(base, length, buffer.baseAddress, Int32(clamping: buffer.count)))
      return written < 0 ? nil : String(decoding: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[..<written]), as: UTF8.self)
    }
  }

  /// Folds one ASCII word. Writing the bytes into the string takes a tenth of the time of decoding a lazy sequence of them.
  private static func fold(plain word: UnsafeBufferPointer<UInt8>) -> String {
    String(unsafeUninitializedCapacity: word.count) { buffer in
      for index in word.indices { buffer[index] = lowercased(word[index]) }
      return word.count
    }
  }

  /// Folds one word with ICU; nil if the word is too long for ICU's buffers.
  private static func foldWithICU(_ word: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard let base = word.baseAddress, let length = Int32(exactly: word.count) else { return [] }
    let capacity = word.count * 8 + 64
    var written = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      written = Int(cicu_fold(base, length, buffer.baseAddress, Int32(clamping: capacity)))
      count = max(0, written)
    }
    return written < 0 ? nil : bytes
  }

  /// The longest prefix of a word that has at most `limit` bytes and does not end within a code point.
  private static func cut(_ word: UnsafeBufferPointer<UInt8>, to limit: Int) -> UnsafeBufferPointer<UInt8> {
    var end = min(limit, word.count)
    while end > 0, end < word.count, word[end] & 0xC0 == 0x80 { end -= 1 }
    return UnsafeBufferPointer(rebasing: word[..<end])
  }

  /// The ranges of the words of an ASCII text, in bytes, by the rules of `Token.bounds` but without ICU; nil for any other text.
  static func plainBounds(_ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>]? {
    var words: [Range<Int>] = []
    var start: Int?
    for index in bytes.indices {
      let byte = bytes[index]
      guard byte < 0x80 else { return nil }
      if isPlainLetter(byte) || joinsDigits(bytes, index) {
        if start == nil { start = index }
      } else if let wordStart = start {
        words.append(wordStart..<index)
        start = nil
      }
    }
    if let wordStart = start { words.append(wordStart..<bytes.count) }
    return words
  }

  /// True if a byte is an ASCII letter or digit.
  public static func isPlainLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }

  /// True for a `/` or `-` between two digits.
  private static func joinsDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard bytes[index] == UInt8(ascii: "/") || bytes[index] == UInt8(ascii: "-"), index > 0, index + 1 < bytes.count else { return false }
    return digits.contains(bytes[index - 1]) && digits.contains(bytes[index + 1])
  }

  /// An ASCII letter in lower case; any other byte unchanged.
  public static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
