import CICU

/// Facts about languages and regions from CLDR, by their codes.
public enum Languages {
  /// The language that most people of a region write: `de` for `DE`; nil for an unknown region.
  public static func language(of region: String) -> String? {
    text(capacity: 16) { cicu_language_of_region(region, $0, $1) }
  }

  /// The languages that are official in a whole region: `de`, `fr`, `it` for `CH`. The language that most people write is first if it is
  /// official. If CLDR has no official language, the result is only the language that most people write. Empty for an unknown region.
  public static func languages(of region: String) -> [String] {
    let keys = text(capacity: 256) { cicu_official_languages(region, $0, $1) } ?? ""
    let official = keys.split(separator: " ").map { $0.split(separator: "_").joined(separator: "-") }
    // A common language is ignored if it is not official: most people of Niger use Hausa, but signs are in French. `zh` is compared without
    // the script, so that it matches Taiwan's `zh-Hant`.
    guard let most = language(of: region), official.isEmpty || official.contains(where: { $0.prefix { $0 != "-" } == most }) else {
      return official
    }
    return [most] + official.filter { $0 != most }
  }

  /// True if a tag names a language that CLDR knows: true for `de-AT`, false for `xx`.
  public static func isKnown(_ language: String) -> Bool { cicu_language_is_known(language) != 0 }

  /// The language that has this name in itself or in English: `de` for `Deutsch` and `german`; nil if there is none. The search takes
  /// milliseconds.
  public static func named(_ name: String) -> String? {
    text(capacity: 16) { cicu_language_named(name, $0, $1) }
  }

  /// The most likely region of a language tag: `TW` for `zh-Hant`; nil if CLDR knows none.
  public static func region(of language: String) -> String? {
    text(capacity: 16) { cicu_region_of_language(language, $0, $1) }
  }

  /// A region's name in a language: `Deutschland` for `DE` in `de`; nil if CLDR has none.
  public static func name(ofRegion region: String, in language: String) -> String? {
    text(capacity: 512) { cicu_region_name(region, language, $0, $1) }
  }

  /// The text that `read`, a function of CICU, writes to a buffer of `capacity` bytes; nil if it writes nothing.
  private static func text(capacity: Int, _ read: (UnsafeMutablePointer<CChar>?, Int32) -> Int32) -> String? {
    let bytes = [CChar](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = min(max(0, Int(read(buffer.baseAddress, Int32(buffer.count)))), capacity)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
