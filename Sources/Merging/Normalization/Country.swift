import Synchronization
import Text

/// Countries as services write them: a code, or a name.
enum Country {
  /// The two-letter code in upper case of a country that is given by its code, or by its name in English or in an official language of the
  /// country. Nil for any other text. `UK` is accepted as a name.
  static func code(_ text: String?) -> String? {
    guard let text else { return nil }
    if text.utf8.count == 2, let code = RegionCode.canonical(text) { return code }
    return text.isEmpty ? nil : names[Folding.fold(text)]
  }

  /// The code of a country that is given by its name in English, in an official language of the country or in the given language (BCP 47).
  /// Nil for any other text. Of the codes only `US`, `UK` and `GB` are accepted, because `CA` at the end of an address is California.
  static func code(ofName text: String, in language: String?) -> String? {
    guard (2...64).contains(text.utf8.count), text.utf8.count > 2 || ["US", "UK", "GB"].contains(text) else { return nil }
    if text.utf8.count == 2 { return text == "UK" ? "GB" : text }
    let folded = Folding.fold(text)
    if let code = names[folded] { return code }
    return language.flatMap { codes(in: $0)[folded] }
  }

  /// Whether a text is the name of a country in a language (BCP 47): false if it is one only in another language, nil if it is not the name
  /// of a country.
  static func isName(_ text: String, in language: String) -> Bool? {
    guard (3...64).contains(text.utf8.count) else { return nil }
    let folded = Folding.fold(text)
    return codes(in: language)[folded] != nil ? true : names[folded] != nil ? false : nil
  }

  /// The codes by the folded names that CLDR has in a language.
  private static func codes(in language: String) -> [String: String] {
    guard language.utf8.count <= 35 else { return [:] }
    if let known = namesInLanguages.withLock({ $0[language] }) { return known }
    var codes: [String: String] = [:]
    for code in CallingCodes.plans.keys.sorted() {
      guard let name = Languages.name(ofRegion: code, in: language) else { continue }
      let key = Folding.fold(name)
      codes[key] = codes[key] ?? code
    }
    namesInLanguages.withLock { [codes] known in
      if known.count >= maxLanguages, let other = known.keys.first { known[other] = nil }
      known[language] = codes
    }
    return codes
  }

  /// The results of `codes(in:)`, by language, for at most `maxLanguages` languages.
  private static let namesInLanguages = Mutex<[String: [String: String]]>([:])
  private static let maxLanguages = 16

  /// The key of a country's code; 0 if the country is unknown.
  static func key(_ text: String?) -> UInt64 { code(text).map { Word.key(of: $0) } ?? 0 }

  static let japan = Word.key(of: "JP")

  /// The codes by the folded names in English and in the official languages of each country.
  private static let names: [String: String] = {
    var names = [
      "usa": "US", "united states of america": "US", "uk": "GB", "great britain": "GB", "england": "GB", "scotland": "GB", "wales": "GB",
      "northern ireland": "GB", "russian federation": "RU", "czech republic": "CZ", "holland": "NL", "the netherlands": "NL", "korea": "KR",
      "viet nam": "VN", "turkey": "TR", "bosnia and herzegovina": "BA", "trinidad and tobago": "TT", "the bahamas": "BS",
      "the gambia": "GM",
      "hong kong": "HK", "macau": "MO", "macao": "MO", "myanmar": "MM", "saint lucia": "LC", "ivory coast": "CI",
      "palestine": "PS",
    ]
    func add(_ code: String, in language: String) {
      guard let name = Languages.name(ofRegion: code, in: language) else { return }
      let key = Folding.fold(name)
      names[key] = names[key] ?? code
    }
    let languages = CallingCodes.plans.keys.sorted().map { ($0, Languages.languages(of: $0)) }
    for (code, spoken) in languages { for language in ["en"] + spoken.prefix(1) { add(code, in: language) } }
    // Names in further official languages come last, so that they do not replace another country's name in English or its first language.
    for (code, spoken) in languages { for language in spoken.dropFirst() { add(code, in: language) } }
    return names
  }()
}
