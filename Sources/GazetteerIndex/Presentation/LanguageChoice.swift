import PlacesKit
import Text

/// One or several languages in which a name is looked up: the tags to try, best first.
struct LanguageChoice: Sendable {
  private let tags: [[UInt8]]
  /// Identifies the choice in caches.
  let key: String
  /// The number of tags, from the first, whose languages are certainly spoken at the place.
  let certain: Int

  init(tags: [String], key: String, certain: Int = 0) {
    self.tags = tags.map { Array($0.utf8) }
    self.key = key
    self.certain = certain
  }

  /// `zh-Hant` tries `zh-Hant`, `zh-TW`, `zh`; nil tries nothing.
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

  /// A language before others.
  init(_ language: String, before others: LanguageChoice) {
    tags = [Array(language.utf8), Array(LanguageChoice.base(language).utf8)] + others.tags
    key = language + others.key
    certain = 0
  }

  /// The best tag; nil if none is tried.
  var first: String? { tags.first.map { String(decoding: $0, as: UTF8.self) } }

  /// Whether a request for Chinese means traditional characters; nil if no request chose the language, or another one.
  var isTraditionalChinese: Bool? {
    guard LanguageChoice.base(key) == "zh", !key.contains("@") else { return nil }
    return key.lowercased().contains("hant") || ["tw", "hk", "mo"].contains { key.lowercased().hasSuffix("-\($0)") }
  }

  /// `zh` of `zh-Hant`.
  static func base(_ language: String) -> String { String(language.prefix { $0 != "-" }).lowercased() }

  /// The position of a name's tag; nil if it is of another language.
  func position(_ tag: some Collection<UInt8>) -> Int? { tags.firstIndex { $0.count == tag.count && $0.elementsEqual(tag) } }
}
