/// A writing system by its ISO 15924 code, such as `Latn`.
public struct Script: RawRepresentable, Sendable, Hashable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let latin = Script(rawValue: "Latn")
  public static let cyrillic = Script(rawValue: "Cyrl")
  /// Digits and signs that every script shares.
  public static let common = Script(rawValue: "Zyyy")
}
