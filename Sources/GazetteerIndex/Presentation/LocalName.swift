import Text

/// A name of a place with the tag of its language.
struct LocalName {
  /// The position of the tag among those of the `LanguageChoice` in which it was found; 0 is the best.
  var position: Int
  var tag: ArraySlice<UInt8>
  var text: ArraySlice<UInt8>

  /// Chooses the place's own name from its names in local languages, in any order; nil if there are none.
  ///
  /// If the region's languages are known, the name is in one of them. Otherwise the main name shows which of the country's languages a town
  /// speaks, even if the main name is English. The name most similar to it is chosen: Genève rather than Genf for Geneva, Gent rather than
  /// Gand for Ghent. The main name of a country or region is often English, so there only a name equal to the main name takes precedence
  /// over the name in the first language.
  static func chosen(of names: [LocalName], main: String, in languages: LanguageChoice, isArea: Bool) -> LocalName? {
    guard names.count > 1 else { return names.first }
    let names = names.sorted { $0.position < $1.position }
    let regional = names.filter { $0.position < languages.regionalCount }
    guard let firstRegional = regional.first else { return isArea ? equal(names, main) ?? names.first : mostSimilar(names, main) }
    return equal(regional, main) ?? firstRegional
  }

  /// The name that equals the main name. If the main name is plain ASCII, marks are ignored: Zürich rather than the French Zurich. Nil if
  /// there is none.
  private static func equal(_ names: [LocalName], _ main: String) -> LocalName? {
    let exactName = names.first { $0.text.elementsEqual(main.utf8) }
    guard main.utf8.allSatisfy({ $0 < 0x80 }) else { return exactName }
    let key = Folding.key(main)
    return names.first { $0.isLatin && $0.key == key } ?? exactName
  }

  /// The name that equals the main name or, if there is none, the most similar one in Latin letters.
  private static func mostSimilar(_ names: [LocalName], _ main: String) -> LocalName? {
    guard let firstName = names.first, differ(names) else { return names.first }
    if let equalName = equal(names, main) { return equalName }
    // If the first language is not written in Latin letters, the name in Latin letters may be a transliteration.
    guard firstName.isLatin else { return firstName }
    let key = Folding.key(main)
    let candidates = names.filter(\.isLatin).map { (errors: typingErrors(between: key, and: $0.key), name: $0) }
    return candidates.min { $0.errors < $1.errors }?.name
  }

  /// Whether the names differ. Only then does the main name show which language the place speaks.
  static func differ(_ names: [LocalName]) -> Bool { names.contains { $0.text != names.first?.text } }

  var isLatin: Bool { LatinScript.only(in: String(decoding: text, as: UTF8.self)) }
  /// The folded text, for comparison.
  private var key: String { Folding.key(String(decoding: text, as: UTF8.self)) }
}
