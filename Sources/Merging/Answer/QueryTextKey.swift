/// The key by which equal queries are found: `c#` and `.net` differ from `c` and `net`, but `St. Gallen` equals `st gallen`.
struct QueryTextKey: Hashable {
  /// The hash of the folded letters.
  var lettersHash: UInt64
  /// The symbols that belong to a word, in order. Punctuation between words does not count, and `&` and `+` do not, since they are folded
  /// to a word.
  var symbols = String.UnicodeScalarView()

  init(lettersHash: UInt64, text: String) {
    self.lettersHash = lettersHash
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : " "
      let after = index + 1 < scalars.count ? scalars[index + 1] : " "
      let belongsToWord =
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", "&", "+": false
        case "#", "%", "*", "@", "\\", "_": true
        // `.net` is a word with a symbol; in `st. gallen` and `st.gallen` the full stop separates words.
        case ".": before == " " && after.properties.isAlphabetic
        // `a-` is a word with a symbol; in `berlin -` and `baden-baden` the hyphen separates words.
        case "-": before.properties.isAlphabetic && after == " "
        default: [.mathSymbol, .currencySymbol].contains(scalar.properties.generalCategory)
        }
      if belongsToWord { symbols.append(scalar) }
    }
  }
}

extension QueryTextKey {
  static func == (a: QueryTextKey, b: QueryTextKey) -> Bool { a.lettersHash == b.lettersHash && a.symbols.elementsEqual(b.symbols) }

  func hash(into hasher: inout Hasher) { hasher.combine(lettersHash) }
}
