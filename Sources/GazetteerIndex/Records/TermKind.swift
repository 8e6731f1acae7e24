/// The kinds of terms, each a letter before its text. A capital is a whole term; its small letter a prefix that so many
/// places share that their list is kept.
///
/// Names are told apart by whose they are: a place has two or three of its own and up to two hundred in other languages, whose beginnings
/// say next to nothing (`berl` begins the United Kingdom in Tatar). Texts are folded to Latin letters, so names are also
/// told apart by the script they were written in.
enum TermKind: UInt8 {
  /// The main name and the English one; its words written together.
  case name = 0x41  // A
  /// A name in the country's own languages, in Latin letters, that is neither of them.
  case localName = 0x4E  // N
  /// The main name, the English one or one in the country's own languages as it is spelled, where that is not plain ASCII.
  case spelledName = 0x56  // V
  /// A short or former name that many people write (`CommonAliases`), or a street's behind its town's; only the whole of it means the place.
  case commonAlias = 0x55  // U
  /// Any other name in Latin letters, its words written together.
  case otherName = 0x42  // B
  /// A name in Latin letters in at least four languages that is not one of the place's own: Peking, Londres.
  case exonym = 0x4F  // O
  /// Any name in another script, its words written together.
  case scriptName = 0x53  // S
  /// A name in a language, unless it is one of the place's own: the language, a space, the words written together.
  case localisedName = 0x4C  // L
  /// A word of the names that the place is shown by, or of the address, where the main name and the English one have the words of those in
  /// the country's own languages.
  case word = 0x57  // W
  /// A word of the main name, the English one or of the address, where those in the country's own languages have others.
  case englishWord = 0x45  // E
  /// Of the same places a word of the names in the country's own languages or of the address.
  case localWord = 0x4D  // M
  /// A word of all names in Latin letters or of the address, where those are more than those before.
  case otherWord = 0x58  // X
  /// A word of all names or of the address, where some of them are in another script.
  case scriptWord = 0x59  // Y
  /// A word of the address that begins no word of a name, so that what only lies somewhere is told from what is called so. Towns have none by
  /// their postcodes, nor houses by their street and number.
  case addressWord = 0x44  // D
  /// A name or code of a country or region, written together.
  case area = 0x52  // R
  /// A type of the type table.
  case type = 0x54  // T
  /// What lies in a country or region, by the number of its area in two bytes, the higher first.
  case locatedIn = 0x4B  // K
  /// What lies in a cell of the map (`MapCells`), by its number in two bytes, the higher first.
  case cell = 0x47  // G

  var prefixed: UInt8 { rawValue | 0x20 }

  /// Whether somebody types it letter by letter.
  var hasPrefixes: Bool { ![.type, .locatedIn, .cell].contains(self) }

  /// Whether mistyped texts are compared with it. Nobody misspells an area into a place, and localised names are among the others.
  var isFuzzy: Bool { hasPrefixes && ![.area, .addressWord, .localisedName, .spelledName, .commonAlias, .exonym].contains(self) }

  func term(_ text: String) -> [UInt8] { TermKind.bytes(rawValue, text) }
  func term(_ number: UInt16) -> [UInt8] { [rawValue, UInt8(number >> 8), UInt8(number & 0xFF)] }
  func prefixTerm(_ text: String) -> [UInt8] { TermKind.bytes(prefixed, text) }

  private static func bytes(_ kind: UInt8, _ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    // Also for the byte that ends a range of terms.
    bytes.reserveCapacity(text.utf8.count + 2)
    bytes.append(kind)
    bytes.append(contentsOf: text.utf8)
    return bytes
  }
}
