import CICU

/// The version of ICU's Unicode data, as major * 100 + minor.
public var unicodeVersion: Int { Int(cicu_unicode_version()) }

/// A writing system by its ISO 15924 code, such as `Latn`.
public struct Script: RawRepresentable, Sendable, Hashable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let latin = Script(rawValue: "Latn")
  public static let cyrillic = Script(rawValue: "Cyrl")
  public static let greek = Script(rawValue: "Grek")
  public static let han = Script(rawValue: "Hani")
  /// Digits and signs that every script shares.
  public static let common = Script(rawValue: "Zyyy")
}
