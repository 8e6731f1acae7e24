/// Removes silent letters, and replaces letters whose sound depends on their position, in Thai, Burmese and Arabic script. It is applied
/// before the romanization.
enum PhoneticNormalization {
  /// The text in lower case with these letters removed and replaced.
  static func of(_ text: String) -> String {
    let scalars = Array(text.lowercased().unicodeScalars)
    guard scalars.contains(where: { isThai($0) || isBurmese($0) || $0 == waw }) else { return text.lowercased() }
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      let reader = Reader(scalars: scalars, index: index)
      let (letters, length): (String?, Int) =
        isThai(scalar) ? thai(reader) : isBurmese(scalar) ? burmese(reader) : scalar == waw ? arabicWaw(reader) : (nil, 1)
      if let letters { result.append(contentsOf: letters.unicodeScalars) } else { result.append(scalar) }
      index += length
    }
    return String(result)
  }

  /// A position in a text, with access to the letters around it.
  private struct Reader {
    var scalars: [Unicode.Scalar]
    var index: Int

    subscript(offset: Int) -> Unicode.Scalar? {
      scalars.indices.contains(index + offset) ? scalars[index + offset] : nil
    }
    /// Whether the character at an offset from the position is one of the given letters.
    func isOne(_ offset: Int, of letters: Set<Unicode.Scalar>) -> Bool { self[offset].map(letters.contains) ?? false }
    var endsWord: Bool { self[1].map { !$0.properties.isAlphabetic && !$0.properties.isGraphemeExtend } ?? true }
    var beginsWord: Bool { self[-1].map { !$0.properties.isAlphabetic } ?? true }
  }

  private static func isThai(_ scalar: Unicode.Scalar) -> Bool { (0xE01...0xE4E).contains(scalar.value) }
  private static func isBurmese(_ scalar: Unicode.Scalar) -> Bool { (0x1000...0x1021).contains(scalar.value) }
  private static let waw: Unicode.Scalar = "و"

  /// The letters that replace those at a position, or nil to keep them, and the number of letters that are replaced or kept.
  ///
  /// A consonant below the sign for silence is silent, ro han (รร) is an, and r and l at the end of a syllable are n: นครสวรรค์ is nakhon
  /// sawan. A vowel that is written before its consonant begins a syllable.
  private static func thai(_ text: Reader) -> (String?, Int) {
    if text[1] == "\u{E4C}" { return ("", 2) }
    if text.isOne(1, of: ["\u{E34}", "\u{E38}"]), text[2] == "\u{E4C}" { return ("", 3) }
    guard text.isOne(0, of: ["ร", "ล"]), !text.beginsWord else { return (nil, 1) }
    if text[0] == "ร", text[1] == "ร" { return ("น", 2) }
    return (text.endsWord || text.isOne(1, of: ["เ", "แ", "โ", "ใ", "ไ"]) ? "น" : nil, 1)
  }

  /// Returns what `thai` returns. A consonant with the sign for a silent vowel ends a syllable and sounds as a stop, n, ng or nothing; kh
  /// before y is ch.
  private static func burmese(_ text: Reader) -> (String?, Int) {
    if text[0] == "ခ", text.isOne(1, of: ["ျ", "ြ"]) { return ("ch", 2) }
    if text[0] == "ရ", text[1] == "ှ" { return ("sh", 2) }
    guard let letter = text[0], text[1] == "်" || (text[1] == "့" && text[2] == "်"), !text.beginsWord else { return (nil, 1) }
    let isRound = text.isOne(-1, of: ["ာ", "ါ"]) || (text[-1] == "ု" && text[-2] == "ိ")
    let isClose = text.isOne(-1, of: ["ု", "ိ"]) && !isRound
    let last: String =
      switch letter {
      case "က": isRound ? "k" : "t"
      case "စ", "သ": "t"
      case "တ", "ပ": isClose ? "k" : "t"
      case "င": isRound ? "ng" : "n"
      case "န", "မ", "ဉ", "ဏ": "n"
      default: ""
      }
    return (last, text[1] == "်" ? 2 : 3)
  }

  /// Returns what `thai` returns. Waw is w at the beginning of a word or next to another long vowel, and otherwise a vowel.
  private static func arabicWaw(_ text: Reader) -> (String?, Int) {
    let long: Set<Unicode.Scalar> = ["ا", "ی", "ي"]
    if text.beginsWord || text.isOne(1, of: long) || text.isOne(-1, of: ["ی", "ي"]) { return ("w", 1) }
    return (text[-1] == "ا" && text[-2].map { $0.properties.isAlphabetic } == true ? "w" : nil, 1)
  }
}
