import Synchronization
import Text

/// Countries as services write them: a code, or a name.
enum Country {
  /// The two-letter code in upper case, where the text is one or a name that CLDR has in English or in the country's language; `UK`, which
  /// is no code, is such a name.
  static func code(_ text: String?) -> String? {
    guard let text else { return nil }
    if text.utf8.count == 2, let code = RegionCode.canonical(text) { return code }
    return text.isEmpty ? nil : names[Folding.fold(text)]
  }

  /// The same for a text that may also be a name in the given language (BCP 47).
  static func code(_ text: String, in language: String?) -> String? {
    if let code = code(text) { return code }
    guard let language, language.utf8.count <= 35 else { return nil }
    return namesInLanguages.withLock { known in
      if known[language] == nil {
        if known.count >= maxLanguages { known = [:] }
        known[language] = Dictionary(
          CallingCodes.plans.keys.compactMap { code in Languages.name(ofRegion: code, in: language).map { (Folding.fold($0), code) } },
          uniquingKeysWith: { first, _ in first })
      }
      return known[language]?[Folding.fold(text)]
    }
  }

  /// The names that CLDR has in the languages of the latest requests.
  private static let namesInLanguages = Mutex<[String: [String: String]]>([:])
  private static let maxLanguages = 16

  /// The key of the code; 0 where it is unknown.
  static func key(_ text: String?) -> UInt64 { code(text).map { Word.key(of: $0) } ?? 0 }

  static let japan = Word.key(of: "JP")

  private static let names: [String: String] = {
    var names = [
      "usa": "US", "united states of america": "US", "uk": "GB", "great britain": "GB", "england": "GB", "scotland": "GB", "wales": "GB",
      "northern ireland": "GB", "russian federation": "RU", "czech republic": "CZ", "holland": "NL", "the netherlands": "NL", "korea": "KR",
      "viet nam": "VN", "turkey": "TR",
    ]
    for code in CallingCodes.plans.keys.sorted() {
      for language in ["en", Languages.language(of: code) ?? "en"] {
        if let name = Languages.name(ofRegion: code, in: language) { names[Folding.fold(name)] = names[Folding.fold(name)] ?? code }
      }
    }
    return names
  }()
}
