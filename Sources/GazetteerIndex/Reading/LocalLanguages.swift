import Synchronization
import Text

/// The languages of each country as names are looked up in them, asked of CLDR once.
final class LocalLanguages: Sendable {
  static let shared = LocalLanguages()
  /// By country code: at most as many as there are.
  private let choices = Mutex<[String: LanguageChoice]>([:])

  /// The languages that are official in the whole country, that of most people first; none for an unknown country.
  func choice(of country: String) -> LanguageChoice {
    guard country.utf8.count == 2 else { return LanguageChoice(nil) }
    return choices.withLock { choices in
      if let choice = choices[country] { return choice }
      let tags = Languages.languages(of: country).flatMap { ["\($0)-\(country)", "\(LanguageChoice.base($0))-\(country)", $0] }
      let choice = LanguageChoice(tags: tags, key: "@\(country)")
      choices[country] = choice
      return choice
    }
  }
}
