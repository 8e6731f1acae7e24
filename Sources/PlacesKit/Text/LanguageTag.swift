/// Language tags as BCP 47 (RFC 5646, section 2.1) spells them.
public enum LanguageTag {
  /// The parts of a tag, in the order in which RFC 5646 allows them. A `singleton` is the letter or digit that starts an extension, and
  /// `subtag` is a further part of the extension. `privateUse` is the letter `x` and everything after it.
  private enum Part: Int, Comparable {
    case language, extended, script, region, variant, singleton, subtag, privateUse
    static func < (a: Part, b: Part) -> Bool { a.rawValue < b.rawValue }
  }

  /// The tag in its customary spelling (language in lower case, script capitalised, region in upper case): `zh-Hant-TW` for `ZH-hant-tw`.
  /// Nil if the tag is not well formed or has more than 64 bytes. The result may name a language that does not exist; see
  /// `Languages.isKnown`.
  public static func canonical(_ tag: String) -> String? {
    let subtags = tag.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    guard tag.utf8.count <= 64, let first = subtags.first, 2...8 ~= first.utf8.count, first.utf8.allSatisfy(\.isLetter) else { return nil }
    var (result, part) = (String(first), Part.language)
    for subtag in subtags.dropFirst() {
      guard 1...8 ~= subtag.utf8.count, subtag.utf8.allSatisfy(\.isAlphanumeric), let next = following(part, subtag) else { return nil }
      part = next
      switch next {
      case .script: result += "-" + subtag.prefix(1).uppercased() + subtag.dropFirst()
      case .region: result += "-" + subtag.uppercased()
      default: result += "-" + subtag
      }
    }
    // A singleton and `x` must be followed by a subtag.
    return part == .singleton || subtags.last == "x" ? nil : result
  }

  /// The kind of a subtag that follows a subtag of the kind `part`; nil if it may not follow.
  private static func following(_ part: Part, _ subtag: Substring) -> Part? {
    let hasOnlyLetters = subtag.utf8.allSatisfy(\.isLetter)
    if part == .privateUse || subtag == "x" { return .privateUse }
    switch subtag.utf8.count {
    case 1: return part == .singleton ? nil : .singleton
    case _ where part >= .singleton: return .subtag
    case 3 where hasOnlyLetters: return part <= .extended ? .extended : nil
    case 4 where hasOnlyLetters: return part < .script ? .script : nil
    case 2 where hasOnlyLetters: return part < .region ? .region : nil
    case 3 where subtag.utf8.allSatisfy { !$0.isLetter }: return part < .region ? .region : nil
    case 5...8: return .variant
    case 4 where subtag.utf8.first?.isLetter == false: return .variant
    default: return nil
    }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
  fileprivate var isAlphanumeric: Bool { isLetter || self &- UInt8(ascii: "0") < 10 }
}
