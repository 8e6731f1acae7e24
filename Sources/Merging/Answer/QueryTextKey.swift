/// The key by which equal queries are found: `c#` and `.net` differ from `c` and `net`, but `St. Gallen` equals `st gallen`.
struct QueryTextKey: Hashable {
  /// The hash of the folded letters.
  var letters: UInt64
  /// The symbols that belong to a word, in order. Punctuation between words does not count, and `&` and `+` do not, since they are folded
  /// to a word.
  var signs = String.UnicodeScalarView()

  init(letters: UInt64, text: String) {
    self.letters = letters
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : " "
      let after = index + 1 < scalars.count ? scalars[index + 1] : " "
      let belongs =
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", "&", "+": false
        case "#", "%", "*", "@", "\\", "_": true
        case ".": before == " " && after.properties.isAlphabetic
        case "-": before.properties.isAlphabetic && after == " "
        default: [.mathSymbol, .currencySymbol].contains(scalar.properties.generalCategory)
        }
      if belongs { signs.append(scalar) }
    }
  }
}

extension QueryTextKey {
  static func == (a: QueryTextKey, b: QueryTextKey) -> Bool { a.letters == b.letters && a.signs.elementsEqual(b.signs) }

  func hash(into hasher: inout Hasher) { hasher.combine(letters) }
}
