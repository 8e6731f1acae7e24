import Synchronization
import Text

/// The language of each country, asked of CLDR once.
final class LocalLanguages: Sendable {
  static let shared = LocalLanguages()
  /// By country code: at most as many as there are.
  private let tags = Mutex<[String: [UInt8]]>([:])

  /// Empty for an unknown country.
  func tag(of country: String) -> [UInt8] {
    guard country.utf8.count == 2 else { return [] }
    return tags.withLock { tags in
      if let tag = tags[country] { return tag }
      let tag = Array((Languages.language(of: country) ?? "").utf8)
      tags[country] = tag
      return tag
    }
  }
}
