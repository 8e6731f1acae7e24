import PlacesKit
import Text

/// The languages in which a name is looked up: their tags, best first.
struct LanguageChoice: Sendable {
  private let tags: [[UInt8]]
  /// Identifies the choice in caches. It contains `@` if languages of a place are among the choice.
  let key: String
  /// The number of tags for languages of the place's region. They come before the tags for languages of its country.
  let regionalCount: Int

  init(tags: [String], key: String, regionalCount: Int = 0) {
    self.tags = tags.map { Array($0.utf8) }
    self.key = key
    self.regionalCount = regionalCount
  }

  /// The tags of one language: `zh-Hant`, `zh-TW` and `zh` for `zh-Hant`; none for nil.
  init(_ language: String?) {
    guard let language, !language.isEmpty else {
      self.init(tags: [], key: "")
      return
    }
    var tags = [language]
    let base = LanguageChoice.base(language)
    if language.contains("-"), let region = Languages.region(of: language) { tags.append("\(base)-\(region)") }
    self.init(tags: tags + [base], key: language)
  }

  /// A choice in which a language precedes others.
  init(_ language: String, before others: LanguageChoice) {
    tags = [Array(language.utf8), Array(LanguageChoice.base(language).utf8)] + others.tags
    key = language + others.key
    regionalCount = 0
  }

  /// The best tag; nil if there are none.
  var bestTag: String? { tags.first.map { String(decoding: $0, as: UTF8.self) } }

  /// Whether traditional characters were requested; nil if Chinese was not requested.
  var isTraditionalChinese: Bool? {
    guard LanguageChoice.base(key) == "zh", !key.contains("@") else { return nil }
    return key.lowercased().contains("hant") || ["tw", "hk", "mo"].contains { key.lowercased().hasSuffix("-\($0)") }
  }

  /// The language of a tag without script and region: `zh` for `zh-Hant` and `zh_TW`.
  static func base(_ language: String) -> String { String(language.prefix { $0 != "-" && $0 != "_" }).lowercased() }

  /// The position of a name's tag among the tags, from 0; nil if the name is in another language.
  func position(_ tag: some Collection<UInt8>) -> Int? { tags.firstIndex { $0.count == tag.count && $0.elementsEqual(tag) } }
}
