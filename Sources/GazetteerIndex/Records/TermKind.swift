/// The kinds of terms. The kind is the first byte of a term: an upper-case letter for a whole term, and the same letter in lower case for a
/// prefix that has its own list because many places share it.
///
/// A place has two or three names of its own and up to two hundred in other languages. Prefixes of names in other languages mean little:
/// `berl` is a prefix of a Tatar name of the United Kingdom. The kind also tells the script in which a name is written, because texts are
/// folded to Latin letters.
enum TermKind: UInt8 {
  /// The main or the English name, its words joined.
  case name = 0x41  // A
  /// Any other name in one of the country's languages, in Latin letters.
  case localName = 0x4E  // N
  /// The main name, the English one or one in the country's languages with its accents, if folding changes it in more than case.
  case spelledName = 0x56  // V
  /// A common short or former name (`CommonAliases`), or a town and a street; terms of this kind match only as a whole.
  case commonAlias = 0x55  // U
  /// Any other name in Latin letters, its words joined.
  case otherName = 0x42  // B
  /// A name in Latin letters in at least four languages that is not one of the place's own: Peking, Londres.
  case exonym = 0x4F  // O
  /// Any name in another script, its words joined.
  case scriptName = 0x53  // S
  /// A name in a language that is not the main or English one: the language, a space, the words joined.
  case localisedName = 0x4C  // L
  /// A word of the names that rows show, or of the address, if the main and the English name have the same words as those in the country's
  /// languages.
  case word = 0x57  // W
  /// A word of the main name, the English one or the address, if the names in the country's languages have other words.
  case englishWord = 0x45  // E
  /// A word of the names in the country's languages or of the address, for the places that have `englishWord` terms.
  case localWord = 0x4D  // M
  /// A word of any name in Latin letters or of the address, if there are more such words than in the kinds above.
  case otherWord = 0x58  // X
  /// A word of any name or of the address, if some names are in another script.
  case scriptWord = 0x59  // Y
  /// A word of the address that is not a prefix of a word of a name. By these terms, a search for `vaduz` tells the places in Vaduz from
  /// those that are called Vaduz. The postcodes of a town and the street and number of a house count as words of a name.
  case addressWord = 0x44  // D
  /// A name or code of a country or region, its words joined.
  case area = 0x52  // R
  /// A type of the type table.
  case type = 0x54  // T
  /// The places in a country or region: its number in two bytes, big-endian.
  case locatedIn = 0x4B  // K
  /// The places in a cell of the map (`MapCells`): its number in two bytes, big-endian.
  case cell = 0x47  // G

  /// The first byte of a prefix with its own list.
  var prefixByte: UInt8 { rawValue | 0x20 }

  /// Whether prefixes of terms of this kind are looked up.
  var hasPrefixes: Bool { ![.type, .locatedIn, .cell].contains(self) }

  /// Whether a mistyped word may be corrected to a term of this kind. Localised and spelled names and exonyms are excluded, because they
  /// are also terms of other kinds.
  var isFuzzy: Bool { hasPrefixes && ![.area, .addressWord, .localisedName, .spelledName, .commonAlias, .exonym].contains(self) }

  /// The bytes of a whole term with a text or a number.
  func term(_ text: String) -> [UInt8] { TermKind.bytes(rawValue, text) }
  func term(_ number: UInt16) -> [UInt8] { [rawValue, UInt8(number >> 8), UInt8(number & 0xFF)] }
  /// The bytes of a prefix that has its own list.
  func prefixTerm(_ text: String) -> [UInt8] { TermKind.bytes(prefixByte, text) }

  private static func bytes(_ kind: UInt8, _ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte for the kind, and one for the byte that callers append to end a range of terms.
    bytes.reserveCapacity(text.utf8.count + 2)
    bytes.append(kind)
    bytes.append(contentsOf: text.utf8)
    return bytes
  }
}
