import CICU

/// Simplified and traditional Chinese characters.
public enum ChineseScript {
  /// Converts a text to traditional or to simplified characters, character by character, with CLDR's transforms. Returns a text of more
  /// than 128 UTF-16 units unchanged.
  public static func converted(_ text: String, toTraditional: Bool) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var copy = text
    let capacity = text.utf8.count * 4 + 16
    let bytes = copy.withUTF8 { bytes in
      [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        count = max(
          0, Int(cicu_convert_chinese(bytes.baseAddress, Int32(bytes.count), toTraditional ? 1 : 0, buffer.baseAddress, Int32(capacity))))
      }
    }
    return bytes.isEmpty ? text : String(decoding: bytes, as: UTF8.self)
  }

  /// True if Chinese is written in traditional characters in the country, which is a two-letter code in upper case.
  public static func isTraditional(in country: String) -> Bool { ["TW", "HK", "MO"].contains(country) }
}
